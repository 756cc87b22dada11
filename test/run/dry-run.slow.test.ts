import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { type AgentInput, createAgentList, defineAgent } from "../../src/agent/agent.ts"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import { CadreError, StartError } from "../../src/ground/errors.ts"
import type { DryRunOptions, RuntimeParts } from "../../src/run/face/runtime.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import type { Store } from "../../src/run/log/store.ts"
import { createMemoryCache } from "../../src/world/cache/memory-cache.ts"
import { createModelSource } from "../../src/world/models/source.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { createWorktreeIsolation } from "../../src/world/worktree/isolation.ts"
import { contents, temporaryFolder } from "../file-kit.ts"
import { git, temporaryRepository } from "../git-kit.ts"
import { stateOf, tool, world } from "../kit.ts"
import { naming } from "../naming.ts"

interface Case {
  readonly agent?: Partial<AgentInput>
  readonly runtime?: Partial<RuntimeParts>
  readonly options?: Omit<DryRunOptions, "parents" | "model"> & { readonly model?: string }
  readonly task?: string
  /** Runs that there have been. */
  readonly before?: readonly { readonly task: string; readonly options?: object }[]
}

const lead = (more: Partial<AgentInput> = {}): AgentInput => ({
  name: "lead",
  instructions: "You lead.",
  ...more,
})

function opened({ agent, runtime }: Case, store: Store = memoryStore()) {
  return world({
    store,
    script: { lead: [{ text: "done" }] },
    tools: [tool("Bash"), tool("Write", () => "ok", { effect: "opaque" })],
    runtime: {
      // As a registry: agents are not checked before they are started.
      agents: createAgentList([lead(agent), { name: "runner", instructions: "You run." }].map(defineAgent)),
      cache: createMemoryCache(),
      ...runtime,
    },
  })
}

/** What is said of the run, and how it really began, or what it was refused with. */
async function both(given: Case) {
  const { runtime, store } = opened(given)
  const { task = "go", options = {}, before = [] } = given
  for (const { task: earlier, options: how } of before) await runtime.run("lead", earlier, how).done
  const said = await runtime.dryRun("lead", task, options)
  const { start, ...rest } = said
  const handle = runtime.run("lead", task, options)
  try {
    await handle.done
  } catch (error) {
    if (!(error instanceof CadreError)) throw error
    const [first] = error instanceof StartError ? error.problems : [error]
    return { said: rest, start, refused: { code: error.code, message: first!.message } }
  }
  const began = (await stateOf(store, handle.id)).start!
  return { said: rest, start: start && comparable(start), began: comparable(began, handle.id) }
}

/** Without times, and with what is named after the id of the run named alike. */
function comparable(event: object, id = "ID"): object {
  const { run: _, seq: __, at: ___, v: ____, ...start } = event as RunEvent
  return JSON.parse(JSON.stringify(start).replaceAll(id, "ID"))
}

describe("what a dry run begins with is what the run begins with", () => {
  test.each<[string, () => Case]>([
    ["an agent that says nothing", () => ({})],
    [
      "everything that a definition says",
      () => ({
        agent: {
          tools: ["Bash", "Agent"],
          rules: [{ tool: "Bash(rm *)", decision: "deny" }],
          limits: { maxTurns: 3, maxTokens: 1_000_000 },
          variables: { a: 1, b: null },
          fallback: ["runner"],
          cache: { inputs: [] },
          result: { type: "object" },
          permissionMode: "plan",
        },
        options: { variables: { b: 2 }, limits: { timeout: 5_000 }, dedupe: "k", cwd: "/" },
        runtime: {
          variables: { a: 0, c: [1] },
          rules: [{ tool: "Write", decision: "ask" }],
          lifecycle: createHookSource([
            {
              name: "mine",
              of: "user",
              hooks: { before_tool: { spawn_agent: { agent: "runner", prompt: "x" } } },
            },
          ]),
        },
      }),
    ],
    ["a recorded result", () => ({ agent: { cache: {} }, before: [{ task: "go" }] })],
    [
      "no recorded result where none is wanted",
      () => ({ agent: { cache: {} }, options: { cache: "skip" }, before: [{ task: "go" }] }),
    ],
    [
      "a key that an ended run had",
      () => ({ options: { dedupe: "k" }, before: [{ task: "x", options: { dedupe: "k" } }] }),
    ],
    [
      "a worktree",
      () => {
        const { top, worktrees } = temporaryRepository()
        return {
          agent: { isolation: "worktree" },
          options: { cwd: top },
          runtime: { isolation: createWorktreeIsolation(worktrees) },
        }
      },
    ],
    [
      "a worktree that would be that of an agent that changes nothing",
      () => ({ agent: { isolation: "worktree", tools: [] } }),
    ],
  ])("%s", async (_, make) => {
    const { said, start, began } = await both(make())
    expect({ problems: said.problems, start }).toEqual({ problems: [], start: began })
    expect(start).toMatchObject({ type: "run-start", agent: "lead", task: "go" })
  })

  test("a run that goes on with another, with what is to be said of that", async () => {
    const { runtime, store } = opened({})
    const first = runtime.run("lead", "go")
    await first.done
    const { start, problems } = await runtime.dryRun("runner", "more", { continues: first.id })
    const handle = runtime.run("runner", "more", { continues: first.id })
    await handle.done
    expect([problems, comparable(start!)]).toEqual([[], comparable((await stateOf(store, handle.id)).start!)])
    expect(start!.warnings).toEqual([expect.stringContaining('was a run of agent "lead"')])
  })

  test("as a child: at its depth, with what its callers leave it", async () => {
    const { runtime } = opened({ agent: { tools: ["Agent", "Bash"], limits: { maxTurns: 7 } } })
    const { start, depth } = await runtime.dryRun("runner", "go", { parents: ["lead"] })
    expect([depth, start!.depth, start!.tools]).toEqual([1, 1, ["Bash", "Agent"]])
  })
})

describe("everything that keeps a run from starting is told at once, and first what the run is refused with", () => {
  const unkeyed = { models: createModelSource({ environment: {}, home: "/nonexistent", workspace: "/" }) }
  test.each<[string, Case, readonly string[]]>([
    ["no text", { task: " " }, ["TEXT_EMPTY"]],
    ["a model that nobody knows", { agent: { model: "nowhere:x" }, runtime: unkeyed }, ["MODEL_UNKNOWN"]],
    ["no key", { agent: { model: "anthropic:sonnet" }, runtime: unkeyed }, ["MODEL_KEY_MISSING"]],
    [
      "a script that is not there",
      { agent: { model: "script:/nowhere.json" }, runtime: unkeyed },
      ["SCRIPT_INVALID"],
    ],
    ["a tool that nobody has", { agent: { tools: ["Bash"], delegates: ["Nobody"] } }, ["TOOL_UNKNOWN"]],
    ["a reserved variable", { options: { variables: { task: 1 } } }, ["VARIABLE_INVALID"]],
    [
      "a call that may not choose the model",
      { agent: { allowModelOverride: false }, options: { model: "nowhere:x" } },
      ["MODEL_DENIED", "MODEL_UNKNOWN"],
    ],
    ["a skill and nobody to load it", { agent: { skills: ["x"] } }, ["AGENT_INVALID"]],
    [
      "postconditions and nobody to check them",
      { agent: { postconditions: [{ file: "a" }] } as never },
      ["POSTCONDITION_UNCHECKED"],
    ],
    ["a place that nobody makes", { agent: { isolation: "clone" } }, ["ISOLATION_REFUSED"]],
    [
      "no repository",
      {
        agent: { isolation: "worktree" },
        options: { cwd: "/" },
        runtime: { isolation: createWorktreeIsolation("/nonexistent") },
      },
      ["ISOLATION_REFUSED"],
    ],
    ["hooks that cannot be read", { agent: { hooks: { before_tol: [] } } }, ["HOOK_INVALID"]],
    [
      "a set of hooks that is not there",
      { agent: { lifecycle: "lose" }, runtime: { lifecycle: createHookSource([]) } },
      ["HOOK_INVALID"],
    ],
    [
      "a run to go on with that is not there",
      { options: { continues: "01kaaaaaaaaaaaaaaaaaaaaaaa" } },
      ["RUN_UNKNOWN"],
    ],
    ["an empty key", { options: { dedupe: " " } }, ["TEXT_EMPTY"]],
    [
      "all of it",
      {
        task: "",
        agent: {
          model: "anthropic:sonnet",
          delegates: ["Nobody"],
          isolation: "clone",
          skills: ["x"],
          hooks: { before_tol: [] },
          variables: { task: 1 },
        },
        runtime: { ...unkeyed, enabled: false, lifecycle: createHookSource([]) },
        options: { continues: "x", dedupe: "" },
      },
      [
        "SUBAGENTS_DISABLED",
        "TEXT_EMPTY",
        "RUN_UNKNOWN",
        "TEXT_EMPTY",
        "VARIABLE_INVALID",
        "MODEL_KEY_MISSING",
        "ISOLATION_REFUSED",
        "AGENT_INVALID",
        "TOOL_UNKNOWN",
        "HOOK_INVALID",
      ],
    ],
  ])("%s", async (_, given, codes) => {
    const registry = { ...given, runtime: { lifecycle: createHookSource([]), ...given.runtime } }
    const { said, start, refused } = await both(registry)
    expect(said.problems.map(({ code }) => code)).toEqual(codes)
    const { code, message } = said.problems[0]!
    expect({ start, first: { code, message } }).toEqual({ start: undefined, first: refused })
  })

  test("a window that it does not fit", async () => {
    const { said, refused } = await both({
      agent: { instructions: "x".repeat(50_000) },
      runtime: {
        models: createModelSource({
          models: { small: { provider: "ollama", model: "m", window: 100 } },
          defaultModel: "small",
          environment: {},
        }),
      },
    })
    const about = { kind: "written", rule: "prompt-too-long", part: "instructions" }
    expect(said.problems).toEqual([{ ...refused, ...about }])
    expect(refused!.message).toContain("cannot fit its model")
  })

  test("a key that a run has, by the id of that run", async () => {
    const { runtime, store } = opened({})
    const run = "01kaaaaaaaaaaaaaaaaaaaaaaa"
    await store.hold(run, JSON.stringify(["lead", "k"]))
    const { problems } = await runtime.dryRun("lead", "go", { dedupe: "k" })
    expect(problems).toEqual([{ code: "RUN_ACTIVE", kind: "call", message: expect.stringContaining(run) }])
    const { code, message } = problems[0]!
    await expect(runtime.run("lead", "go", { dedupe: "k" }).done).rejects.toMatchObject({ code, message })
  })

  test("a depth that is reached", async () => {
    const { runtime } = opened({ agent: { recursive: true, limits: { maxDepth: 1 } } })
    const { problems, depth } = await runtime.dryRun("lead", "go", { parents: ["lead", "lead"] })
    expect([depth, problems]).toEqual([
      2,
      [
        {
          kind: "call",
          message: expect.stringMatching(
            /^Maximum subagent nesting depth \(1\) reached\. Cannot spawn 'lead' at depth 1/,
          ),
        },
      ],
    ])
  })
})

test("nothing is kept, held, asked or made", async () => {
  const { top, worktrees } = temporaryRepository()
  const files = contents(top)
  const refuse = () => {
    throw new Error("a dry run keeps nothing")
  }
  const store = memoryStore()
  const looking: Store = {
    ...store,
    create: refuse,
    claim: refuse,
    append: refuse,
    send: refuse,
    putBlob: refuse,
    hold: refuse,
    letGo: refuse,
    remove: refuse,
  }
  let asked = 0
  const { runtime } = opened(
    {
      agent: { isolation: "worktree", cache: {}, model: "m" },
      runtime: {
        isolation: createWorktreeIsolation(worktrees),
        models: createModelSource({
          models: {
            m: {
              id: "m",
              stream: () => {
                asked++
                return refuse()
              },
            },
          },
        }),
      },
    },
    looking,
  )
  const { start, problems } = await runtime.dryRun("lead", "go", { cwd: top, dedupe: "k" })
  expect([problems, asked, start!.isolation!.branch]).toEqual([[], 0, "cadre/ID"])
  expect([contents(top), git(top, "branch", "--list"), fs.existsSync(worktrees)]).toEqual([
    files,
    "* main\n",
    false,
  ])
})

describe("hooks", () => {
  const spawn = { agent: "runner", prompt: "Run {{ command }}" }
  const lifecycle = createHookSource([
    {
      name: "mine",
      of: "user",
      hooks: {
        before_tool: [
          { name: "gate", tools: "shell", when: 'command == "x"', block: "no {{ command }}" },
          { tools: "Edit", rewrite_input: { a: 1 } },
        ],
      },
    },
    { name: "project", of: "project", hooks: { after_tool: { set_variable: { seen: true } } } },
    { name: "loose", of: "project", pickedOnly: true, hooks: { before_tool: { block: "x" } } },
  ])
  const agents: readonly AgentInput[] = [
    lead({ hooks: { before_tool: { spawn_agent: spawn } } }),
    {
      name: "runner",
      instructions: "You run.",
      hooks: { before_spawn: { spawn_agent: { ...spawn, mode: "before" } } },
    },
  ]
  const { runtime } = world({
    script: { lead: [] },
    agents,
    tools: [tool("Bash")],
    runtime: {
      lifecycle,
      hooks: [{ name: "code", judge: async () => ({ type: "pass" }), after: async () => ({}) }],
    },
  })
  const users = [
    {
      name: "mine: gate",
      of: "user",
      events: ["before_tool"],
      written: {
        of: "user",
        set: "mine",
        path: ["before_tool", 0],
        event: "before_tool",
        tools: ["Bash"],
        when: 'command == "x"',
        effects: [{ type: "block", reason: "no {{ command }}" }],
      },
      spares: [],
    },
    {
      name: "mine: before_tool.1",
      of: "user",
      events: ["before_tool"],
      written: {
        of: "user",
        set: "mine",
        path: ["before_tool", 1],
        event: "before_tool",
        tools: ["Edit"],
        effects: [{ type: "rewrite_input", input: { a: 1 } }],
      },
      spares: [],
      idle: { type: "tools" },
    },
  ]
  const projects = {
    name: "project: after_tool",
    of: "project",
    events: ["after_tool"],
    written: {
      of: "project",
      set: "project",
      path: ["after_tool"],
      event: "after_tool",
      effects: [{ type: "set_variable", name: "seen", value: true }],
    },
    spares: [],
  }
  const code = { name: "code", of: "program", events: ["before_tool", "after_tool"], spares: [] }

  test("in the order in which they judge, as they are written, with whom they spare", async () => {
    const { hooks } = await runtime.explain("lead")
    expect(hooks).toEqual([
      code,
      ...users,
      projects,
      {
        name: "agent lead: before_tool",
        of: "definition",
        events: ["before_tool"],
        written: {
          of: "definition",
          path: ["before_tool"],
          event: "before_tool",
          effects: [{ type: "spawn_agent", ...spawn, mode: "replace" }],
        },
        spares: ["runner"],
      },
    ])
  })

  test("that would go round in circles judge nothing, here and below", async () => {
    const idle = async (agent: string, ...parents: readonly string[]) =>
      (await runtime.explain(agent, { parents })).hooks.flatMap((hook) =>
        hook.idle ? [`${hook.name}: ${Object.values(hook.idle).join(" ")}`] : [],
      )
    const own = "agent runner: before_spawn: agent runner"
    expect(await idle("runner")).toEqual(["mine: before_tool.1: tools", own])
    const elsewhere = world({
      script: { lead: [] },
      runtime: {
        lifecycle: createHookSource([
          {
            name: "mine",
            of: "user",
            hooks: {
              run_start: { agents: "runner|other", block: "x" },
              before_model: { agents: "lea.*", block: "x" },
              SubagentStop: { hooks: [{ command: "x" }] },
            },
          },
        ]),
      },
    })
    expect((await elsewhere.runtime.explain("lead")).hooks.map(({ events, idle }) => [events, idle])).toEqual(
      [
        [["run_start"], { type: "agents" }],
        [["before_model"], undefined],
        [["stop"], { type: "runs" }],
      ],
    )
    expect(await idle("lead", "runner")).toEqual([
      "mine: before_tool.1: tools",
      "agent lead: before_tool: agent runner",
    ])
  })
})

test("a model of a package is looked for and not loaded", async () => {
  const folder = temporaryFolder({
    "node_modules/evil/package.json": '{"name":"evil","main":"index.js"}',
    "node_modules/evil/index.js": `require("node:fs").writeFileSync(${JSON.stringify("loaded")}, "")`,
  })
  const models = (name: string) =>
    createModelSource({
      packagesFrom: folder,
      environment: { PACKAGED: "key" },
      providers: { packaged: { protocol: "ai-sdk", package: name, key: "PACKAGED" } },
    })
  const problems = async (name: string) =>
    (
      await opened({ agent: { model: "packaged:x" }, runtime: { models: models(name) } }).runtime.dryRun(
        "lead",
        "go",
      )
    ).problems
  expect(await problems("evil")).toEqual([])
  expect([fs.existsSync("loaded"), fs.existsSync(path.join(folder, "loaded"))]).toEqual([false, false])
  expect(await problems("nobody-has-this")).toEqual([
    {
      code: "MODEL_UNKNOWN",
      kind: "here",
      part: "model",
      message: naming("not installed", "npm install --prefix"),
    },
  ])
})
