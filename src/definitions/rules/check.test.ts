import { expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { type Agent, type AgentInput, defineAgent } from "../../agent/agent.ts"
import { claude } from "../formats/claude.ts"
import type { Problem } from "../formats/problem.ts"
import { checkAgents } from "./check.ts"
import { applyLevels } from "./levels.ts"
import type { DiagnosticRule, Subject } from "./rule.ts"
import { checkInputs, writeBriefLines } from "./support.ts"

const none = "`tools`"

test.each([
  [{}, [`warning tools-none at tools: ${none}`]],
  [{ "tools-none": "off" }, []],
  [{ "tools-none": "error" }, [`error tools-none at tools: ${none}`]],
  [{ "tools-none": "info", "tool-unknown": "off" }, [`info tools-none at tools: ${none}`]],
  [{ constructor: "off" }, [`warning tools-none at tools: ${none}`]],
] as const)("the configuration %j decides how grave a finding is", (levels, expected) => {
  expect(writeBriefLines({ tools: [], levels })).toEqual(expected)
})

test("what the reader found follows the configuration too", () => {
  const at = { type: "start" } as const
  const problems: readonly Problem[] = [
    { code: "key-unknown", severity: "info", message: "One.", at },
    { code: "yaml-repaired", severity: "warning", message: "Two.", at },
    { code: "field-type", severity: "error", message: "Three.", at },
  ]
  expect(applyLevels(problems, { "key-unknown": "off", "yaml-repaired": "error" })).toEqual([
    { code: "yaml-repaired", severity: "error", message: "Two.", at },
    { code: "field-type", severity: "error", message: "Three.", at },
  ])
})

/** Readers refuse them in a model. */
const refused: readonly unknown[] = [1, true, [1], [{ name: null }]]
const strange = [null, [], {}, "text", [null], [[]], [{}], [["a"]], ...refused]

test.each(
  ["mcpServers", "toolDefinitions", "skills", "keywords", "aliases", "model", "hooks", "metadata"]
    .flatMap((field) => strange.map((value) => [field, value] as const))
    .filter(([field, value]) => field !== "model" || !refused.includes(value)),
)("no rule fails where %s is %j", (field, value) => {
  const agents = ["agent-1", "agent-2"].map((name): Agent => {
    const agent = defineAgent({
      name,
      description: "Reads one file and writes another.",
      instructions: "Do it.",
      tools: ["Read", "Agent(agent-1)", "unknown"],
    })
    // Afterwards, because `defineAgent` takes no such values.
    return { ...agent, [field]: value, origin: { format: "claude" } }
  })
  const found = checkAgents(
    agents.map((agent) => ({ agent, format: claude })),
    { tools: new Set(), agents: new Map(agents.map((agent) => [agent.name, agent])) },
  ).flat()
  expect(found.filter(({ code }) => code === "rule-failed")).toEqual([])
})

const failing = (rule: Pick<DiagnosticRule, "check" | "checkAll">): readonly string[] => {
  const agents = ["one", "two", "three"].map((name) => defineAgent({ name, instructions: "Do it." }))
  const known = new Map<string, Agent>(agents.map((agent) => [agent.name, agent]))
  const found = checkAgents(
    agents.map((agent) => ({ agent, format: undefined })),
    { tools: new Set(), agents: known },
    {},
    [
      {
        code: "odd",
        severity: "error",
        title: "",
        why: "",
        fix: "",
        example: { unreproducible: "" },
        ...rule,
      },
    ],
  )
  return found.flatMap((problems, index) =>
    problems.map(({ severity, code, message }) => `${agents[index]!.name}: ${severity} ${code}: ${message}`),
  )
}

const failed = (name: string) => naming(`${name}: warning rule-failed`, "`odd`", "no", "missed")

const look = (subject: Subject) => {
  if (subject.agent.name === "two") throw new Error("no")
  subject.report({ message: "Found.", at: { type: "start" } })
}

test.each<[string, Pick<DiagnosticRule, "check" | "checkAll">, readonly string[]]>([
  ["for one agent", { check: look }, ["one: error odd: Found.", failed("two"), "three: error odd: Found."]],
  [
    "for one of all together",
    { checkAll: (subjects) => subjects.forEach(look) },
    ["one: error odd: Found.", failed("two"), "three: error odd: Found."],
  ],
  [
    "only for all together",
    {
      checkAll: (subjects) => {
        for (const subject of subjects) subject.report({ message: "Found.", at: { type: "start" } })
        if (subjects.length > 1) throw new Error("no")
      },
    },
    [failed("one"), failed("two"), failed("three")],
  ],
])("a rule that fails %s takes nothing else down", (_, rule, expected) => {
  expect(failing(rule)).toEqual(expected)
})

test("of many findings the first are listed and the others counted", () => {
  const lines = writeBriefLines({ tools: Array.from({ length: 151 }, () => "Read") })
  expect(lines.length).toBe(101)
  expect(lines.at(-1)).toMatch(/: 50$/)
})

const long = "x".repeat(100_000)

test.each<[string, Partial<AgentInput>]>([
  ["a tool", { tools: ["Read", long] }],
  ["a tool with parentheses", { tools: ["Read", `${long}(`, `${long}()`] }],
  ["only such a tool", { tools: [long] }],
  ["a tool that is listed twice", { tools: ["Read", long, long], disallowedTools: [long] }],
  ["a tool of a server", { tools: [`mcp__${long}`], disallowedTools: ["mcp__*"] }],
  ["another host's tool", { tools: ["Read", `${long}.a/b`] }],
  ["an agent", { tools: [`Agent(${long})`, `Agent(${long}y)`] }],
  ["a rule", { rules: [0, 1].map(() => ({ tool: long, decision: "ask" })) }],
  ["what the instructions say", { tools: ["Read"], instructions: `Use \`mcp__a__${long}\`.` }],
])("%s of any length makes a short message", (_, input) => {
  const [problems] = checkInputs([input])
  expect(problems!.length).toBeGreaterThan(0)
  for (const { message } of problems!) expect(message.length).toBeLessThan(900)
})
