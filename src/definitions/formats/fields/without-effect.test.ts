import { describe, expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { nameColours } from "../../../ground/diagnostics/paint.ts"
import { formats } from "../index.ts"
import { diagnose } from "../problem.ts"
import { readAgent } from "../read-agent.ts"
import { formatSchema } from "../schema.ts"
import { subagentSpec } from "../subagent-spec.ts"
import { writeAgent } from "../write.ts"
import type { Field } from "./field.ts"

const all = [...formats, subagentSpec]
const formatOf = (id: string) => all.find((format) => format.id === id)!

/** A file with these keys and all keys that its format requires. */
function textOf(format: string, keys: string): string {
  if (format === "gobby") return `${keys}\nname: aide\nrole: r\n`
  return `---\n${keys}\nname: aide\ndescription: d\n---\n\nHelp.\n`
}

function read(format: string, keys: string, plugin?: string) {
  const text = textOf(format, keys)
  const file = format === "gobby" ? "/x/aide.yaml" : "/x/aide.md"
  const options = plugin === undefined ? {} : { plugin }
  const { agent, problems, locate } = readAgent(formatOf(format), { path: file, text }, options)
  return {
    losses: writeAgent(formatOf(format), agent!, file, options).losses,
    findings: diagnose(file, text, locate, problems).map(
      ({ severity, code, message, range: { start } }) =>
        `${start.line}:${start.column} ${severity} ${code}: ${message}`,
    ),
  }
}

const at = { claude: "2:1", cadre: "2:1", gobby: "1:1" }
const inside = "1:13"
const told = (format: keyof typeof at, what: string, why: string, severity = "info", place = at[format]) => [
  naming(`${place} ${severity} key-without-effect: \`${what}\``, why),
]
const noNotes = naming("keeps", "notes")
const noMode = expect.stringContaining("chooses")
const colours = `the colours are ${nameColours.join(", ")}`
const skills = expect.stringMatching(/sees.*load/)
const hooks = expect.stringMatching(/the project.*unless.*lifecycle/)

describe("a key that nothing acts on is told, and kept", () => {
  test.each<[string, string, readonly string[]]>([
    ["claude", "memory: project", told("claude", "memory", noNotes)],
    ["claude", "initialPrompt: Go.", told("claude", "initialPrompt", expect.stringContaining("task"))],
    ["claude", "color: magenta", told("claude", "color: magenta", colours)],
    ["claude", "permissionMode: acceptEdits", told("claude", "permissionMode: acceptEdits", noMode)],
    ["claude", "permissionMode: auto", told("claude", "permissionMode: auto", noMode)],
    ["claude", "permissionMode: dontAsk", told("claude", "permissionMode: dontAsk", noMode, "warning")],
    ["cadre", "memory: local", told("cadre", "memory", noNotes)],
    ["cadre", "color: grey", told("cadre", "color: grey", colours)],
    ["cadre", "permissionMode: auto", told("cadre", "permissionMode: auto", noMode)],
    [
      "cadre",
      "context: {initialPrompt: Go., rules: true}",
      told("cadre", "context.initialPrompt", "task", "info", "2:11"),
    ],
    [
      "gobby",
      "api_base: http://x",
      told("gobby", "api_base", naming("requests", "the configuration"), "warning"),
    ],
    ["gobby", "surfaces: [persona]", told("gobby", "surfaces", expect.stringContaining("hide"), "warning")],
    [
      "gobby",
      "surfaces: persona, chat",
      told("gobby", "surfaces: persona, chat", expect.stringContaining("hide"), "warning"),
    ],
    ["gobby", "workflows: {rules: [a]}", told("gobby", "workflows.rules", hooks, "info", inside)],
    [
      "gobby",
      "workflows: {skill_selectors: {include: [a]}}",
      told("gobby", "workflows.skill_selectors", skills, "info", inside),
    ],
    [
      "gobby",
      "workflows: {variable_selectors: {include: [a]}}",
      told("gobby", "workflows.variable_selectors", naming("variables", "caller"), "info", inside),
    ],
    [
      "gobby",
      "workflows: {skill_format: brief}",
      told("gobby", "workflows.skill_format", naming("skills", "loaded"), "info", inside),
    ],
    [
      "gobby",
      "workflows: {pipeline: p}",
      told("gobby", "workflows.pipeline", naming("pipeline", "cadre"), "info", inside),
    ],
  ])("%s: %s", (format, keys, findings) => {
    expect(read(format, keys)).toEqual({ losses: [], findings })
  })
})

describe("nothing is told", () => {
  test.each([
    ["claude", "a colour that is known", "color: pink"],
    ["claude", "a mode that does something", "permissionMode: plan"],
    ["claude", "the usual mode", "permissionMode: default"],
    ["claude", "a mode of which grant-dangerous tells", "permissionMode: bypassPermissions"],
    ["claude", "no servers", "mcpServers: []"],
    ["claude", "an agent in the background", "background: true"],
    ["cadre", "a label", "label: Helper"],
    ["cadre", "what is only a note", "metadata: {a: 1}\nextensions: {claude: {team: red}}"],
    [
      "gobby",
      "what is null, false or blank",
      "api_base: null\nreasoning_required: false\nprovider: ''\nskills: {}",
    ],
    ["gobby", "what is inherited", "provider: inherit\nbase_branch: inherit"],
    ["gobby", "a sandbox that is off", "sandbox: {enabled: false}"],
    ["gobby", "an agent that Gobby spawns", "surfaces: [spawn, persona]"],
    ["gobby", "skills as a list", "skills: [a]"],
    ["gobby", "a version", "version: 2"],
    ["subagent-spec", "a label and a note", "title: Helper\nmetadata: {a: 1}"],
  ])("%s: %s", (format, _, keys) => {
    expect(read(format, keys).findings).toEqual([])
  })

  test("of a key whose value is of a wrong type", () => {
    const keys = "surfaces: 7\nworkflows: text\nprompts: [1]\nsandbox: true\nskills: 5"
    expect(read("gobby", keys).findings.map((line) => line.split(":", 2).join(":").slice(0, 20))).toEqual(
      ["1:11", "2:12", "3:10", "4:10", "5:9"].map((place) => `${place} error field-type`.slice(0, 20)),
    )
  })

  test("of a key of which something was told already", () => {
    expect(read("claude", "mcpServers: [github]", "tools").findings).toEqual([
      expect.stringMatching(/^2:1 warning plugin-key: `mcpServers`.*\(tools\).*the project/),
    ])
  })
})

test("editors and the page of the format say it as well", () => {
  const { properties } = formatSchema(formatOf("claude")) as {
    properties: { memory: { description: string } }
  }
  expect(properties.memory.description).toEqual(noNotes)
})

test("every reason is the rest of a sentence, and names the inner key only once", () => {
  const reasons = all.flatMap(({ fields }) =>
    (fields as readonly Field[]).flatMap(({ effect = "informs" }) => (effect === "informs" ? [] : effect)),
  )
  expect(reasons.filter(({ why }) => /\.$|^[A-Z][a-z]/.test(why))).toEqual([])
  expect(reasons.length).toBeGreaterThan(25)
})
