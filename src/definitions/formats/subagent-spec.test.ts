import fs from "node:fs"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { rounds } from "../../../test/rounds.ts"
import { type Agent, type AgentInput, defineAgent, trimBody } from "../../agent/agent.ts"
import { diagnose } from "./problem.ts"
import { readAgent } from "./read-agent.ts"
import { subagentSpec } from "./subagent-spec.ts"
import { writeAgent } from "./write.ts"

const read = (text: string, file = "spec.md") => readAgent(subagentSpec, { path: file, text })
const specOf = (yaml: string) => read(`---\nname: abc\ndescription: d\n${yaml}\n---\nBody.`)
const agentOf = (yaml: string) => specOf(yaml).agent!

/** The findings of a file, each with the place it is shown at. */
function findingsIn(yaml: string): readonly string[] {
  const text = `---\nname: abc\ndescription: d\n${yaml}\n---\nBody.`
  const { locate, problems } = read(text)
  return diagnose(undefined, text, locate, problems).map(
    ({ severity, message, range: { start } }) => `${start.line}:${start.column} ${severity}: ${message}`,
  )
}

function withoutOrigin({ origin: _, ...agent }: Agent) {
  return agent
}

test("markdown, YAML and JSON of one spec are one agent", () => {
  const folder = path.join(import.meta.dirname, "fixtures/subagent-spec")
  const agents = fs.readdirSync(folder).map((file) => {
    const { agent, problems } = read(fs.readFileSync(path.join(folder, file), "utf8"), file)
    expect(problems).toEqual([])
    return withoutOrigin(agent!)
  })
  expect(agents).toHaveLength(3)
  for (const agent of agents) expect(agent).toEqual(agents[0])
})

describe("model", () => {
  test.each([
    ["left out: the mode of its caller", "", undefined],
    ["null: the default preset", "model: null", null],
    ["inherit", "model: inherit", "inherit"],
    ["a preset", "model: anthropic", "anthropic"],
    ["blank: not said", "model: ''", undefined],
    [
      "an object in our words",
      "model: {provider: p, model: m, endpoint: https://e, parameters: {a: 1}}",
      { provider: "p", model: "m", endpoint: "https://e", parameters: { a: 1 } },
    ],
    [
      "an object in the words of LLMConfig",
      "model: {driver: openai, model: m, apiUrl: https://e/v1, maxTokens: 100, options: {a: 1}}",
      { provider: "openai", model: "m", endpoint: "https://e/v1", parameters: { max_tokens: 100, a: 1 } },
    ],
    [
      "what LLMConfig writes out unset is not said",
      "model: {driver: '', model: m, apiUrl: '', options: null}",
      { model: "m" },
    ],
    ["under its later name", "llmConfig: {driver: openai}", { provider: "openai" }],
    ["whose null says nothing", "llmConfig: null\nmodel: anthropic", "anthropic"],
  ])("%s", (_, yaml, model) => {
    expect(agentOf(yaml).model).toEqual(model)
    expect(findingsIn(yaml)).toEqual([])
  })

  test("of the two names the later one wins, wherever it stands, and that is said", () => {
    const yaml = "llmConfig: later\nmodel: earlier"
    expect(agentOf(yaml).model).toBe("later")
    expect(findingsIn(yaml)).toEqual([expect.stringMatching(/^5:1 warning.*llmConfig/)])
  })

  test("an API key is not read, not kept and not written", () => {
    const yaml = "model: {model: m, apiKey: sk-secret}"
    const agent = agentOf(yaml)
    expect(JSON.stringify(agent) + writeAgent(subagentSpec, agent, "spec.md").text).not.toContain("sk-secret")
    expect(findingsIn(yaml)).toEqual([expect.stringMatching(/^4:19 warning: `model\.apiKey`.*secret/)])
  })

  test("what has no place here is kept, and written back", () => {
    const agent = agentOf("model: {model: m, endpoint: /chat/completions, contextLength: 8000}")
    expect(agent).toMatchObject({
      model: { model: "m" },
      extensions: { "subagent-spec": { llmConfig: { contextLength: 8000, endpoint: "/chat/completions" } } },
    })
    const { text, losses } = writeAgent(subagentSpec, agent, "spec.md")
    expect(losses).toEqual([])
    expect(withoutOrigin(read(text).agent!)).toEqual(withoutOrigin(agent))
  })

  test.each([
    [
      "model: {provider: 5}",
      expect.stringMatching(/^4:8 error: Invalid.*field: `model\.provider`.*non-empty/),
    ],
    [
      "llmConfig: {options: x}",
      expect.stringMatching(/^4:12 error: Invalid 'llmConfig' field.*keys.*values/),
    ],
  ])("%s", (yaml, finding) => {
    expect(findingsIn(yaml)).toEqual([finding])
  })
})

describe("lists", () => {
  test.each([
    ["left out", "", { mode: "inherit", allow: [] }],
    ["null", "tools: null", { mode: "inherit", allow: [] }],
    ["an empty list", "tools: []", { mode: "list", allow: [] }],
    ["an empty text", "tools: ''", { mode: "list", allow: [] }],
    ["commas", "tools: a, b", { mode: "list", allow: ["a", "b"] }],
    [
      "blanks and repetitions, which are dropped",
      "tools: [a, ' ', a, b]",
      { mode: "list", allow: ["a", "b"] },
    ],
  ])("tools, %s", (_, yaml, tools) => {
    const agent = agentOf(yaml)
    expect(agent.tools).toEqual({ ...tools, deny: [] })
    for (const file of ["spec.md", "spec.yaml", "spec.json"])
      expect(read(writeAgent(subagentSpec, agent, file).text, file).agent?.tools).toEqual(agent.tools)
  })

  test("skills keep their order, and null is none", () => {
    expect(agentOf("skills: b, a, b").skills).toEqual(["b", "a"])
    expect(agentOf("skills: null").skills).toBeUndefined()
  })
})

describe("label", () => {
  test.each([
    ["label: Reviewer", "Reviewer"],
    ["title: Reviewer", "Reviewer"],
    ["label: abc", undefined],
    ["label: ''", undefined],
  ])("%s", (yaml, label) => {
    expect(agentOf(yaml).label).toBe(label)
  })
})

describe("what a run may consume", () => {
  test("becomes limits", () => {
    expect(agentOf("budget: {maxSteps: 3, maxTokens: 100, maxSeconds: 1.001, maxCost: 0.5}").limits).toEqual({
      maxTurns: 3,
      maxTokens: 100,
      timeout: 1_001,
      maxCost: 0.5,
    })
    expect(agentOf("budget: {maxSteps: null}").limits).toEqual({})
    expect(agentOf("budget:").limits).toEqual({})
  })

  test.each([
    ["budget: {maxSteps: 0}", expect.stringMatching(/^4:20 error: `budget\.maxSteps`.*0.*unlimited/)],
    ["budget: {maxCost: -1}", expect.stringMatching(/^4:19 error: `budget\.maxCost`.*-1.*unlimited/)],
    [
      "budget: {maxStep: 3}",
      '4:10 error: Unknown limit `budget.maxStep`: it would limit nothing. Did you mean "maxSteps"? Known: maxCost, maxSeconds, maxSteps, maxTokens.',
    ],
    ["budget: {deadline: 2026-01-01}", expect.stringMatching(/^4:10 warning.*maxSeconds/)],
  ])("%s", (yaml, finding) => {
    expect(findingsIn(yaml)).toEqual([finding])
  })

  test("a deadline is kept beside the limits, and written back", () => {
    const agent = agentOf("budget: {maxSteps: 3, deadline: 2026-01-01}")
    const { text, losses } = writeAgent(subagentSpec, agent, "spec.json")
    expect(losses).toEqual([])
    expect(text).toContain('"budget": {\n    "maxSteps": 3,\n    "deadline": "2026-01-01"\n  }')
  })
})

describe("writing", () => {
  const word = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .map((text) => text.trim())
    .filter(Boolean)
  /** A path would be a script. */
  const toolName = word.filter((text) => !/^\.{0,2}[/\\]/.test(text))
  // JSON has no negative zero.
  const json = fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value)))
  const binding = fc.record(
    {
      provider: word,
      model: word,
      endpoint: fc.webUrl(),
      parameters: fc.dictionary(word, json, { maxKeys: 3 }),
    },
    { requiredKeys: ["model"] },
  )
  const sayable = fc
    .record(
      {
        name: fc.stringMatching(/^[a-z][a-z0-9-]{0,40}$/),
        label: word.map((text) => `The ${text}`),
        description: word,
        instructions: fc
          .string({ unit: "binary" })
          .map((text) => trimBody(text.replaceAll("\0", "")).instructions)
          .filter((text) => text.trim() !== ""),
        model: fc.oneof(word, binding, fc.constant(null)),
        tools: fc.uniqueArray(toolName, { maxLength: 4 }),
        disallowedTools: fc.uniqueArray(toolName, { maxLength: 4 }),
        skills: fc.uniqueArray(word, { maxLength: 4 }),
        limits: fc.record(
          {
            maxTurns: fc.integer({ min: 1, max: 1_000 }),
            maxTokens: fc.integer({ min: 1, max: 1_000_000 }),
            timeout: fc.integer({ min: 1, max: 10_000_000 }),
            maxCost: fc.integer({ min: 1, max: 10_000 }).map((cents) => cents / 100),
          },
          { requiredKeys: [] },
        ),
        metadata: fc.dictionary(word, json, { maxKeys: 3 }),
      },
      { requiredKeys: ["name", "description", "instructions"] },
    )
    .map((input) => defineAgent(input as AgentInput))

  test.each(["spec.md", "spec.yaml", "spec.json"])("whatever it can say comes back equal from %s", (file) => {
    fc.assert(
      fc.property(sayable, (agent) => {
        const { text, losses } = writeAgent(subagentSpec, agent, file)
        expect(losses).toEqual([])
        expect(withoutOrigin(read(text, file).agent!)).toEqual(withoutOrigin(agent))
      }),
      { numRuns: rounds(300) },
    )
  })
})
