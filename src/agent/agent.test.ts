import { describe, expect, test } from "vitest"
import { naming } from "../../test/naming.ts"
import { CadreError } from "../ground/errors.ts"
import { type AgentInput, defineAgent } from "./agent.ts"

const least = { name: "aide", instructions: "Help." }

function refusal(input: object): { code: string; message: string } {
  try {
    defineAgent({ ...least, ...input } as AgentInput)
  } catch (error) {
    if (error instanceof CadreError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error("nothing was thrown")
}

describe("lists of tools are what files say", () => {
  test.each([
    ["Read, Grep ,,", ["Read", "Grep"]],
    [
      [" Read", "Grep ", "", "  "],
      ["Read", "Grep"],
    ],
    ["Agent(a, b), Read", ["Agent(a, b)", "Read"]],
    [["Agent(a, b)"], ["Agent(a, b)"]],
    ["", []],
    [[""], []],
  ])("%j", (given, names) => {
    expect(defineAgent({ ...least, tools: given, disallowedTools: given }).tools).toEqual({
      mode: "list",
      allow: names,
      deny: names,
    })
  })
})

test.each([
  [undefined, { mode: "inherit", allow: [], deny: [] }],
  [null, { mode: "inherit", allow: [], deny: [] }],
  [[], { mode: "list", allow: [], deny: [] }],
])("tools: %j is never taken for another", (tools, expected) => {
  expect(defineAgent({ ...least, ...(tools !== undefined && { tools }) }).tools).toEqual(expected)
})

describe("what is wrong is said at once", () => {
  test.each([
    [
      { tools: [5], disallowedTools: { Bash: true }, description: "" },
      {
        code: "AGENT_INVALID",
        message: expect.stringMatching(
          /^Agent "aide": Subagent description cannot be empty; "tools".*commas.*\[5\]; "disallowedTools".*\{"Bash":true\}.?$/,
        ),
      },
    ],
    [
      { limits: { maxTurns: 0, timeout: Number.NaN } },
      {
        code: "LIMIT_INVALID",
        message: expect.stringMatching(/^Agent "aide": maxTurns.*positive.*0.*NaN/),
      },
    ],
    [
      {
        description: " ",
        instructions: "",
        limits: { maxTurns: 1.5 },
        rules: [{ tool: "a", decision: "no" }],
      },
      {
        code: "AGENT_INVALID",
        message: expect.stringMatching(
          /^Agent "aide": Subagent description cannot be empty; Subagent system prompt cannot be empty.*a.*decision.*maxTurns.*1\.5.?$/,
        ),
      },
    ],
    [
      { model: ["sonnet", { provider: "openai", model: "gpt-5", apiKey: "secret-key-1" }] },
      {
        code: "AGENT_INVALID",
        message: expect.stringMatching(/^Agent "aide": "model\.apiKey".*endpoint.*createRuntime\(\{/),
      },
    ],
    [
      { context: { ruels: true, files: ["../up.md"] } },
      {
        code: "AGENT_INVALID",
        message: expect.stringMatching(
          /^Agent "aide": context\.ruels.*context.*"rules".*environment, files, fork, initialPrompt, rules; context\.files\.0.*inside.*the project.*"\.\.\/up\.md".?$/,
        ),
      },
    ],
    [
      { cache: { inputs: ["/etc"], inptus: [] } },
      {
        code: "AGENT_INVALID",
        message: expect.stringMatching(
          /^Agent "aide": cache\.inptus.*cache.*"inputs".*inputs; cache\.inputs\.0.*inside.*"\/etc".?$/,
        ),
      },
    ],
    [
      { context: ["README.md"] },
      {
        code: "AGENT_INVALID",
        message: expect.stringMatching(
          /^Agent "aide": context.*fork.*rules, environment, fork, files, initialPrompt.*\["README\.md"\].?$/,
        ),
      },
    ],
  ])("%j", (input, expected) => {
    expect(refusal(input)).toEqual(expected)
  })
})

describe("a key or a value that cannot be used", () => {
  test.each([
    [{ description: 3 }, expect.stringMatching(/^"description".*text.*3.?$/)],
    [{ skills: 5 }, expect.stringMatching(/skills.*list.*5.?$/)],
    [{ keywords: "x" }, expect.stringMatching(/^"keywords".*list.*"x".?$/)],
    [{ aliases: ["a", 5] }, expect.stringMatching(/^"aliases".*list.*\["a",5\].?$/)],
    [{ hidden: "yes" }, expect.stringMatching(/^"hidden".*true.*false.*"yes".?$/)],
    [{ background: 1 }, expect.stringMatching(/^"background".*true.*false.*1.?$/)],
    [{ permissionMode: 3 }, expect.stringMatching(/^"permissionMode".*text.*3.?$/)],
    [{ variables: [] }, expect.stringMatching(/^"variables".*object.*keys/)],
    [{ rules: "deny" }, '"rules" must be a list, but it is "deny".'],
    [{ rules: [null] }, expect.stringMatching(/decision.*null.?$/)],
    [{ metadata: { when: () => 1 } }, expect.stringMatching(/^"metadata".*cycle/)],
    [{ systemPrompt: "Help." }, expect.stringMatching(/^"systemPrompt".*agent.*"instructions".?$/)],
    [{ template: { tsk: "message" } }, expect.stringMatching(/^"template" has no key "tsk".*keys.*context/)],
    [{ keyword: ["x"] }, expect.stringMatching(/^"keyword".*agent.*"keywords".?$/)],
  ])("%j", (input, message) => {
    expect(refusal(input)).toEqual({ code: "AGENT_INVALID", message: naming('Agent "aide": ', message) })
  })

  test("limits that are no object", () => {
    expect(refusal({ limits: 5 })).toEqual({
      code: "LIMIT_INVALID",
      message: expect.stringMatching(/^Agent "aide".*maxTurns.*5.?$/),
    })
  })

  test.each([[undefined], [5], [null], ["aide"], [[]]])("%j in place of a definition", (input) => {
    expect(() => defineAgent(input as unknown as AgentInput)).toThrow(
      expect.objectContaining({
        code: "AGENT_INVALID",
        message: naming("object", "instructions", `${JSON.stringify(input)}`),
      }),
    )
  })
})

describe("a key that nobody reads and that would have narrowed the agent", () => {
  test.each([
    ["allowed_tools", ': did you mean "tools"?'],
    ["alowedTools", ': did you mean "tools"?'],
    ["denyTools", ': did you mean "disallowedTools"?'],
    ["permission_mode", ': did you mean "permissionMode"?'],
    ["sandbox", ': did you mean "isolation"?'],
    ["maxTurns", ': did you mean "limits.maxTurns"?'],
    ["timeout", ': did you mean "limits.timeout"?'],
    ["blocked_mcp_tools", ""],
  ])("%s", (key, hint) => {
    expect(refusal({ [key]: ["Read"] })).toEqual({
      code: "AGENT_INVALID",
      message: naming(`Agent "aide": "${key}"`, "intended", `${hint || "."}`),
    })
  })

  test("is no other key, and none that is undefined", () => {
    const input = {
      ...least,
      label: "Aide",
      toolDefinitions: [],
      permissionMode: "plan",
      isolation: "worktree",
      memory: "user",
      metadata: { tools: 1 },
      timeout: undefined,
    } as AgentInput
    expect(defineAgent(input)).toEqual({
      name: "aide",
      description: "",
      instructions: "Help.",
      label: "Aide",
      toolDefinitions: [],
      permissionMode: "plan",
      isolation: "worktree",
      memory: "user",
      metadata: { tools: 1 },
      tools: { mode: "inherit", allow: [], deny: [] },
      limits: {},
      rules: [],
      variables: {},
      origin: { format: "code" },
    })
  })
})
