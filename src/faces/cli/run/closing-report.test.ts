import { describe, expect, test } from "vitest"
import { createPainter } from "../../../ground/diagnostics/paint.ts"
import type { RunResult } from "../../../run/drive/proof.ts"
import type { RunReport } from "../../../run/explain/report.ts"
import { writeClosingReport } from "./closing-report.ts"

const result = {
  run: "r",
  agent: "fixer",
  status: "ended",
  outcome: { type: "completed" },
  output: "All tests pass.",
  approvals: [],
  proof: {
    model: { requested: "m", source: "call", resolved: "m", reported: ["m"] },
    warnings: [],
    denied: [{ call: "c9", tool: "Read", reason: "said once only" }],
    usage: { own: {}, inclusive: {}, unsettled: { calls: 0, tokens: 0, cost: 0 } },
    turns: 2,
    activeMs: 1_200,
    undelivered: [],
    differences: [],
  },
} as unknown as RunResult

const call = {
  run: "r",
  agent: "fixer",
  call: "c1",
  tool: "Bash",
  arguments: '{"command":"npm test"}',
  text: "no",
}
const command = { run: "r", agent: "fixer", call: "c1", command: "npm test", times: 1 }
const empty: RunReport = { agents: [], commands: [], files: [], failed: [], contradicted: false }
const closing = (report: Partial<RunReport>, colour: "on" | "off" = "off") =>
  writeClosingReport(result, [], { ...empty, ...report }, { paint: createPainter(colour), directory: "/w" })

const numbers = "2 turns, 0 tokens, cost $0.0000, 1.2s."
const model = "Model: requested m, resolved m, reported m."

describe("the closing report", () => {
  test("of a run without trouble comes after the text, and says what was done", () => {
    expect(
      closing({
        agents: [
          { agent: "fixer", runs: 1, calls: { Bash: 2, Edit: 1 } },
          { agent: "helper", runs: 2, calls: {} },
        ],
        commands: [{ ...command, exitCode: 0, times: 2 }],
        files: ["/w/a.ts"],
      }),
    ).toEqual({
      first: [],
      last: [
        `fixer completed. ${numbers}`,
        "Calls of fixer: 2 Bash, 1 Edit.",
        "Command: npm test (exit 0, run 2 times)",
        "Wrote: /w/a.ts",
        model,
        "Run r",
      ],
    })
  })

  test("says first that a command failed and a call was denied, and by which rule", () => {
    const by = { type: "rule", of: "the configuration", rule: "Read(.env)", at: "/w/c.yaml:3" } as const
    const { first, last } = closing({
      commands: [{ ...command, exitCode: 1 }],
      failed: [
        { ...call, status: "error" },
        { ...call, call: "c2", tool: "Read", arguments: '{"path":".env"}', status: "denied", by },
        { ...call, call: "c3", tool: "Nope", arguments: "{}", status: "invalid" },
      ],
    })
    expect(first).toEqual([
      `fixer completed, but 1 command failed and 1 call was denied. ${numbers}`,
      "Failed: npm test (exit 1, fixer)",
      "Denied: Read .env (fixer), by rule Read(.env) (c.yaml:3)",
      "Invalid: Nope (fixer): no",
    ])
    expect(last).toEqual([model, expect.stringContaining("`cadre log r --failed`"), "Run r"])
  })

  test("tells the reason of a hook, and of another end than completion", () => {
    const by = { type: "hook", hook: "safe" } as const
    const ended = { ...result, outcome: { type: "denied", reason: "all was refused" } } as RunResult
    const report = { ...empty, failed: [{ ...call, status: "denied", by, text: "Not here." } as const] }
    const { first } = writeClosingReport(ended, [], report, { paint: createPainter("off"), directory: "/w" })
    expect(first).toEqual([
      `fixer denied: all was refused; 1 call was denied. ${numbers}`,
      'Denied: Bash npm test (fixer), by hook "safe": Not here.',
    ])
  })

  test("warns in the colour of warnings", () => {
    const [headline = ""] = closing({ commands: [{ ...command, exitCode: 1 }] }, "on").first
    expect(headline.startsWith("\u001b[1;33mfixer completed, but 1 command failed\u001b[0m. ")).toBe(true)
  })

  test("bounds a long list, and escapes what a terminal would obey", () => {
    const failed = Array.from({ length: 200 }, (_, index) => ({
      ...call,
      call: `c${index}`,
      tool: `\u001b[2J${"x".repeat(10_000)}`,
      status: "error" as const,
    }))
    const { last } = closing({ failed })
    expect(last.length).toBeLessThan(20)
    expect(last.every((line) => line.length < 500)).toBe(true)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
    expect(last.join("")).not.toMatch(/[\u0000-\u001f]/)
  })
})
