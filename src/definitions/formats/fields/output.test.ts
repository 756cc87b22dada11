import { describe, expect, test } from "vitest"
import { defineAgent } from "../../../agent/agent.ts"
import { acai } from "../acai.ts"
import { claude } from "../claude.ts"
import { codexMarkdown } from "../codex-md.ts"
import type { Format } from "../format.ts"
import { gobby } from "../gobby.ts"
import { readAgent } from "../read-agent.ts"
import { subagentSpec } from "../subagent-spec.ts"
import { writeAgent } from "../write.ts"

const schema = { type: "object", properties: { verdict: { type: "string" } }, required: ["verdict"] }

describe.each<[string, Format, string]>([
  ["claude", claude, "reviewer.md"],
  ["codex-md", codexMarkdown, "reviewer.md"],
  ["acai", acai, "reviewer.md"],
  ["gobby", gobby, "reviewer.yaml"],
  ["subagent-spec", subagentSpec, "reviewer.md"],
])("output in a file of %s", (id, format, path) => {
  const front = (output: unknown) =>
    `name: reviewer\ndescription: Reviews.\noutput: ${JSON.stringify(output)}\n`
  const read = (output: unknown) => {
    const text = path.endsWith(".md")
      ? `---\n${front(output)}---\n\nReview it.\n`
      : `${front(output)}instructions: Review it.\n`
    return readAgent(format, { path, text })
  }

  test("is the schema of the agent's result, and comes back when the file is written", () => {
    const { agent, problems } = read(schema)
    expect([agent!.result, problems]).toEqual([schema, []])
    const { text, losses } = writeAgent(format, agent!, path)
    expect([readAgent(format, { path, text }).agent!.result, losses]).toEqual([schema, []])
  })

  test.each([
    ["a text of somebody else's", "markdown"],
    ["a map of somebody else's", { format: "markdown" }],
  ])("that is %s is kept and has no effect", (_, output) => {
    const { agent, problems } = read(output)
    expect([agent!.result, agent!.extensions?.[id]?.output]).toEqual([undefined, output])
    expect(problems.map(({ code, severity }) => [code, severity])).toEqual([["key-unknown", "info"]])
    const { text } = writeAgent(format, agent!, path)
    expect(readAgent(format, { path, text }).agent!.extensions?.[id]?.output).toEqual(output)
  })

  test("that is a broken schema is an error", () => {
    const { problems } = read({ type: "object", properties: 5 })
    expect(problems.map(({ code, severity }) => [code, severity])).toEqual([["field-type", "error"]])
  })

  test("is not written for an agent of another format: that host would not heed it, and the loss is told", () => {
    const agent = defineAgent({
      name: "reviewer",
      description: "Reviews.",
      instructions: "Review it.",
      result: schema,
    })
    const { text, losses } = writeAgent(format, agent, path)
    expect(text).not.toContain("verdict")
    expect(losses.map(({ field }) => field)).toContain("result")
  })
})
