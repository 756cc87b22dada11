import { describe, expect, test } from "vitest"
import { type Agent, type AgentInput, defineAgent } from "../../agent/agent.ts"
import { acai } from "./acai.ts"
import { cadre } from "./cadre.ts"
import { claude } from "./claude.ts"
import { codexMarkdown } from "./codex-md.ts"
import type { Format } from "./format.ts"
import { readAgent } from "./read-agent.ts"
import { subagentSpec } from "./subagent-spec.ts"

const reviewer: AgentInput = {
  name: "reviewer",
  description: "Reviews diffs: style and security",
  instructions: "You review code.\n\n    Keep to the point.\n",
}
const body = "\nYou review code.\n\n    Keep to the point.\n"
/** The defaults of every acai file. */
const acaiDefaults = {
  limits: { timeout: 300_000 },
  template: { task: "append" },
  context: { environment: true },
} as const
const front = 'name: reviewer\ndescription: "Reviews diffs: style and security"\n'

const cases: readonly (readonly [string, Format, string, AgentInput])[] = [
  ["the least it can say", cadre, front, reviewer],
  ["the least it can say", claude, front, reviewer],
  ["the least it can say", codexMarkdown, front, reviewer],
  ["the least it can say", acai, front, { ...reviewer, ...acaiDefaults }],
  ["the least it can say", subagentSpec, front, reviewer],
  [
    "no description",
    codexMarkdown,
    "name: reviewer",
    { name: reviewer.name, instructions: reviewer.instructions },
  ],
  ...[cadre, claude, codexMarkdown, acai, subagentSpec].flatMap((format) => {
    const given = { ...reviewer, ...(format === acai && acaiDefaults) }
    return [
      ["tools", format, `${front}tools: [Read, Grep]`, { ...given, tools: ["Read", "Grep"] }],
      ["tools with commas", format, `${front}tools: Read, Grep`, { ...given, tools: "Read, Grep" }],
      ["no tools", format, `${front}tools: []`, { ...given, tools: [] }],
      ["a model", format, `${front}model: sonnet`, { ...given, model: "sonnet" }],
    ] as const
  }),
  [
    "a binding",
    cadre,
    `${front}model: {provider: p, model: m, parameters: {temperature: 0.1}}`,
    { ...reviewer, model: { provider: "p", model: "m", parameters: { temperature: 0.1 } } },
  ],
  [
    "a binding",
    codexMarkdown,
    `${front}model_config: {provider: p, model: m, parameters: {temperature: 0.1}}`,
    { ...reviewer, model: { provider: "p", model: "m", parameters: { temperature: 0.1 } } },
  ],
  [
    "a binding",
    subagentSpec,
    `${front}model: {provider: p, model: m, parameters: {temperature: 0.1}}`,
    { ...reviewer, model: { provider: "p", model: "m", parameters: { temperature: 0.1 } } },
  ],
  ["the default model", cadre, `${front}model: null`, { ...reviewer, model: null }],
  ["the default model", subagentSpec, `${front}model: null`, { ...reviewer, model: null }],
  ["keywords", cadre, `${front}keywords: [a]`, { ...reviewer, keywords: ["a"] }],
  ["keywords", codexMarkdown, `${front}keywords: [a]`, { ...reviewer, keywords: ["a"] }],
  ["skills", cadre, `${front}skills: b, a`, { ...reviewer, skills: ["b", "a"] }],
  ["skills", claude, `${front}skills: b, a`, { ...reviewer, skills: ["b", "a"] }],
  ["skills", subagentSpec, `${front}skills: b, a`, { ...reviewer, skills: ["b", "a"] }],
  ["tools taken away", cadre, `${front}disallowedTools: [Bash]`, { ...reviewer, disallowedTools: ["Bash"] }],
  ["tools taken away", claude, `${front}disallowedTools: [Bash]`, { ...reviewer, disallowedTools: ["Bash"] }],
  ["tools taken away", subagentSpec, `${front}toolsDeny: [Bash]`, { ...reviewer, disallowedTools: ["Bash"] }],
  [
    "limits",
    cadre,
    `${front}limits: {timeout: 60s, maxTurns: 5}`,
    { ...reviewer, limits: { timeout: 60_000, maxTurns: 5 } },
  ],
  ["limits", claude, `${front}maxTurns: 5`, { ...reviewer, limits: { maxTurns: 5 } }],
  ["limits", acai, `${front}timeout: 60`, { ...reviewer, ...acaiDefaults, limits: { timeout: 60_000 } }],
  [
    "limits",
    subagentSpec,
    `${front}budget: {maxSeconds: 60, maxSteps: 5}`,
    { ...reviewer, limits: { timeout: 60_000, maxTurns: 5 } },
  ],
]

describe("a definition in code and an equivalent file are the same agent in all but their origin", () => {
  test.each(cases.map(([what, format, yaml, input]) => [format.id, what, format, yaml, input] as const))(
    "%s: %s",
    (_, __, format, yaml, input) => {
      const text = `---\n${yaml.trim()}\n---\n${body}`
      const { agent, problems } = readAgent(format, { path: "reviewer.md", text })
      expect(problems).toEqual([])
      expect(withoutOrigin(agent!)).toStrictEqual(withoutOrigin(defineAgent(input)))
    },
  )
})

function withoutOrigin({ origin: _, ...agent }: Agent) {
  return agent
}
