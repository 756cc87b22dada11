import { describe, expect, test } from "vitest"
import type { RunResult } from "../../../run/drive/proof.ts"
import { toResultJson } from "./result-json.ts"
import { writeSummary } from "./summary.ts"

const tokens = { inputTokens: 10, outputTokens: 5 }
const result: RunResult = {
  run: "r",
  agent: "reviewer",
  status: "resting",
  output: "So far.",
  approvals: [{ run: "r.1", call: "c2", tool: "Bash", arguments: '{"command":"ls"}', way: [] }],
  proof: {
    definition: { name: "reviewer", pinned: "p1", file: "/a/reviewer.md", hash: "h1" },
    model: { requested: "fast", source: "definition", resolved: "openai/x", reported: ["x-1"] },
    warnings: ["it is another model"],
    toolsOffered: ["Bash"],
    denied: [{ call: "c1", tool: "Bash", reason: "Not permitted: no." }],
    evidence: { calls: { Bash: 1 }, files: [], commands: [], unknown: [] },
    usage: {
      own: { x: { ...tokens, cost: 0.5 } },
      inclusive: { x: { ...tokens, cost: 0.5 }, y: { ...tokens, cost: 0.25 } },
      unsettled: { calls: 1, tokens: 7, cost: 0 },
    },
    turns: 2,
    activeMs: 1_200,
    limits: { maxTurns: 5 },
    undelivered: [{ from: "user", text: "Wait." }],
    differences: ["agent has changed"],
  },
}

describe("the result", () => {
  test("as a program reads it", () => {
    expect(toResultJson(result)).toEqual({
      id: "r",
      agent: "reviewer",
      status: "resting",
      outcome: null,
      output: "So far.",
      model: { requested: "fast", source: "definition", resolved: "openai/x", reported: ["x-1"] },
      usage: result.proof.usage,
      cost: 0.75,
      turns: 2,
      activeMs: 1_200,
      limits: { maxTurns: 5 },
      toolsOffered: ["Bash"],
      evidence: { calls: { Bash: 1 }, files: [], commands: [], unknown: [] },
      denied: [{ call: "c1", tool: "Bash", reason: "Not permitted: no." }],
      definition: { name: "reviewer", pinned: "p1", file: "/a/reviewer.md", hash: "h1" },
      approvals: [
        {
          run: "r.1",
          call: "c2",
          tool: "Bash",
          arguments: '{"command":"ls"}',
          way: [],
          approve: "cadre approve r.1 c2",
          deny: "cadre approve r.1 c2 --deny",
        },
      ],
      state: "resting",
      resume: "cadre resume r",
      undelivered: [{ from: "user", text: "Wait." }],
      warnings: ["it is another model", "agent has changed"],
    })
  })

  test("of a run that has ended, from code, with a value and a price that nobody knows", () => {
    const {
      resume: _,
      state: __,
      ...ended
    } = toResultJson({
      ...result,
      status: "ended",
      outcome: { type: "completed" },
      value: { ok: true },
      approvals: [],
      proof: {
        ...result.proof,
        definition: { name: "reviewer", pinned: "p1" },
        usage: { ...result.proof.usage, inclusive: { x: { ...tokens, cost: 1 }, y: tokens } },
      },
    })
    expect(ended).toMatchObject({
      status: "ended",
      outcome: { type: "completed" },
      value: { ok: true },
      approvals: [],
      cost: null,
      definition: { name: "reviewer", pinned: "p1", file: null, hash: null },
    })
    expect(_).toBe(undefined)
  })

  test("says everything that the proof does, and where the run was in its workflow", () => {
    const whole: Required<RunResult["proof"]> = {
      ...result.proof,
      workflow: { name: "development", step: "plan", status: "unfinished" },
      activated: ["builder"],
      lacks: [{ tool: "Bash", by: { type: "call" } }],
    }
    const { differences, warnings, ...proof } = whole
    expect(toResultJson({ ...result, proof: whole })).toMatchObject({
      ...proof,
      warnings: [...warnings, ...differences],
    })
  })

  test("a reason of several lines is told in one", () => {
    const reason = "It ended with 3.\nIts error output ends with:\nbad"
    expect(writeSummary({ ...result, outcome: { type: "failed", reason } })[0]).toMatch(
      /^reviewer failed: It ended with 3\. Its error output ends with: bad\. /,
    )
  })

  test("a model without a price that refused to answer costs nothing", () => {
    const refused = { inputTokens: 0, outputTokens: 0 }
    const inclusive = { x: { ...tokens, cost: 0.00002 }, y: refused }
    const proof = { ...result.proof, usage: { ...result.proof.usage, inclusive } }
    expect(toResultJson({ ...result, proof }).cost).toBe(0.00002)
    expect(writeSummary({ ...result, proof })[0]).toContain("cost below $0.0001,")
  })

  test.each<[string, string, RunResult["proof"]["usage"]["inclusive"], number | null]>([
    ["that says what it cost", "executor:p", { "executor:p": { ...tokens, cost: 0.5 } }, 0.5],
    ["that says nothing of it", "executor:p", { "executor:p": { inputTokens: 0, outputTokens: 0 } }, null],
    ["of which nothing was heard", "executor:p", {}, null],
    [
      "below a model, that says nothing of it",
      "openai/x",
      { x: { ...tokens, cost: 1 }, "executor:p": { inputTokens: 0, outputTokens: 0 } },
      null,
    ],
  ])("what a program took %s", (_, resolved, inclusive, cost) => {
    const { model, usage } = result.proof
    const proof = { ...result.proof, model: { ...model, resolved }, usage: { ...usage, inclusive } }
    expect(toResultJson({ ...result, proof }).cost).toBe(cost)
  })

  test("a reason that is a sentence has one full stop", () => {
    const outcome = { type: "failed", reason: "It answered 401: No." } as const
    expect(writeSummary({ ...result, status: "ended", outcome })[0]).toBe(
      "reviewer failed: It answered 401: No. 2 turns, 30 tokens, cost $0.7500, 1.2s.",
    )
  })

  test("as a person reads it", () => {
    const asked = {
      ...result.approvals[0]!,
      agent: "worker",
      depth: 1,
      accesses: [],
      offers: { type: "none" as const, reason: "unknown" },
      rule: "the configuration",
      about: "ls",
      command: "ls",
    }
    expect(writeSummary(result, [asked])).toEqual([
      "reviewer is waiting for approval. 2 turns, 30 tokens, cost $0.7500, 1.2s.",
      "Model: requested fast, resolved openai/x, reported x-1.",
      expect.stringMatching(/^1 request was.*billed/),
      "Denied: Bash (c1): Not permitted: no.",
      "Warning: it is another model",
      "Warning: agent has changed",
      "Not read yet, from user: Wait.",
      "Waiting for you: Bash ls, by worker.1 (depth 1), because the configuration asks: ls. To answer: `cadre approve r.1 c2`, or the same with --deny.",
      "To resume: `cadre resume r`.",
      "Run r",
    ])
  })

  test.each([
    [
      "with a form names the option for its values",
      { form: [{ name: "name", type: "text" }] },
      " --answer JSON",
    ],
    ["without a form names none", {}, ""],
  ] as const)("a question %s", (_, form, option) => {
    const question = { from: "the MCP server srv", text: "Who?", number: 1, ...form }
    const asked = {
      ...result.approvals[0]!,
      accesses: [],
      offers: { type: "none" as const, reason: "unknown" },
      question,
      agent: "worker",
      depth: 1,
      rule: "it",
    }
    const waiting = writeSummary(result, [asked]).find((line) => line.startsWith("Waiting"))
    expect(waiting).toContain(`\`cadre approve r.1 c2${option}\``)
  })

  test("a question from below shows the way down", () => {
    const way = [
      { run: "r", agent: "lead", task: "Ship it." },
      { run: "r.1", agent: "worker", task: "List\nall files.", gains: ["Bash"] },
    ]
    const asked = {
      ...result.approvals[0]!,
      way,
      agent: "worker",
      accesses: [],
      offers: { type: "none" as const, reason: "unknown" },
      depth: 1,
      rule: "the configuration",
    }
    expect(writeSummary(result, [asked]).slice(-4, -2)).toEqual([
      "  lead: Ship it.",
      "    └ worker (gains Bash): List all files.",
    ])
  })

  test("says what was checked, to programs whole and to people in a line", () => {
    const postconditions = [
      { condition: { file: "a" }, holds: true },
      { condition: { command: "b" }, holds: false, problem: "Exit code 1." },
    ]
    expect(toResultJson({ ...result, postconditions }).postconditions).toEqual(postconditions)
    expect(writeSummary({ ...result, postconditions })).toContain("Postconditions: 1 of 2 hold.")
  })
})
