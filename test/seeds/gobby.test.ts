import { describe, expect, test } from "vitest"
import { SubagentRegistry } from "../../src/files.ts"
import {
  createRuntime,
  defineAgent,
  defineTool,
  type Json,
  type ModelScript,
  memoryStore,
  type RunEvent,
  type RuntimeOptions,
  scriptedModel,
} from "../../src/index.ts"
import { temporaryFolder } from "../file-kit.ts"
import { results } from "../kit.ts"
import { readFolder } from "./kit.ts"

const yaml = (...lines: readonly string[]) =>
  `description: Runs checks.\nprompts: { agent: You run checks. }\n${lines.map((line) => `${line}\n`).join("")}`

const pytest = { calls: [{ tool: "Bash", input: { command: "pytest tests/" } }] }
const hand = (agent: string, more: object = {}) => ({
  calls: [{ tool: "Agent", input: { agent, prompt: "run pytest", ...more } }],
})

/** Runs a lead over Gobby's files, with every command that really ran. */
async function run(
  files: Readonly<Record<string, string>>,
  script: ModelScript,
  more: Partial<RuntimeOptions> & { readonly hooks?: never; readonly lifecycle?: never } = {},
  options: { readonly variables?: { readonly [name: string]: Json }; readonly depth?: number } = {},
) {
  const { registry } = readFolder("gobby", files, ["Bash"])
  registry.register(defineAgent({ name: "lead", instructions: "You lead." }))
  const ran: string[] = []
  const store = memoryStore()
  const runtime = createRuntime({
    agents: registry,
    store,
    tools: [
      defineTool<{ command: string }>({
        name: "Bash",
        description: "Runs a command.",
        effect: "read",
        input: { type: "object" },
        execute: ({ command }, { agent }) => {
          ran.push(`${agent}: ${command}`)
          return `ran ${command}`
        },
      }),
    ],
    models: {
      standard: scriptedModel(script, "standard"),
      other: scriptedModel(script, "other"),
      called: scriptedModel(script, "called"),
    },
    ...more,
  })
  const handle = runtime.run("lead", "go", options)
  const starts: Extract<RunEvent, { type: "run-start" }>[] = []
  for await (const event of handle) if (event.type === "run-start") starts.push(event)
  const { outcome } = await handle.done
  return { ran, starts, outcome, runtime, results: await results(store, handle.id) }
}

describe("004 row 1: whose definition, whose value, and no loop", () => {
  const place = { user: "home/.gobby/agents", project: "repo/.gobby/agents" } as const
  test.each<[string, readonly (keyof typeof place)[], string, readonly string[]]>([
    ["the built-in one", [], "built-in", []],
    ["the user's over the built-in one", ["user"], "user", ["built-in"]],
    ["the project's over both", ["user", "project"], "project", ["user", "built-in"]],
  ])("%s, and nothing of the others", (_, scopes, active, shadowed) => {
    const base = temporaryFolder({
      "repo/.git/HEAD": "",
      ...Object.fromEntries(
        scopes.map((scope) => [`${place[scope]}/validation-runner.yaml`, yaml(`timeout: ${scope.length}`)]),
      ),
    })
    const registry = new SubagentRegistry()
    registry.loadBuiltIn({ hide: [] })
    registry.autoDiscover({ cwd: `${base}/repo`, home: `${base}/home`, userFolder: `${base}/none` })
    const found = registry.entries().filter(({ candidate }) => candidate.agent.name === "validation-runner")
    const { limits, variables } = registry.get("validation-runner")
    expect({
      active: found.filter(({ state }) => state.type === "active").map(({ candidate }) => candidate.scope),
      shadowed: found
        .filter(({ state }) => state.type === "shadowed")
        .map(({ candidate }) => candidate.scope)
        .sort(),
      timeout: limits.timeout,
      variables: Object.keys(variables).length > 0,
    }).toEqual({
      active: [active],
      shadowed: shadowed.toSorted(),
      timeout: active === "built-in" ? 1_800_000 : active.length * 1_000,
      variables: active === "built-in",
    })
  })

  test("a named agent is started with its definition, under the name of the file where it says none", async () => {
    const { starts, results: told } = await run(
      { "validation-runner.yaml": yaml("model: other", "timeout: 1800", "max_turns: 10") },
      { lead: [hand("validation-runner"), { text: "done" }], "validation-runner": [{ text: "3 passed" }] },
    )
    expect([
      starts[1]!.agent,
      starts[1]!.task,
      starts[1]!.model.resolved,
      starts[1]!.limits.maxTurns,
    ]).toEqual(["validation-runner", "run pytest", "other", 10])
    expect(told).toEqual(["3 passed"])
  })

  test.each<[string, object, object]>([
    ["the call's", { timeout: 7, model: "called" }, { timeout: 7_000, model: "called" }],
    ["the definition's", {}, { timeout: 60_000, model: "other" }],
  ])("%s holds", async (_, call, expected) => {
    const { starts } = await run(
      { "runner.yaml": yaml("timeout: 60", "model: other") },
      { lead: [hand("runner", call), { text: "done" }], runner: [{ text: "x" }] },
    )
    const { limits, model } = starts[1]!
    expect({ timeout: limits.timeout, model: model.resolved }).toEqual(expected)
  })

  // Architecture, "dialect rules": 120 s and 10 turns for Gobby's files, as its first generation has it.
  test("otherwise the format's and the configuration's default", async () => {
    const { starts } = await run(
      { "runner.yaml": yaml() },
      { lead: [hand("runner"), { text: "done" }], runner: [{ text: "x" }] },
    )
    const { limits, model } = starts[1]!
    expect([limits.timeout, limits.maxTurns, model.resolved]).toEqual([120_000, 10, "standard"])
  })

  // Architecture, "lifecycle variables": configured defaults, then the definition's in this order, then the call.
  test("variables merge name by name; null and false are values", async () => {
    const { starts } = await run(
      {
        "runner.yaml": yaml(
          "default_variables: { a: default, b: default, c: default }",
          "workflows: { variables: { b: workflow, c: workflow } }",
          "lifecycle_variables: { c: null, d: false }",
        ),
      },
      { lead: [hand("runner"), { text: "done" }], runner: [{ text: "x" }] },
      { configuration: configured({ a: "configured", c: "configured", e: "configured" }) },
    )
    expect(starts[1]!.variables).toEqual({ a: "default", b: "workflow", c: null, d: false, e: "configured" })
  })

  const blocking: Json = {
    on_before_tool: [{ tools: "Bash", when: "variables.validation_model is not null", block: "delegate" }],
  }
  test.each<[string, string, readonly string[]]>([
    [
      "with the override, and without a workflow",
      yaml("lifecycle_variables: { validation_model: null }", "workflow: null"),
      ["runner: pytest tests/"],
    ],
    ["without it", yaml("workflow: null"), []],
  ])("the child's first check sees its own value: %s", async (_, definition, expected) => {
    const { ran } = await run(
      { "runner.yaml": definition },
      { lead: [hand("runner"), { text: "done" }], runner: [pytest, { text: "x" }] },
      {
        configuration: configured({ validation_model: "haiku" }),
        hookSets: [{ name: "lifecycle", of: "project", hooks: blocking }],
      },
    )
    expect(ran).toEqual(expected)
  })

  // Gobby copies none either; the architecture lets a definition ask for them by name.
  test.each<[string, string, object]>([
    ["none of them", yaml(), {}],
    ["those that it names", yaml("inherit_variables: [seen]"), { seen: "ls" }],
  ])("a parent's live values: a child has %s", async (_, definition, variables) => {
    const { starts } = await run(
      { "runner.yaml": definition },
      {
        lead: [{ calls: [{ tool: "Bash", input: { command: "ls" } }] }, hand("runner"), { text: "done" }],
        runner: [{ text: "x" }],
      },
      {
        hookSets: [
          {
            name: "l",
            of: "project",
            hooks: { before_tool: { tools: "Bash", set_variable: { seen: "{{ command }}", other: 1 } } },
          },
        ],
      },
    )
    expect(starts[1]!.variables).toEqual(variables)
  })

  test("the parent's pytest becomes a runner, whose own is neither blocked nor handed on", async () => {
    const { ran, starts } = await run(
      { "validation-runner.yaml": yaml("lifecycle_variables: { validation_model: null }") },
      { lead: [pytest, { text: "done" }], "validation-runner": [pytest, { text: "3 passed" }] },
      {
        hookSets: [
          {
            name: "session-lifecycle",
            of: "project",
            hooks: {
              on_before_tool: [
                {
                  when: '"pytest" in command',
                  spawn_agent: { agent: "validation-runner", prompt: "Run: {{ command }}" },
                },
              ],
            },
          },
        ],
      },
    )
    expect([ran, starts.map(({ agent, task }) => `${agent}: ${task}`)]).toEqual([
      ["validation-runner: pytest tests/"],
      ["lead: go", "validation-runner: Run: pytest tests/"],
    ])
  })
})

const configured = (variables: {
  readonly [name: string]: Json
}): NonNullable<RuntimeOptions["configuration"]> => ({
  subagents: { enabled: true, autoRoute: false },
  limits: {},
  variables,
})

describe("004 row 2: what is refused, and what comes after a failure", () => {
  // Gobby's first generation only warned, and ran with whatever the call said.
  test("an unknown agent is an error that names those there are, and nothing is started", async () => {
    const {
      starts,
      results: told,
      runtime,
    } = await run(
      { "validation-runner.yaml": yaml() },
      { lead: [hand("validation-runer"), { text: "done" }] },
    )
    expect([starts.length, told]).toEqual([
      1,
      [expect.stringMatching(/validation-runer.*Did you mean "validation-runner"\?/s)],
    ])
    await expect(runtime.run("validation-runer", "go").done).rejects.toMatchObject({ code: "AGENT_UNKNOWN" })
  })

  // Architecture, "depth": the root is at 0, three levels below it, these words; and the name is looked up before.
  test.each<[string, string, RegExp]>([
    [
      "is refused",
      "runner",
      /^Maximum subagent nesting depth \(3\) reached\. Cannot spawn 'runner' at depth 3\. Finish with your own tools\.$/,
    ],
    ["is not what is wrong with an unknown name", "runer", /Did you mean "runner"\?/],
  ])("a depth that is reached %s", async (_, name, message) => {
    const { starts, results: told } = await run(
      { "runner.yaml": yaml() },
      { lead: [hand(name), { text: "done" }] },
      {},
      { depth: 3 },
    )
    expect([starts.length, told]).toEqual([1, [expect.stringMatching(message)]])
  })

  // Architecture, "dialect rules": 0 is no limit of its own, the tree's remainder applies, and it says so.
  test("a timeout of 0 and max_turns of 0 are none of its own; the parent's rest holds", async () => {
    const { registry } = readFolder("gobby", { "runner.yaml": yaml("timeout: 0", "max_turns: 0") })
    const { timeout, maxTurns } = registry.get("runner").limits
    expect([timeout, maxTurns, registry.diagnostics().map(({ code }) => code)]).toEqual([
      undefined,
      undefined,
      ["limit-none", "limit-none"],
    ])
    const { starts } = await run(
      { "runner.yaml": yaml("timeout: 0") },
      { lead: [hand("runner"), { text: "done" }], runner: [{ text: "x" }] },
      { limits: { timeout: 5_000 } },
    )
    expect(starts[1]!.limits.timeout).toBeGreaterThan(4_000)
    expect(starts[1]!.limits.timeout).toBeLessThanOrEqual(5_000)
  })

  // Gobby says that it was skipped, as a success; here the caller is told which run it is, and can act on that.
  test("while a run of a key is active, a second one is refused with its id", async () => {
    const { runtime } = await run(
      { "runner.yaml": yaml() },
      { lead: [{ text: "x" }], runner: [{ text: "x", delayMs: 60_000 }] },
    )
    const first = runtime.run("runner", "go", { dedupe: "task-7" })
    for await (const event of first) if (event.type === "model-start") break
    await expect(runtime.run("runner", "go", { dedupe: "task-7" }).done).rejects.toMatchObject({
      code: "RUN_ACTIVE",
      message: expect.stringContaining(first.id),
    })
    await first.cancel()
    await first.done
  })

  const fails = [{ error: { message: "500" } }]

  test("fallback_agent gets the task of one that failed, and so on", async () => {
    const next = { a: "b", b: "c", c: "d" }
    const files = Object.entries(next).map(([name, other]) => [
      `${name}.yaml`,
      yaml(`fallback_agent: ${other}`),
    ])
    const { starts, results: told } = await run(
      { "d.yaml": yaml(), ...Object.fromEntries(files) },
      { lead: [hand("a"), { text: "done" }], a: fails, b: fails, c: fails, d: [{ text: "I did it." }] },
    )
    expect([starts.slice(1).map(({ agent }) => agent), told]).toEqual([
      ["a", "b", "c", "d"],
      [expect.stringMatching(/I did it\.$/)],
    ])
  })

  test("a circle of them is told before anything runs, and in code everybody is tried once", async () => {
    const { registry } = readFolder("gobby", {
      "a.yaml": yaml("fallback_agent: b"),
      "b.yaml": yaml("fallback_agent: a"),
    })
    expect(registry.diagnostics().map(({ code }) => code)).toContain("fallback-circular")
    const agents = [
      ["a", "b"],
      ["b", "a"],
    ].map(([name, other]) => defineAgent({ name: name!, instructions: "x", fallback: [other!] }))
    const models = { m: scriptedModel({ a: fails, b: fails }) }
    const { outcome, tried } = await createRuntime({ agents, models, store: memoryStore() }).run("a", "go")
      .done
    expect([outcome?.type, tried?.map(({ agent }) => agent)]).toEqual(["failed", ["a"]])
  })
})
