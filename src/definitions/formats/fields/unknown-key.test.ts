import { describe, expect, test } from "vitest"
import { processorTime } from "../../../../test/processor-time.ts"
import { applyFixes } from "../../../ground/diagnostics/apply-fixes.ts"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { formats } from "../index.ts"
import { diagnose } from "../problem.ts"
import { readAgent } from "../read-agent.ts"
import { subagentSpec } from "../subagent-spec.ts"

/** The findings about a text that is read in a format. */
function diagnosticsOf(format: string, text: string, file = "/x/agents/aide.md"): readonly Diagnostic[] {
  const { problems, locate } = readAgent([...formats, subagentSpec].find(({ id }) => id === format)!, {
    path: file,
    text,
  })
  return diagnose(file, text, locate, problems)
}

const markdown = (keys: string) => `---\nname: aide\ndescription: Helps.\n${keys}\n---\n\nHelp.\n`

/** The findings about keys, in short. */
const keyFindings = (format: string, text: string, file?: string) =>
  diagnosticsOf(format, text, file)
    .filter(({ code }) => code.startsWith("key-"))
    .map(
      ({ code, severity, range: { start }, message }) =>
        `${start.line}:${start.column} ${severity} ${code}${/ Did you mean `(.*)`\?$/.exec(message)?.[1]?.replace(/^/, " → ") ?? ""}`,
    )

describe("a key that somebody else's tool takes for a restriction", () => {
  test.each([
    ["allowed_tools", "tools"],
    ["alowed_tools", "tools"],
    ["allowed_tolls", "tools"],
    ["toolz", "tools"],
    ["include-tools", "tools"],
    ["toolset", "tools"],
    ["allow", "tools"],
    ["dissallowedTools", "disallowedTools"],
    ["disalowed_tools", "disallowedTools"],
    ["tools_deny_list", "disallowedTools"],
    ["exclude_tool", "disallowedTools"],
    ["deny", "disallowedTools"],
    ["permision_mode", "permissionMode"],
    ["permissions", "permissionMode"],
    ["isolaton", "isolation"],
    ["sandbx", "isolation"],
    ["max_truns", "maxTurns"],
    ["max_iteration", "maxTurns"],
  ])("%s is an error that names %s", (key, meant) => {
    expect(keyFindings("claude", markdown(`${key}: x`))).toEqual([`4:1 error key-restricting → ${meant}`])
  })

  test.each(["timeout_mins", "time_out", "budgets", "max-tokens", "blocked_mcp_tools"])(
    "%s is an error, although Claude Code has no such key",
    (key) => {
      expect(keyFindings("claude", markdown(`${key}: x`))).toEqual(["4:1 error key-restricting"])
    },
  )

  test.each([
    "mode",
    "title",
    "allow-comments",
    "tags",
    "version",
    "category",
    "author",
    "target",
    "handoffs",
    "priority",
    "temperature",
    "argument-hint",
    "disable-model-invocation",
    "shallow",
    "min_turns",
    "type",
    "time",
    `x${"y".repeat(90)}`,
  ])("%s is nobody's restriction", (key) => {
    expect(keyFindings("claude", markdown(`? ${key}\n: x`))).toEqual(["4:3 info key-unknown"])
  })

  test("what is nearly a key of the format is that key, whatever else it resembles", () => {
    expect(keyFindings("gobby", "role: r\nSandbox: {}\nsteps_: []\ntimeouts: 3", "/x/aide.yaml")).toEqual([
      "2:1 error key-restricting → sandbox",
      "3:1 warning key-near-miss → steps",
      "4:1 error key-restricting → timeout",
    ])
  })
})

describe("inside other keys too", () => {
  test.each([
    [
      "codex-md",
      "/x/aide.md",
      markdown("model_config:\n  model: m\n  tools: [a]\n  max_tokens: 5\n  modl: m\n  tier: 1"),
      [
        "6:3 error key-restricting",
        "7:3 warning key-unknown",
        "8:3 warning key-near-miss → model",
        "9:3 warning key-unknown",
      ],
    ],
    [
      "remora",
      "/x/agents/aide_subagent.yaml",
      "name: aide\nmodel_id: m\ninitial_context:\n  system_prompt: Help.\n  node_context: x\n  allowed_tolls: []\n  mood: good\ntools:\n  - {name: submit_result, pym: x.pym, description: d, parameters: {type: object}, sandbox: true, colour: red}",
      [
        "6:3 error key-restricting",
        "7:3 info key-unknown",
        "9:83 error key-restricting",
        "9:98 info key-unknown",
      ],
    ],
    [
      "gobby",
      "/x/aide.yaml",
      "role: r\nsteps:\n  - {name: a, allowed_tools: all, alowed_tools: [Read], note: x}\nworkflows:\n  allowed_tool: [Read]\n  sandbox: {steps: [{name: b, tools: [Read]}]}\n  variable: 1",
      [
        "3:35 error key-restricting → allowed_tools",
        "3:57 info key-unknown",
        "5:3 error key-restricting",
        "6:31 error key-restricting → allowed_tools",
        "7:3 warning key-near-miss → variables",
      ],
    ],
  ])("of %s", (format, file, text, expected) => {
    expect(keyFindings(format, text, file)).toEqual(expected)
  })
})

describe("a key is renamed only where that says the same", () => {
  const fixed = (format: string, text: string, file?: string) =>
    applyFixes(text, diagnosticsOf(format, text, file)).text

  test.each([
    ["claude", "allowed_tools: [Read]", "tools: [Read]"],
    ["claude", "allowedTools: Read", "tools: Read"],
    ["claude", "disallowed-tools: Bash", "disallowedTools: Bash"],
    ["claude", "dissallowedTools: Bash", "disallowedTools: Bash"],
    ["claude", "max_steps: 3", "maxTurns: 3"],
    ["claude", '"allowed_tools": [Read]', '"tools": [Read]'],
    ["claude", "'colour': red", "'color': red"],
    ["acai", "tiemout: 10", "timeout: 10"],
    ["subagent-spec", "disallowedTools: [Bash]", "toolsDeny: [Bash]"],
  ])("%s: %s", (format, before, after) => {
    expect(fixed(format, markdown(before))).toBe(markdown(after))
  })

  test.each([
    ["claude", "tools: Read\nallowed_tools: Bash"],
    ["claude", "allowed_tools: Read\nallowedTools: Bash"],
    ["claude", "allowed_tools: {read: true}"],
    ["claude", "alowed_tools: [Read]"],
    ["claude", "allow: [Read]"],
    ["claude", "readonly: true"],
    ["claude", "sandbox: worktree"],
    ["claude", "permissions: {allow: [Read]}"],
    ["claude", "permissions: plan"],
    ["claude", "max_steps: many"],
    ["claude", "mode: sonnet"],
    ["acai", "timeout_mins: 10"],
    ["acai", "timeout_ms: 1000"],
    ["acai", "timeout_m: 10"],
    ["gobby", "timeout_ms: 1000"],
    ["gobby", "unblocked_tools: [Read]"],
    ["gobby", "min_turns: 3"],
    ["subagent-spec", "titel: A\nlabel: B"],
    ["subagent-spec", "tittle: A\nlabel: B"],
    ["subagent-spec", "limits: {maxTurns: 3}"],
  ])("%s: %j is left alone", (format, keys) => {
    expect(fixed(format, markdown(keys))).toBe(markdown(keys))
  })

  test.each([
    ["/x/aide.json", '{"allowed_tools":["Read"],"name":"aide"}', '{"tools":["Read"],"name":"aide"}'],
    ["/x/aide.yaml", '{"allowed_tools":1,"maxturn":1}', '{"allowed_tools":1,"maxturn":1}'],
    ["/x/aide.yaml", "{'labl':'A'}", "{'label':'A'}"],
  ])("in %s the quotes stay: %s", (file, before, after) => {
    expect(fixed("cadre", before, file)).toBe(after)
  })
})

describe("a file with a great many keys", () => {
  const unknown = (count: number, value: string) =>
    Array.from({ length: count }, (_, index) => `key${index}: ${value}`).join("\n")

  test("is told a hundred of them, and how many more there are", () => {
    const found = diagnosticsOf("claude", markdown(`${unknown(250, "1")}\nalowed_tools: []`))
    expect(found.filter(({ code }) => code === "key-unknown")).toHaveLength(101)
    expect(found.slice(-2).map(({ code, message, range: { start } }) => [code, start.line, message])).toEqual(
      [
        ["key-restricting", 254, expect.stringContaining("`alowed_tools`")],
        ["key-unknown", 104, expect.stringMatching(/150.*keys.*definition/)],
      ],
    )
  })

  test.each([
    ["more values than are read", 90_000, "1", ["yaml-invalid"]],
    ["as many as are read", 45_000, "a b c d e f", ["key-unknown"]],
  ])("takes no time to speak of: %s", (_, count, value, codes) => {
    const text = markdown(unknown(count, value))
    expect(text.length).toBeGreaterThan(800_000)
    const before = processorTime()
    const found = diagnosticsOf("claude", text)
    expect(processorTime() - before).toBeLessThan(15_000)
    expect([...new Set(found.map(({ code }) => code))]).toEqual(codes)
  })
})
