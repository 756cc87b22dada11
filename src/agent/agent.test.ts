import { describe, expect, test } from "vitest"
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
        message:
          'Agent "aide": Subagent description cannot be empty; "tools" must be a list of names, or names with commas, but it is [5]; "disallowedTools" must be a list of names, or names with commas, but it is {"Bash":true}.',
      },
    ],
    [
      { limits: { maxTurns: 0, timeout: Number.NaN } },
      {
        code: "LIMIT_INVALID",
        message:
          'Agent "aide": maxTurns must be a positive number, but it is 0; leave it out for the default; timeout must be a positive number, but it is NaN; leave it out for the default.',
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
        message:
          'Agent "aide": Subagent description cannot be empty; Subagent system prompt cannot be empty: give its instructions; rule for a: decision must be "allow", "ask" or "deny"; maxTurns must be a whole number, but it is 1.5.',
      },
    ],
    [
      { model: ["sonnet", { provider: "openai", model: "gpt-5", apiKey: "secret-key-1" }] },
      {
        code: "AGENT_INVALID",
        message:
          'Agent "aide": "model.apiKey" is unknown: an agent\'s model has provider, model, endpoint, parameters. Put a model with its own key or settings into createRuntime({ models: { NAME: … } }), and use that name here.',
      },
    ],
    [
      { context: { ruels: true, files: ["../up.md"] } },
      {
        code: "AGENT_INVALID",
        message:
          'Agent "aide": context.ruels is not a key of a context. Did you mean "rules"? Known: environment, files, fork, initialPrompt, rules; context.files.0 must be a path inside the project, from the repository\'s folder, but it is "../up.md".',
      },
    ],
    [
      { cache: { inputs: ["/etc"], inptus: [] } },
      {
        code: "AGENT_INVALID",
        message:
          'Agent "aide": cache.inptus is not a key of `cache`. Did you mean "inputs"? Known: inputs; cache.inputs.0 must be a path or pattern inside the folder that it works in, but it is "/etc".',
      },
    ],
    [
      { context: ["README.md"] },
      {
        code: "AGENT_INVALID",
        message:
          'Agent "aide": context must be `fork` or have some of the keys rules, environment, fork, files, initialPrompt, but it is ["README.md"].',
      },
    ],
  ])("%j", (input, expected) => {
    expect(refusal(input)).toEqual(expected)
  })
})

describe("a key or a value that cannot be used", () => {
  test.each([
    [{ description: 3 }, '"description" must be text, but it is 3.'],
    [{ skills: 5 }, '"skills" must be a list of names, but it is 5.'],
    [{ keywords: "x" }, '"keywords" must be a list of names, but it is "x".'],
    [{ aliases: ["a", 5] }, '"aliases" must be a list of names, but it is ["a",5].'],
    [{ hidden: "yes" }, '"hidden" must be true or false, but it is "yes".'],
    [{ background: 1 }, '"background" must be true or false, but it is 1.'],
    [{ permissionMode: 3 }, '"permissionMode" must be text, but it is 3.'],
    [{ variables: [] }, '"variables" must be an object with keys and values, but it is [].'],
    [{ rules: "deny" }, '"rules" must be a list, but it is "deny".'],
    [
      { rules: [null] },
      'a rule must name a tool, such as { tool: "Bash", decision: "deny" }, but one is null.',
    ],
    [
      { metadata: { when: () => 1 } },
      '"metadata" must be plain JSON, but it contains a function, a cycle or something else that cannot be copied.',
    ],
    [{ systemPrompt: "Help." }, '"systemPrompt" is not a key of an agent: did you mean "instructions"?'],
    [{ template: { tsk: "message" } }, '"template" has no key "tsk": its keys are "task" and "context".'],
    [{ keyword: ["x"] }, '"keyword" is not a key of an agent: did you mean "keywords"?'],
  ])("%j", (input, message) => {
    expect(refusal(input)).toEqual({ code: "AGENT_INVALID", message: `Agent "aide": ${message}` })
  })

  test("limits that are no object", () => {
    expect(refusal({ limits: 5 })).toEqual({
      code: "LIMIT_INVALID",
      message: 'Agent "aide": "limits" must be an object such as { maxTurns: 20 }, but it is 5.',
    })
  })

  test.each([[undefined], [5], [null], ["aide"], [[]]])("%j in place of a definition", (input) => {
    expect(() => defineAgent(input as unknown as AgentInput)).toThrow(
      expect.objectContaining({
        code: "AGENT_INVALID",
        message: `An agent must be an object with a name and instructions, but it is ${JSON.stringify(input)}.`,
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
      message: `Agent "aide": "${key}" is not a key of an agent, so the agent would have more rights than intended${hint || "."}`,
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
