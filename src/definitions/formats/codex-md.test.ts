import fs from "node:fs"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { type Agent, type AgentInput, defineAgent, trimBody } from "../../agent/agent.ts"
import { codexMarkdown } from "./codex-md.ts"
import { diagnose } from "./problem.ts"
import { readAgent } from "./read-agent.ts"
import { writeAgent } from "./write.ts"

const file = ".codex/agents/any-name.md"
const read = (text: string) => readAgent(codexMarkdown, { path: file, text })

/** The findings of a file, each with the place it is shown at. */
function findings(text: string): readonly string[] {
  const { locate, problems } = read(text)
  return diagnose(file, text, locate, problems).map(
    ({ severity, message, range: { start, end } }) =>
      `${start.line}:${start.column}-${end.line}:${end.column} ${severity}: ${message}`,
  )
}

const findingsIn = (yaml: string) => findings(`---\n${yaml}\n---\nBody.`)
const agentOf = (yaml: string) => read(`---\nname: abc\n${yaml}\n---\nBody.`).agent!

function withoutOrigin({ origin: _, ...agent }: Agent) {
  return agent
}

describe("what Codex says about a file is said here in the same words", () => {
  const invalidName = (name: string) =>
    `invalid agent name \`${name}\`: name must start with a lowercase letter, include only lowercase letters, digits, hyphen, or underscore, and be 3-64 characters long`

  test.each([
    [
      "no front matter",
      "Just text.",
      expect.stringMatching(/^1:1-1:1 error: no YAML frontmatter block found.*begin.*keys/),
    ],
    [
      "an empty file",
      "",
      expect.stringMatching(/^1:1-1:1 error: no YAML frontmatter block found.*empty.*defines/),
    ],
    [
      "front matter that is never closed",
      "---\nname: abc\n",
      expect.stringMatching(/^2:1-2:1 error: no YAML frontmatter block found.*frontmatter.*closed/),
    ],
    [
      "front matter in another language",
      "---js\nname: abc\n---\nBody.",
      expect.stringMatching(/^1:1-1:6 error: no YAML frontmatter block found.*"js".*readers/),
    ],
    [
      "no body",
      "---\nname: abc\n---",
      expect.stringMatching(/^3:4-3:4 error: missing required field: instructions.*frontmatter.*system/),
    ],
    [
      "a blank body",
      "---\nname: abc\n---\n \n\n",
      expect.stringMatching(/^4:1-4:1 error: missing required field: instructions.*frontmatter.*system/),
    ],
  ])("%s", (_, text, finding) => {
    expect(findings(text)).toEqual([finding])
    expect(read(text).agent).toBeUndefined()
  })

  test.each([
    [
      "no name",
      "description: x",
      expect.stringMatching(/^2:1-2:1 error: missing required field: name.*file.*matter/),
    ],
    [
      "a name without a value",
      "name:",
      expect.stringMatching(/^2:1-2:5 error: missing required field: name.*file.*matter/),
    ],
    ["a short name", "name: ab", `2:7-2:9 error: ${invalidName("ab")}`],
    ["a long name", `name: ${"a".repeat(65)}`, `2:7-2:72 error: ${invalidName("a".repeat(65))}`],
    ["an upper-case name", "name: Abc", `2:7-2:10 error: ${invalidName("Abc")}`],
    ["a name that begins with a digit", "name: 1abc", `2:7-2:11 error: ${invalidName("1abc")}`],
    [
      "a name that could be a path",
      "name: ../abc",
      naming(`2:7-2:13 error: ${invalidName("../abc")}`, "printable"),
    ],
    [
      "a blank provider",
      'name: abc\nmodel_config:\n  provider: "   "',
      expect.stringMatching(/^4:13-4:18 error: model_config\.provider/),
    ],
    [
      "a blank endpoint",
      "name: abc\nmodel_config:\n  endpoint: ''",
      expect.stringMatching(/^4:13-4:15 error: model_config\.endpoint/),
    ],
    [
      "a blank model",
      "name: abc\nmodel_config: {model: ''}",
      expect.stringMatching(/^3:23-3:25 error: model_config\.model/),
    ],
    [
      "a blank parameter",
      "name: abc\nmodel_config:\n  parameters: {' ': 1}",
      expect.stringMatching(/^4:15-4:23 error.*non-empty/),
    ],
    [
      "two models",
      "name: abc\nmodel: gpt-4\nmodel_config:\n  model: gpt-4o",
      "5:10-5:16 error: model `gpt-4` conflicts with model_config.model `gpt-4o`. Remove one of the two.",
    ],
    ["a blank tool", "name: abc\ntools: [a, ' ']", expect.stringMatching(/^3:12-3:15 error: tools/)],
    ["a blank keyword", "name: abc\nkeywords: ['', b]", expect.stringMatching(/^3:12-3:14 error: keywords/)],
    [
      "a tool twice",
      "name: abc\ntools: [a, b, ' a']",
      "3:15-3:19 error: duplicate tool entry `a`. Remove one of the two.",
    ],
    [
      "a keyword twice",
      "name: abc\nkeywords:\n  - b\n  - b",
      "5:5-5:6 error: duplicate keyword entry `b`. Remove one of the two.",
    ],
    [
      "a name that is a number",
      "name: 123",
      "2:7-2:10 error: failed to parse YAML frontmatter: `name` must be text; put 123 in quotes, but it is 123.",
    ],
    [
      "tools that are numbers",
      "name: abc\ntools: [1]",
      expect.stringMatching(
        /^3:8-3:11 error: failed to parse YAML frontmatter: `tools`.*list.*put 1 in quotes.*\[1\].?$/,
      ),
    ],
    [
      "a model_config that is a text",
      "name: abc\nmodel_config: gpt-4o",
      '3:15-3:21 error: failed to parse YAML frontmatter: `model_config` must be keys and values, or null, but it is "gpt-4o".',
    ],
    [
      "a provider that is a number",
      "name: abc\nmodel_config: {provider: 5}",
      expect.stringMatching(
        /^3:26-3:27 error: failed to parse YAML frontmatter: `model_config\.provider`.*text.*5.?$/,
      ),
    ],
    [
      "parameters that are a list",
      "name: abc\nmodel_config: {parameters: [1]}",
      expect.stringMatching(/^3:28-3:31 error: failed to parse YAML frontmatter.*keys.*values.*\[1\].?$/),
    ],
    [
      "a list in place of keys",
      "- abc",
      expect.stringMatching(/^2:1-3:1 error: failed to parse YAML frontmatter.*Expected.*a list.?$/),
    ],
    [
      "a key twice",
      "name: abc\nname: abd",
      expect.stringMatching(/^3:1-3:5 error: failed to parse YAML frontmatter.*twice.*unclear/),
    ],
    [
      "YAML that does not read and cannot be mended",
      "@abc\nname: abc",
      expect.stringMatching(
        /^2:1-2:1 error: failed to parse YAML frontmatter.*end of the stream or a document separator is expected.*contains.*quotes/,
      ),
    ],
    [
      "YAML that only reads once it is mended",
      "name: abc\ndescription: Use it when: asked",
      expect.stringMatching(
        /^3:1-4:1 warning: failed to parse YAML frontmatter.*\(bad indentation of a mapping entry\).*silently/,
      ),
    ],
  ])("%s", (_, yaml, finding) => {
    expect(findingsIn(yaml)).toEqual([finding])
  })

  test("names of 3 and of 64 characters are allowed", () => {
    for (const name of ["a-1", "a_".repeat(32)]) expect(findingsIn(`name: ${name}`)).toEqual([])
  })

  test("everything that is wrong is reported at once, and the agent is still there to be listed", () => {
    const text = "---\nname: AB\ntools: [a, a]\nmodel_config: {provider: ''}\n---\nBody."
    expect(findings(text)).toHaveLength(3)
    expect(read(text).agent).toMatchObject({ name: "AB", tools: { mode: "list", allow: ["a"] } })
  })
})

describe("model and model_config are one choice", () => {
  test.each([
    ["neither", "", undefined],
    ["model alone is a name without a provider", "model: gpt-5", "gpt-5"],
    ["white space around it does not count", "model: '  gpt-5 '", "gpt-5"],
    ["a blank model is none", "model: '  '", undefined],
    ["model_config.model alone is the model shown", "model_config: {model: ' gpt-4o '}", "gpt-4o"],
    ["both, when they agree", "model: gpt-4o\nmodel_config: {model: gpt-4o}", "gpt-4o"],
    [
      "model fills in model_config, wherever it stands",
      "model_config: {provider: p}\nmodel: m",
      { provider: "p", model: "m" },
    ],
    ["a provider alone keeps the model of the caller", "model_config: {provider: ' p '}", { provider: "p" }],
    [
      "an endpoint alone",
      "model_config: {endpoint: http://localhost/v1}",
      { endpoint: "http://localhost/v1" },
    ],
    [
      "parameters are any JSON, and their keys are trimmed",
      "model_config: {model: m, parameters: {' temperature ': 0.1, stop: [a, null]}}",
      { model: "m", parameters: { temperature: 0.1, stop: ["a", null] } },
    ],
    ["empty parameters say nothing", "model: m\nmodel_config: {parameters: {}}", "m"],
    [
      "keys without values say nothing",
      "model:\nmodel_config: {provider: , model: , endpoint: , parameters: }",
      undefined,
    ],
    ["an empty model_config says nothing", "model_config:", undefined],
  ])("%s", (_, yaml, model) => {
    expect(agentOf(yaml).model).toEqual(model)
    expect(findingsIn(`name: abc\n${yaml}`)).toEqual([])
  })

  test.each(["model", "messages", "tools", "stream"])("a parameter may not set %s", (key) => {
    expect(findingsIn(`name: abc\nmodel_config:\n  parameters:\n    ${key}: x`)).toEqual([
      naming(`5:5-5:${5 + key.length} warning: \`model_config.parameters.${key}\``, "messages", "stream"),
    ])
  })
})

describe("lists", () => {
  test("decided against Codex: an empty tool list grants nothing, and survives being written", () => {
    const agent = agentOf("tools: []")
    expect(agent.tools).toEqual({ mode: "list", allow: [], deny: [] })
    const { text, losses } = writeAgent(codexMarkdown, agent, file)
    expect({ losses, tools: read(text).agent?.tools }).toEqual({ losses: [], tools: agent.tools })
    expect(agentOf("").tools).toEqual({ mode: "inherit", allow: [], deny: [] })
  })

  test("decided against Codex: names with commas are a list, as in every format", () => {
    expect(agentOf("tools: apply_patch, shell\nkeywords: a, b")).toMatchObject({
      tools: { mode: "list", allow: ["apply_patch", "shell"] },
      keywords: ["a", "b"],
    })
  })

  test("decided against Codex: a tool list that cannot be read, or has no value, grants nothing", () => {
    for (const yaml of ["tools:", "tools: {a: b}", "tools: 5"])
      expect(agentOf(yaml).tools).toEqual({ mode: "list", allow: [], deny: [] })
  })

  test("duplicates are told apart by case", () => {
    expect(agentOf("tools: [Read, read]").tools.allow).toEqual(["Read", "read"])
  })
})

describe("what Codex does not know", () => {
  test("keys are kept, at the top and below model_config, and written back", () => {
    const agent = agentOf("owner: {team: docs}\nmodel_config: {provider: p, region: eu}")
    expect(agent.extensions).toEqual({
      "codex-md": { owner: { team: "docs" }, model_config: { region: "eu" } },
    })
    const { text, losses } = writeAgent(codexMarkdown, agent, file)
    expect(losses).toEqual([])
    expect(withoutOrigin(read(text).agent!)).toEqual(withoutOrigin(agent))
  })

  test("they are told, more loudly where they were meant for the model", () => {
    expect(findingsIn("name: abc\nowner: docs\nmodel_config:\n  temperature: 1")).toEqual([
      expect.stringMatching(/^3:1-3:6 info: `owner`.*Codex.*markdown/),
      expect.stringMatching(/^5:3-5:14 warning: `model_config\.temperature`.*Codex.*markdown/),
    ])
  })

  test.each([
    ["timeout: 60", "timeout"],
    ["max_turns: 3", "max_turns"],
    ["limits: {maxCost: 1}", "limits"],
  ])("a limit is ignored, as every other key is, with a warning: %s", (yaml, key) => {
    const text = `---\nname: abc\n${yaml}\n---\nBody.`
    expect([findings(text), read(text).agent?.limits]).toEqual([
      [naming(`3:1-3:${1 + key.length} warning: \`${key}\``, "Codex", "markdown", "the configuration")],
      {},
    ])
  })

  test("decided against Codex: a key that would take rights away is an error, since nobody would hear it", () => {
    expect(findingsIn("name: abc\nsandbox: read-only")).toEqual([
      expect.stringMatching(/^3:1-3:8 error: `sandbox`.*markdown.*rights/),
    ])
  })
})

describe("files", () => {
  const folder = path.join(import.meta.dirname, "fixtures/codex-md")
  const fixtures: Readonly<Record<string, AgentInput>> = {
    "reviewer.md": {
      name: "reviewer",
      description: "Reviews diffs: style, security and missing tests",
      instructions:
        "You are a meticulous reviewer. Read every change before you judge one.\n\n## Report\n\n1. What breaks, with file and line.\n2. What to do about it.",
      model: {
        provider: "openai",
        model: "gpt-4o",
        endpoint: "https://proxy.example.dev/v1",
        parameters: { temperature: 0.1, stop: ["END"] },
      },
      tools: ["apply_patch", "git_diff"],
      keywords: ["review", "diff", "lint"],
    },
    "bug-hunter.md": {
      name: "bug_hunter-2",
      description: "Finds logic errors and edge cases",
      instructions:
        "Look for broken invariants and missing error handling.\nSay why each finding matters, and how to mend it.",
      model: { provider: "oss", model: "stable-code:3b", endpoint: "http://localhost:11434/v1" },
      tools: [],
      keywords: ["bug", "regression"],
    },
    "translator.md": {
      name: "translator",
      instructions: "Translate what you are given. Keep code as it is.",
      model: "gpt-5-codex",
      extensions: { "codex-md": { owner: "docs team" } },
    },
  }

  test("every fixture is looked at", () => {
    expect(fs.readdirSync(folder).sort()).toEqual(Object.keys(fixtures).sort())
  })

  test("files that end in .markdown are read the same way", () => {
    expect(codexMarkdown.locations.extensions).toEqual([".md", ".markdown"])
    const text = fs.readFileSync(path.join(folder, "reviewer.md"), "utf8")
    const { agent } = readAgent(codexMarkdown, { path: "reviewer.markdown", text })
    expect(withoutOrigin(agent!)).toEqual(withoutOrigin(defineAgent(fixtures["reviewer.md"]!)))
  })

  const variants: readonly (readonly [string, (text: string) => string])[] = [
    ["as it is", (text) => text],
    ["with Windows line ends", (text) => text.replaceAll("\n", "\r\n")],
    ["with a byte order mark", (text) => `\ufeff${text}`],
    ["without a final line end", (text) => text.trimEnd()],
  ]
  test.each(
    Object.entries(fixtures).flatMap(([name, input]) =>
      variants.map(([how, vary]) => [name, how, vary, input] as const),
    ),
  )("%s %s", (name, _, vary, input) => {
    const text = vary(fs.readFileSync(path.join(folder, name), "utf8"))
    const { agent, problems } = readAgent(codexMarkdown, { path: path.join(folder, name), text })
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([])
    const unixLines = { ...agent!, instructions: agent!.instructions.replaceAll("\r\n", "\n") }
    expect(withoutOrigin(unixLines)).toEqual(withoutOrigin(defineAgent(input)))
    const body = text.slice(text.search(/\n---\r?\n/) + 1).replace(/^---\r?\n/, "")
    expect(writeAgent(codexMarkdown, agent!, name).text.endsWith(`---\n${body}`)).toBe(true)
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
  const binding = fc
    .record(
      {
        provider: word,
        model: word,
        endpoint: word,
        parameters: fc.dictionary(word, json, { minKeys: 1, maxKeys: 3 }),
      },
      { requiredKeys: [] },
    )
    // A model and nothing else is a name.
    .filter(({ provider, endpoint, parameters }) => Boolean(provider ?? endpoint ?? parameters))
  const sayable = fc
    .record(
      {
        name: fc.stringMatching(/^[a-z][a-z0-9_-]{2,63}$/),
        description: word,
        instructions: fc
          .string({ unit: "binary" })
          .map((text) => trimBody(text.replaceAll("\0", "")).instructions)
          .filter((text) => text.trim() !== ""),
        model: fc.oneof(word, binding),
        tools: fc.uniqueArray(toolName, { maxLength: 4 }),
        keywords: fc.uniqueArray(word, { maxLength: 4 }),
        extensions: fc
          .dictionary(fc.stringMatching(/^zzz_[a-z]{1,6}$/), json, { minKeys: 1, maxKeys: 2 })
          .map((unknown) => ({ "codex-md": unknown })),
      },
      { requiredKeys: ["name", "instructions"] },
    )
    .map((input) => ({ ...defineAgent(input as AgentInput), origin: { format: "codex-md" } }))

  test("whatever the format can say comes back equal", () => {
    fc.assert(
      fc.property(sayable, (agent) => {
        const { text, losses } = writeAgent(codexMarkdown, agent, file)
        expect(losses).toEqual([])
        expect(withoutOrigin(read(text).agent!)).toEqual(withoutOrigin(agent))
      }),
      { numRuns: 500 },
    )
  })

  test("what it cannot say is listed", () => {
    const { losses } = writeAgent(codexMarkdown, everything, file)
    expect(losses.map(({ field }) => field).sort()).toEqual([
      "aliases",
      "background",
      "callVariables",
      "color",
      "context",
      "effort",
      "hidden",
      "hooks",
      "inheritVariables",
      "isolation",
      "label",
      "lifecycle",
      "limits.maxTurns",
      "limits.timeout",
      "mcpServers",
      "memory",
      "metadata",
      "model",
      "permissionMode",
      "postconditions",
      "result",
      "rules",
      "skills",
      "template",
      "toolDefinitions",
      "tools.deny",
      "variables.level",
      "workflow",
    ])
  })
})

const everything = defineAgent({
  name: "everything",
  label: "Everything",
  description: "Says all there is",
  keywords: ["all"],
  aliases: ["all"],
  color: "red",
  hidden: true,
  instructions: "Do it.",
  template: { task: "message" },
  skills: ["one"],
  context: { files: ["README.md"] },
  model: ["one", "two"],
  effort: "high",
  tools: ["Read"],
  disallowedTools: ["Bash"],
  toolDefinitions: [{ name: "count", description: "Counts", script: "count.sh" }],
  mcpServers: ["files"],
  rules: [{ tool: "Read", decision: "ask" }],
  limits: { timeout: 1_000, maxTurns: 2 },
  result: { type: "object" },
  postconditions: [{ command: "npm test" }],
  variables: { level: 1 },
  inheritVariables: ["level"],
  callVariables: ["level"],
  hooks: {},
  lifecycle: "strict",
  workflow: "release",
  permissionMode: "plan",
  isolation: "worktree",
  background: true,
  memory: "project",
  metadata: { team: "docs" },
})
