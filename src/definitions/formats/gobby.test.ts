import fs from "node:fs"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Agent, type AgentInput, defineAgent, isAgentName, trimBody } from "../../agent/agent.ts"
import { gobby } from "./gobby.ts"
import { diagnose } from "./problem.ts"
import { readAgent } from "./read-agent.ts"
import { writeAgent } from "./write.ts"

const file = ".gobby/agents/aide.yaml"
const read = (text: string) => readAgent(gobby, { path: file, text })
const agentOf = (text: string): Agent => read(text).agent!

/** The findings of a file, each with the place it is shown at. */
function findings(text: string): readonly string[] {
  const { locate, problems } = read(text)
  return diagnose(file, text, locate, problems).map(
    ({ severity, code, message, range: { start } }) =>
      `${start.line}:${start.column} ${severity} ${code}: ${message}`,
  )
}

function withoutOrigin({ origin: _, ...agent }: Agent) {
  return agent
}

/** Writes an agent, and reads the text back. */
function rewritten(agent: Agent) {
  const { text, losses } = writeAgent(gobby, agent, file)
  return { text, losses, agent: agentOf(text) }
}

describe("files of every generation", () => {
  const folder = path.join(import.meta.dirname, "fixtures/gobby")
  const fixtures: Readonly<Record<string, { agent: AgentInput; findings: readonly string[] }>> = {
    "validation-runner.yaml": {
      agent: {
        name: "validation-runner",
        description: "Runs validation commands (pytest, ruff, mypy) and reports results",
        instructions: "Runs validation commands (pytest, ruff, mypy) and reports results",
        model: "haiku",
        variables: { validation_model: null, require_task_before_edit: false },
        workflow: null,
        limits: { timeout: 1_800_000, maxTurns: 10 },
        mode: "headless",
      },
      findings: [],
    },
    "reviewer.yaml": {
      agent: {
        name: "reviewer",
        description: "Reviews what a worker has done",
        instructions:
          "## Role\nYou review code.\n\n## Goal\nNothing broken gets in.\n\n## Personality\nBlunt, but fair.\n\n## Instructions\nRead the diff first.",
        disallowedTools: ["Edit", "Write"],
        isolation: "worktree",
        workflow: { name: "box", type: "step", steps: [{ name: "look", allowed_tools: ["Read"] }] },
        limits: { timeout: 120_000, maxTurns: 10 },
        extensions: {
          gobby: {
            provider: "claude",
            terminal: "auto",
            base_branch: "main",
            branch_prefix: "review/",
            sandbox: { enabled: true, mode: "restrictive" },
            skill_profile: { audience: "reviewers" },
            workflows: {
              box: { type: "step", steps: [{ name: "look", allowed_tools: ["Read"] }] },
              "from-file": { file: "deep.yaml" },
            },
            default_workflow: "box",
            role: "You review code.\n",
            goal: "Nothing broken gets in.",
            personality: "Blunt, but fair.\n",
            instructions: "Read the diff first.\n",
            blocked_tools: "Edit, Write",
          },
        },
      },
      findings: [
        expect.stringMatching(/^3:1 info key-without-effect: `provider: claude`/),
        "4:1 info key-without-effect: `terminal` has no effect in cadre: a run opens no terminal.",
        expect.stringMatching(/^14:1 info key-without-effect: `base_branch: main`/),
        expect.stringMatching(/^15:1 info key-without-effect: `branch_prefix`/),
        expect.stringMatching(/^26:1 warning restriction-kept: `sandbox`/),
        expect.stringMatching(/^27:1 info key-without-effect: `skill_profile`/),
      ],
    },
    "builder.yaml": {
      agent: {
        name: "builder",
        description: "Builds what a task asks for.\n",
        instructions: "## Instructions\nBuild it.",
        fallback: ["reviewer"],
        hidden: true,
        model: null,
        disallowedTools: ["WebFetch", "mcp__tasks__close_task", "mcp__agents__*"],
        variables: { attempts: 1, mode: "fast", reviewed: null },
        workflow: {
          steps: [
            {
              name: "claim",
              allowed_mcp_tools: ["tasks:claim_task"],
              transitions: [{ to: "build", when: "vars.task_claimed" }],
            },
            { name: "build", allowed_tools: "all" },
          ],
          variables: { task_claimed: false },
          exit_condition: "current_step == 'build'",
        },
        extensions: {
          gobby: {
            version: "2.0",
            enabled: false,
            priority: 20,
            sources: ["some_chat"],
            provider: "inherit",
            default_variables: { attempts: 1, mode: "slow" },
            workflows: {
              rule_selectors: { include: ["tag:default"] },
              variables: { mode: "fast", reviewed: false },
            },
            lifecycle_variables: { reviewed: null },
            steps: [
              {
                name: "claim",
                allowed_mcp_tools: ["tasks:claim_task"],
                transitions: [{ to: "build", when: "vars.task_claimed" }],
              },
              { name: "build", allowed_tools: "all" },
            ],
            step_variables: { task_claimed: false },
            exit_condition: "current_step == 'build'",
            instructions: "Build it.\n",
            blocked_tools: ["WebFetch"],
            blocked_mcp_tools: ["tasks:close_task", "agents:*"],
            isolation: "none",
          },
        },
      },
      findings: [
        expect.stringMatching(/^13:10 info limit-none: `timeout/),
        expect.stringMatching(/^14:12 info limit-none: `max_turns/),
        expect.stringMatching(/^6:10 info agent-disabled.*offer/),
        expect.stringMatching(/^7:1 info key-without-effect: `priority`/),
        expect.stringMatching(/^8:1 info key-without-effect: `sources`/),
        expect.stringMatching(/^23:3 info key-without-effect: `workflows\.rule_selectors`.*the project/),
      ],
    },
    "scout.yaml": {
      agent: {
        name: "scout",
        instructions: "Find out how it works.\n\nChange nothing.",
        model: "sonnet",
        effort: "high",
        tools: ["Read", "Grep"],
        lifecycle: "quiet",
        inheritVariables: ["project"],
        callVariables: ["topic", "depth"],
        workflow: { variables: { found: false }, exit_condition: "vars.found", steps: [{ name: "search" }] },
        limits: { timeout: 120_000, maxTurns: 10 },
        extensions: {
          gobby: {
            surfaces: ["spawn", "persona"],
            reasoning_required: true,
            made_up: "kept as well",
            prompts: { agent: "Find out how it works.\n\nChange nothing.\n", persona: "You are curious." },
            skills: { agent: ["reading"] },
          },
        },
      },
      findings: [
        expect.stringMatching(/^24:1 info key-unknown: `made_up`.*Gobby files/),
        expect.stringMatching(/^9:3 info key-without-effect: `prompts\.persona`/),
        expect.stringMatching(/^12:1 info key-without-effect: `reasoning_required`/),
        expect.stringMatching(/^15:1 info key-without-effect: `skills`/),
      ],
    },
  }

  test("there is no other fixture", () => {
    expect(fs.readdirSync(folder).sort()).toEqual(Object.keys(fixtures).sort())
  })

  test.each(Object.entries(fixtures))("%s", (name, expected) => {
    const source = { path: path.join(folder, name), text: fs.readFileSync(path.join(folder, name), "utf8") }
    const { agent } = readAgent(gobby, source)
    expect(withoutOrigin(agent!)).toEqual(withoutOrigin(defineAgent(expected.agent)))
    expect(findings(source.text)).toEqual(expected.findings)
    expect(writeAgent(gobby, agent!, source.path).losses).toEqual([])
  })
})

describe("variables", () => {
  test.each([
    ["only those of the lifecycle", "lifecycle_variables: {a: null, b: false}", { a: null, b: false }],
    [
      "defaults, then the lifecycle's",
      "lifecycle_variables: {a: null}\ndefault_variables: {a: 1, b: 2}",
      { a: null, b: 2 },
    ],
    [
      "defaults, then the workflows'",
      "workflows: {variables: {b: 3}}\ndefault_variables: {a: 1, b: 2}",
      { a: 1, b: 3 },
    ],
    [
      "the lifecycle's over the workflows'",
      "lifecycle_variables: {b: false}\nworkflows: {variables: {b: 3}}",
      { b: false },
    ],
    [
      "a map is one value and is not merged",
      "default_variables: {a: {x: 1}}\nlifecycle_variables: {a: {y: 2}}",
      { a: { y: 2 } },
    ],
    ["null in place of a map", "lifecycle_variables: null\ndefault_variables: {a: 1}", { a: 1 }],
    [
      "a key that is no ordinary name",
      "lifecycle_variables: {__proto__: null, '': false}",
      JSON.parse('{"__proto__": null, "": false}'),
    ],
  ])("%s, and they survive being written", (_, yaml, variables) => {
    const agent = agentOf(yaml)
    expect(agent.variables).toEqual(variables)
    expect(Object.keys(agent.variables)).toEqual(Object.keys(variables))
    const again = rewritten(agent)
    expect({ losses: again.losses, agent: withoutOrigin(again.agent) }).toEqual({
      losses: [],
      agent: withoutOrigin(agent),
    })
  })

  test("each is written back where it came from", () => {
    const yaml =
      "name: aide\ndescription: x\ntimeout: 120\nmax_turns: 10\ndefault_variables:\n  a: 1\nworkflows:\n  pipeline: null\n  variables:\n    a: 2\nlifecycle_variables:\n  a: null\n"
    expect(rewritten(agentOf(yaml)).text).toBe(yaml)
  })

  test("those of an agent that was changed replace what the file had said", () => {
    const agent = {
      ...agentOf("default_variables: {a: 1}\nworkflows: {pipeline: p, variables: {b: 2}}"),
      variables: { c: 3 },
    }
    const again = rewritten(agent)
    expect(again.agent.variables).toEqual({ c: 3 })
    expect(again.agent.extensions?.gobby?.workflows).toEqual({ pipeline: "p" })
    expect(again.losses.map(({ field }) => field)).toEqual(["extensions.gobby"])
  })
})

describe("instructions", () => {
  test.each([
    [
      "sections in their order",
      "instructions: i\ngoal: g\nrole: r",
      "## Role\nr\n\n## Goal\ng\n\n## Instructions\ni",
    ],
    ["one section", "personality: |\n\n  calm\n\n", "## Personality\ncalm"],
    ["a blank section is none", "role: ''\ngoal: null\ninstructions: do", "## Instructions\ndo"],
    ["a prompt for agents is all of it", "prompts: {agent: a, persona: p}\ndescription: d", "a"],
    ["a prompt for personas, where there is nothing else", "prompts: {persona: p}\ndescription: d", "p"],
    ["sections before the prompt for personas", "prompts: {persona: p}\nrole: r", "## Role\nr"],
    ["the description, where there is nothing else", "description: |\n  d\n", "d"],
    ["nothing at all", "model: m", ""],
  ])("%s, and they survive being written", (_, yaml, instructions) => {
    const agent = agentOf(yaml)
    expect(agent.instructions).toBe(instructions)
    const again = rewritten(agent)
    expect({ losses: again.losses, agent: withoutOrigin(again.agent) }).toEqual({
      losses: [],
      agent: withoutOrigin(agent),
    })
  })

  test.each([
    ["text", "Do it.", "prompts:\n  agent: Do it.\n"],
    ["text below the heading of a section", "## Instructions\nDo it.", "instructions: Do it.\n"],
    ["a description", "Helps.", ""],
  ])("%s is written in the plainest way", (_, instructions, yaml) => {
    const agent = defineAgent({ name: "aide", description: "Helps.", instructions })
    expect(rewritten(agent).text).toBe(`name: aide\ndescription: Helps.\ntimeout: 0\nmax_turns: 0\n${yaml}`)
  })

  test("a prompt that was changed keeps the other prompts", () => {
    const agent = { ...agentOf("prompts: {agent: a, persona: p}\nrole: r"), instructions: "b" }
    expect(rewritten(agent).text).toContain("prompts:\n  agent: b\n  persona: p\n")
    expect(rewritten(agent).text).not.toContain("role")
  })
})

describe("workflow", () => {
  test.each([
    ["a name", "workflow: w", "w"],
    ["null", "workflow: null", null],
    ["nothing", "description: d", undefined],
    ["steps over a name", "workflow: w\nsteps: [{name: s}]", { steps: [{ name: "s" }] }],
    [
      "steps written out over steps",
      "steps: []\nstep_workflow: {steps: [{name: s}]}",
      { steps: [{ name: "s" }] },
    ],
    ["the default one by name", "default_workflow: w", "w"],
    [
      "the default one in another file",
      "default_workflow: w\nworkflows: {w: {file: flows/deep.yaml}}",
      "deep",
    ],
    [
      "the default one written out",
      "default_workflow: w\nworkflows: {w: {steps: []}}",
      { name: "w", steps: [] },
    ],
    [
      "another of those written out, by name",
      "workflow: v\ndefault_workflow: w\nworkflows: {v: {steps: []}, w: {steps: [{name: s}]}}",
      { name: "v", steps: [] },
    ],
    ["a name over the default one", "workflow: v\ndefault_workflow: w", "v"],
    ["variables of steps without steps", "step_variables: {a: null}", undefined],
  ])("%s, and it survives being written", (_, yaml, workflow) => {
    const agent = agentOf(yaml)
    expect(agent.workflow).toEqual(workflow)
    const again = rewritten(agent)
    expect({ losses: again.losses, agent: withoutOrigin(again.agent) }).toEqual({
      losses: [],
      agent: withoutOrigin(agent),
    })
  })
})

describe("tools", () => {
  const inherit = { mode: "inherit", allow: [] }
  test.each([
    ["nothing said", "name: a", { ...inherit, deny: [] }],
    ["all", "allowed_tools: all", { ...inherit, deny: [] }],
    ["a list", "allowed_tools: [Read, mcp__a__b]", { mode: "list", allow: ["Read", "mcp__a__b"], deny: [] }],
    ["none", "allowed_tools: []", { mode: "list", allow: [], deny: [] }],
    ["what cannot be read grants nothing", "allowed_tools: 7", { mode: "list", allow: [], deny: [] }],
    [
      "taken away",
      "blocked_tools: [Bash, Edit]\nblocked_mcp_tools: null",
      { ...inherit, deny: ["Bash", "Edit"] },
    ],
    [
      "taken from a list",
      "blocked_tools: Bash\nallowed_tools: [Bash, Read]",
      { mode: "list", allow: ["Bash", "Read"], deny: ["Bash"] },
    ],
    [
      "tools of servers",
      "blocked_mcp_tools: ['a:b', 'c:*', 'd', '*', 'e:f:g']",
      { ...inherit, deny: ["mcp__a__b", "mcp__c__*", "mcp__*__d", "mcp__*", "mcp__e__f:g"] },
    ],
    ["what cannot be read takes everything away", "blocked_tools: 7", { ...inherit, deny: ["*"] }],
    [
      "what cannot be read takes every server away",
      "blocked_mcp_tools: [1]",
      { ...inherit, deny: ["mcp__*"] },
    ],
  ])("%s", (_, yaml, tools) => {
    expect(agentOf(yaml).tools).toEqual(tools)
  })
})

describe("limits", () => {
  test.each([
    ["left out", "name: a", { timeout: 120_000, maxTurns: 10 }],
    ["given", "timeout: 1.5\nmax_turns: 3", { timeout: 1_500, maxTurns: 3 }],
    ["0", "timeout: 0\nmax_turns: 0", {}],
    [
      "what cannot be read leaves the default",
      "timeout: -1\nmax_turns: '3'",
      { timeout: 120_000, maxTurns: 10 },
    ],
  ])("%s", (_, yaml, limits) => {
    expect(agentOf(yaml).limits).toEqual(limits)
  })
})

describe("findings", () => {
  test.each([
    ["an empty file", "", [expect.stringMatching(/^1:1 error file-empty.*empty.*defines/)]],
    [
      "nothing but a comment",
      "# nothing\n",
      [expect.stringMatching(/^1:1 warning instructions-missing.*instructions.*system/)],
    ],
    [
      "a name that could not be shown",
      "name: a/b\nrole: r",
      [expect.stringMatching(/^1:7 error name-unsafe: invalid agent name "a\/b"/)],
    ],
    ["any other name", "name: 'Überprüfer 2: alles!'\nrole: r", []],
    [
      "a model that is no text",
      "model: 1234\nrole: r",
      ["1:8 error field-type: `model` must be text; put 1234 in quotes, or null, but it is 1234."],
    ],
    [
      "turns in halves",
      "role: r\nmax_turns: 2.5",
      [expect.stringMatching(/^2:12 error field-type: `max_turns`.*2\.5.?$/)],
    ],
    [
      "an unknown kind of isolation",
      "role: r\nisolation: vault",
      [
        '2:12 error field-type: `isolation` must be one of none, current, inherit, worktree, clone, or null, but it is "vault".',
      ],
    ],
    ["an empty kind of isolation and provider, which is inherit", "role: r\nisolation: ''\nprovider: ''", []],
    [
      "a token written out",
      "role: r\napi_token: abc",
      [expect.stringMatching(/^2:12 warning secret-written-out.*refer/)],
    ],
    [
      "a token of the environment",
      "role: r\napi_token: $" + "{TOKEN}",
      [expect.stringMatching(/^2:1 info key-without-effect: `api_token`.*the configuration/)],
    ],
    [
      "sections beside a prompt",
      "prompts: {agent: a}\nrole: r",
      [expect.stringMatching(/^2:1 warning key-superseded: `role`/)],
    ],
    [
      "a key that would narrow it, and is another format's",
      "role: r\ntools: [Read]",
      [expect.stringMatching(/^2:1 error key-restricting: `tools`.*Gobby files.*`allowed_tools`.?$/)],
    ],
    [
      "a key that is nearly one",
      "role: r\nlifecycle_variable: {a: 1}",
      [
        "2:1 warning key-near-miss: `lifecycle_variable` is not a key of Gobby files and has no effect. Did you mean `lifecycle_variables`?",
      ],
    ],
    [
      "a list of variables",
      "role: r\nlifecycle_variables: [a]",
      ['2:22 error field-type: `lifecycle_variables` must be keys and values, or null, but it is ["a"].'],
    ],
  ])("%s", (_, yaml, expected) => {
    expect(findings(yaml)).toEqual(expected)
  })

  test("a token written out is not in the agent", () => {
    expect(JSON.stringify(agentOf("role: r\napi_token: abc"))).not.toContain("abc")
  })

  test("a file that says no name has that of the file", () => {
    expect(readAgent(gobby, { path: "/x/.gobby/agents/team/lint.yml", text: "role: r" }).agent?.name).toBe(
      "lint",
    )
  })
})

test("null and false survive in every key that is kept", () => {
  const nulls = [
    "enabled",
    "mode",
    "terminal",
    "provider",
    "fallback_agent",
    "api_base",
    "api_token",
    "sandbox",
    "surfaces",
  ]
  const yaml = [...nulls.map((key) => `${key}: null`), "reasoning_required: false", "unheard_of: null"].join(
    "\n",
  )
  const { agent, losses } = rewritten(agentOf(`role: r\n${yaml}`))
  expect(losses).toEqual([])
  expect(agent.extensions?.gobby).toEqual({
    ...Object.fromEntries(nulls.map((key) => [key, null])),
    reasoning_required: false,
    unheard_of: null,
    role: "r",
  })
})

describe("writing", () => {
  const word = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .map((text) => text.trim())
    .filter(Boolean)
  /** A path would be a script. */
  const toolName = word.filter((text) => !/^\.{0,2}[/\\]/.test(text))
  const name = word.filter(isAgentName)
  const json = fc.jsonValue({ maxDepth: 2 })
  const variables = fc.dictionary(word, json, { noNullPrototype: true, maxKeys: 4 })
  const input = fc.record(
    {
      name,
      instructions: fc
        .string({ unit: "grapheme", minLength: 1 })
        .filter((text) => trimBody(text).instructions !== ""),
      description: word,
      model: fc.option(word, { nil: null }),
      effort: fc.oneof(word, fc.nat()),
      tools: fc.array(toolName, { maxLength: 4 }),
      disallowedTools: fc.array(toolName, { maxLength: 4 }),
      skills: fc.array(word, { maxLength: 4 }),
      limits: fc.record(
        { timeout: fc.integer({ min: 1 }), maxTurns: fc.integer({ min: 1 }) },
        { requiredKeys: [] },
      ),
      variables,
      inheritVariables: fc.array(word, { maxLength: 4 }),
      callVariables: fc.array(word, { maxLength: 4 }),
      lifecycle: word,
      workflow: fc.oneof(word, fc.constant(null), variables),
      isolation: fc.constantFrom("worktree", "clone"),
    },
    { requiredKeys: ["name", "instructions"] },
  )

  test("whatever the format can say is read back as it was", () => {
    fc.assert(
      fc.property(input, (given) => {
        const agent = { ...defineAgent(given as AgentInput), origin: { format: "gobby" } }
        const { losses, agent: back } = rewritten(agent)
        expect(losses).toEqual([])
        expect(withoutOrigin(back)).toEqual(withoutOrigin(agent))
      }),
      { numRuns: 300 },
    )
  })

  test.each(["__proto__", "constructor", "toString"])("a workflow may be called %s", (workflow) => {
    const agent = { ...defineAgent({ name: "a", instructions: "b", workflow }), origin: { format: "gobby" } }
    const { losses, agent: back } = rewritten(agent)
    expect([losses, back.workflow]).toEqual([[], workflow])
  })

  test("what it cannot say is named", () => {
    const agent = defineAgent({
      name: "a",
      instructions: "b",
      label: "A",
      keywords: ["k"],
      aliases: ["c"],
      color: "red",
      hidden: true,
      template: { task: "append" },
      context: { rules: true },
      model: { provider: "p", model: "m" },
      toolDefinitions: [{ name: "t", description: "d", script: "/s" }],
      mcpServers: ["s"],
      rules: [{ tool: "Bash", decision: "ask" }],
      limits: { maxDepth: 1, timeout: 1_000 },
      result: { type: "object" },
      postconditions: [{ file: "done" }],
      hooks: {},
      workflow: ["a list"],
      permissionMode: "plan",
      isolation: "container",
      background: true,
      memory: "user",
      metadata: { team: "x" },
    })
    const fields = writeAgent(gobby, agent, file).losses.map(({ field }) => field)
    expect(fields.sort()).toEqual(
      [
        "aliases",
        "background",
        "color",
        "context",
        "hidden",
        "hooks",
        "isolation",
        "keywords",
        "label",
        "limits.maxDepth",
        "mcpServers",
        "memory",
        "metadata",
        "model",
        "permissionMode",
        "postconditions",
        "result",
        "rules",
        "template",
        "toolDefinitions",
        "tools",
        "workflow",
      ].sort(),
    )
  })
})

describe("the mode it is started in", () => {
  test.each(["headless", "terminal", "embedded", "self", null])("%s is read and written back", (mode) => {
    const source = `name: runner\ninstructions: Run.\nmode: ${mode}\n`
    const agent = agentOf(source)
    expect(agent.mode ?? agent.extensions?.gobby?.mode).toBe(mode)
    expect(rewritten(agent)).toMatchObject({
      text: expect.stringMatching(new RegExp(`^mode: ${mode}$`, "m")),
      losses: [],
    })
  })

  test.each(["default_workflow", "workflow"])(
    "that of the workflow which it begins with, by %s, comes before its own, and both are written back",
    (key) => {
      const source = `name: runner
instructions: Run.
mode: headless
${key}: hard
workflows:
  easy: { mode: self, steps: [{ name: a }] }
  hard: { mode: terminal, steps: [{ name: a }] }
`
      const agent = agentOf(source)
      expect(agent.mode).toBe("terminal")
      const again = rewritten(agent)
      expect(again).toMatchObject({ text: expect.stringMatching(/^mode: headless$/m), losses: [] })
      expect(agentOf(again.text).mode).toBe("terminal")
      expect(rewritten({ ...agent, mode: "self" }).losses).toContainEqual(
        expect.objectContaining({ field: "mode" }),
      )
    },
  )

  test("another is an error with the known ones", () => {
    expect(findings("name: runner\ninstructions: Run.\nmode: window\n")).toEqual([
      '3:7 error field-type: `mode` must be one of headless, terminal, embedded, self, or null, but it is "window".',
    ])
  })
})
