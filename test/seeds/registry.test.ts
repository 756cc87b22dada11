/** What instructor-php's subagents (003) must do here: the first rows of its acceptance list, about definitions. */
import path from "node:path"
import { describe, expect, test } from "vitest"
import { readAgent } from "../../src/definitions/formats/read-agent.ts"
import { subagentSpec } from "../../src/definitions/formats/subagent-spec.ts"
import { writeAgent } from "../../src/definitions/formats/write.ts"
import { parseJson, parseMarkdown, SubagentRegistry } from "../../src/files.ts"
import {
  type Agent,
  type AgentInput,
  createRuntime,
  defineAgent,
  memoryStore,
  scriptedModel,
} from "../../src/index.ts"
import { temporaryFolder } from "../file-kit.ts"
import { markdown } from "./kit.ts"
import { tool } from "./registry-kit.ts"

const withoutOrigin = ({ origin: _, ...agent }: Agent) => agent

describe("003 row 1: code and files say the same", () => {
  const spec: AgentInput = {
    name: "reviewer",
    description: "Reviews.",
    instructions: "Review it.",
    tools: ["Read", "Grep"],
    disallowedTools: ["Grep"],
    model: "anthropic",
    skills: ["style"],
    metadata: { team: "core" },
  }
  const yaml = [
    "name: reviewer",
    "description: Reviews.",
    "tools: [Read, Grep]",
    "toolsDeny: Grep",
    "model: anthropic",
    "skills: style",
    "metadata: {team: core}",
  ].join("\n")
  const json = {
    name: "reviewer",
    description: "Reviews.",
    systemPrompt: "Review it.",
    tools: ["Read", "Grep"],
    toolsDeny: ["Grep"],
    model: "anthropic",
    skills: ["style"],
    metadata: { team: "core" },
  }
  const { systemPrompt, ...others } = json

  test.each<[string, () => Agent]>([
    ["markdown", () => parseMarkdown(markdown(yaml, "Review it."))],
    ["markdown with CRLF", () => parseMarkdown(markdown(yaml, "Review it.").replaceAll("\n", "\r\n"))],
    ["JSON", () => parseJson(JSON.stringify(json))],
    ["JSON with `prompt`", () => parseJson(JSON.stringify({ ...others, prompt: systemPrompt }))],
    ["JSON with `system`", () => parseJson(JSON.stringify({ ...others, system: systemPrompt }))],
    ["YAML", () => loaded(`${yaml}\nsystemPrompt: Review it.\n`, "spec.yaml")],
  ])("%s", (_, read) => {
    expect(withoutOrigin(read())).toEqual(withoutOrigin(defineAgent(spec)))
  })

  const loaded = (text: string, file: string): Agent => readAgent(subagentSpec, { path: file, text }).agent!

  // The seed loses `tools: []` on writing, and so turns "none" into "all": seed-systems section 7, number 17.
  test.each<[string, Partial<AgentInput>, object]>([
    ["tools", {}, { mode: "list", allow: ["Read", "Grep"], deny: ["Grep"] }],
    ["no tools", { tools: [], disallowedTools: [] }, { mode: "list", allow: [], deny: [] }],
    [
      "tools left out",
      { tools: undefined as never, disallowedTools: [] },
      { mode: "inherit", allow: [], deny: [] },
    ],
  ])("written as markdown, YAML and JSON and read again, an agent with %s is the same", (_, more, tools) => {
    const agent = defineAgent({ ...spec, ...more })
    const again = ["spec.md", "spec.yaml", "spec.json"].map((file) => {
      const written = writeAgent(subagentSpec, agent, file)
      return withoutOrigin(readAgent(subagentSpec, { path: file, text: written.text }).agent!)
    })
    expect(again).toEqual(Array.from({ length: 3 }, () => withoutOrigin(agent)))
    expect(again[0]!.tools).toEqual(tools)
  })
})

describe("003 row 2: tools, registration, errors, precedence", () => {
  test.each<[string, Partial<AgentInput>, readonly string[]]>([
    ["left out: all of the parent's", {}, ["Read", "Grep", "Bash"]],
    ["an empty list: none", { tools: [] }, []],
    ["allow", { tools: ["Read", "Grep"] }, ["Read", "Grep"]],
    ["deny", { disallowedTools: ["Bash"] }, ["Read", "Grep"]],
    ["allow, then deny", { tools: ["Read", "Grep"], disallowedTools: ["Grep"] }, ["Read"]],
  ])("%s", async (_, more, offered) => {
    const runtime = createRuntime({
      store: memoryStore(),
      tools: ["Read", "Grep", "Bash"].map(tool),
      models: { m: scriptedModel({ a: [{ text: "done" }] }) },
    })
    const { proof } = await runtime.run(defineAgent({ name: "a", instructions: "x", ...more }), "go").done
    expect(proof.toolsOffered).toEqual(offered)
  })

  test("unknown tools are told at registration, all of them, allowed and denied", () => {
    const registry = new SubagentRegistry()
    expect(() =>
      registry.register(
        { name: "a", instructions: "x", tools: ["Raed", "Read", "pip"], disallowedTools: ["Bsah"] },
        ["Read", "Bash"],
      ),
    ).toThrow(
      "Invalid subagent 'a':\nUnknown tool 'Raed' in subagent 'a'\nUnknown tool 'pip' in subagent 'a'\nUnknown tool 'Bsah' in subagent 'a'\n",
    )
    expect(registry.names()).toEqual([])
  })

  test("the errors of a folder are collected by file, and the rest is loaded", () => {
    const folder = temporaryFolder({
      "a.md": markdown("name: a\ndescription: A."),
      "b.md": markdown("description: B."),
      "c.md": "---\nname: [",
      "d.md": markdown("name: d\ndescription: D."),
    })
    const registry = new SubagentRegistry()
    registry.loadFromDirectory(folder, { format: "claude" })
    expect([registry.names(), Object.keys(registry.errors()).map((file) => path.basename(file))]).toEqual([
      ["a", "d"],
      ["b.md", "c.md"],
    ])
  })

  test("user < package < project, and every shadowing is told", () => {
    const registry = new SubagentRegistry()
    const seen: string[] = []
    for (const scope of ["user", "package", "project"] as const) {
      const folder = temporaryFolder({ "a.md": markdown("name: a\ndescription: A.", `Of the ${scope}.`) })
      registry.loadFromDirectory(folder, { scope, format: "claude" })
      seen.push(registry.get("a").instructions)
    }
    expect([
      seen,
      registry
        .entries()
        .map(({ state }) => state.type)
        .sort(),
    ]).toEqual([
      ["Of the user.", "Of the package.", "Of the project."],
      ["active", "shadowed", "shadowed"],
    ])
  })
})
