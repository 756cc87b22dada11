/** Which tools a child of instructor-php's kind (003) has of its parent's, however its definition is written. */
import { describe, expect, test } from "vitest"
import { parseJson, parseMarkdown } from "../../src/files.ts"
import {
  type Agent,
  createRuntime,
  defineAgent,
  defineTool,
  memoryStore,
  scriptedModel,
} from "../../src/index.ts"
import { markdown } from "./kit.ts"

describe("003 row 2: null is all of the parent's, and [] is none", () => {
  const written = (yaml: string, json: object): readonly (readonly [string, () => Agent])[] => [
    ["markdown", () => parseMarkdown(markdown(`name: child\ndescription: d\n${yaml}`))],
    [
      "JSON",
      () => parseJson(JSON.stringify({ name: "child", description: "d", systemPrompt: "x", ...json })),
    ],
    ["code", () => defineAgent({ name: "child", instructions: "x", ...json })],
  ]
  const ways: readonly (readonly [string, string, object, readonly string[]])[] = [
    ["left out", "label: x", {}, ["Read", "Grep"]],
    ["null", "tools: null", { tools: null }, ["Read", "Grep"]],
    ["nothing but the key", "tools:", { tools: null }, ["Read", "Grep"]],
    ["an empty list", "tools: []", { tools: [] }, []],
    ["an empty text", "tools: ''", { tools: "" }, []],
    ["more than the parent has", "tools: Read, Bash", { tools: ["Read", "Bash"] }, ["Read"]],
  ]
  test.each(
    ways.flatMap(([what, yaml, json, tools]) =>
      written(yaml, json).map(([how, child]) => [what, how, child, tools] as const),
    ),
  )("%s, in %s", async (_what, _how, child, tools) => {
    const parent = { name: "parent", instructions: "x", tools: ["Read", "Grep", "Agent(child)"] }
    const runtime = createRuntime({
      agents: [defineAgent(parent), child()],
      store: memoryStore(),
      delegation: "narrow",
      tools: ["Read", "Grep", "Bash"].map((name) =>
        defineTool({
          name,
          description: name,
          effect: "read",
          input: { type: "object" },
          execute: () => name,
        }),
      ),
      models: {
        m: scriptedModel({
          parent: [{ calls: [{ tool: "Agent", input: { agent: "child", prompt: "x" } }] }, { text: "done" }],
          child: [{ text: "done" }],
        }),
      },
    })
    const { run } = await runtime.run("parent", "go").done
    const { proof } = await runtime.read(`${run}.1`)
    expect(proof.toolsOffered.filter((name) => !name.startsWith("A"))).toEqual(tools)
    await runtime.close()
  })
})
