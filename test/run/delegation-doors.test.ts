import { describe, expect, test } from "vitest"
import { type Agent, type AgentInput, defineAgent } from "../../src/agent/agent.ts"
import { type Access, defineTool, type Tool } from "../../src/agent/tool.ts"
import { createRuntime, type RuntimeOptions } from "../../src/assembly/create-runtime.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { agentTool } from "../../src/world/tools/agent.ts"
import { results, stateOf } from "../kit.ts"
import { naming } from "../naming.ts"

/** Ways by which something could be had that was denied. */

const accessesOf: Readonly<Record<string, (input: { at?: string }) => readonly Access[]>> = {
  Read: ({ at = "/a" }) => [{ type: "read", path: at }],
  Edit: ({ at = "/a" }) => [{ type: "write", path: at }],
  Write: ({ at = "/a" }) => [{ type: "write", path: at }],
  Bash: ({ at = "true" }) => [{ type: "command", text: at }],
}

const noting = (ran: string[], names: readonly string[]): readonly Tool[] =>
  names.map((name) =>
    defineTool<{ at?: string; command?: string }>({
      name,
      description: name,
      effect: name === "Read" ? "read" : "opaque",
      input: { type: "object" },
      ...(accessesOf[name] && { accesses: accessesOf[name] }),
      execute: ({ at = "", command = "" }) => {
        ran.push(`${name} ${at}${command}`.trim())
        return { text: "done", evidence: { commands: [{ command, exitCode: 0 }] } }
      },
    }),
  )

type Parts = Partial<Omit<RuntimeOptions, "agents" | "tools">>

interface World extends Parts {
  readonly agents: readonly AgentInput[]
  readonly script: ModelScript
  readonly names?: readonly string[]
  readonly extra?: readonly Tool[]
}

function worldOf({ agents, script, names = ["Read", "Edit", "Write", "Bash"], extra = [], ...more }: World) {
  const ran: string[] = []
  const store = more.store ?? memoryStore()
  const runtime = createRuntime({
    model: scriptedModel(script),
    ...more,
    store,
    agents: agents.map((one): Agent => defineAgent(one)),
    tools: [...noting(ran, names), ...extra],
  })
  return { runtime, store, ran }
}

const call = (agent: string, tool = "Agent", more: object = {}) => ({
  calls: [{ tool, input: { agent, prompt: "go", ...more } }],
})
const use = (tool: string, at: string) => ({ calls: [{ tool, input: { at } }] })
const done = { text: "done" }
const broken = { error: { message: "out of order", retryable: false } }

describe("a root's fallback is someone whom its denials leave", () => {
  const agents = (more: Partial<AgentInput>): readonly AgentInput[] => [
    { name: "lead", instructions: "Lead.", tools: ["Read"], fallback: ["surfer"], ...more },
    { name: "surfer", instructions: "Surf.", tools: ["Read", "Bash"], aliases: ["webber"] },
  ]
  const script = { lead: [broken], surfer: [use("Bash", "ls"), done] }

  test.each<[string, Partial<AgentInput>, Parts, readonly string[]]>([
    ["nothing is denied", {}, {}, ["Bash ls"]],
    ["its own list denies it", { disallowedTools: ["Agent(surfer)"] }, {}, []],
    ["by its alias", { disallowedTools: ["Agent(webber)"] }, {}, []],
    ["the configuration denies it", {}, { rules: [{ tool: "Agent(surfer)", decision: "deny" }] }, []],
    ["the configuration asks", {}, { rules: [{ tool: "Agent(surfer)", decision: "ask" }] }, []],
    ["it was not trusted with it", {}, { reach: () => [] }, []],
  ])("%s", async (_, more, parts, expected) => {
    const { runtime, ran } = worldOf({ agents: agents(more), script, ...parts })
    await runtime.run("lead", "go").done
    expect(ran).toEqual(expected)
  })
})

test("who asks for more since a run rested is not called from it, nor from below it", async () => {
  let reach: readonly string[] = ["mid", "helper"]
  const agents: readonly AgentInput[] = [
    { name: "lead", instructions: "Lead.", tools: ["Agent"] },
    { name: "mid", instructions: "Go between.", tools: ["Agent"] },
    { name: "helper", instructions: "Help.", tools: ["Bash"] },
  ]
  const script = { lead: [call("mid"), done], mid: [call("helper"), done], helper: [use("Bash", "ls"), done] }
  const store = memoryStore()
  const parts = {
    agents,
    script,
    store,
    reach: (agent: Agent) => (agent.name === "lead" ? reach : undefined),
    rules: [{ tool: "Agent(mid)", decision: "ask" }] as const,
  }
  const first = worldOf(parts)
  const { run, approvals } = await first.runtime.run("lead", "go").done
  expect(approvals.length).toBe(1)
  reach = ["mid"]
  const second = worldOf(parts)
  await second.runtime.approve(run, approvals[0]!.call, "allow")
  await second.runtime.resume(run).done
  expect(second.ran).toEqual([])
  expect(await results(store, `${run}.1`)).toEqual([
    expect.stringMatching(/^Agent "mid" may not call "helper".*asks.*shows.*It may call: none.?$/),
  ])
})

describe("an agent is meant by whichever of its names a rule has", () => {
  test.each<[string, Partial<AgentInput>, string, readonly string[]]>([
    ["a denial by the alias, a call by the alias", { disallowedTools: ["Agent(deployer)"] }, "deployer", []],
    ["a denial by the alias, a call by the name", { disallowedTools: ["Agent(deployer)"] }, "deploy", []],
    ["a denial by the name, a call by the alias", { disallowedTools: ["Agent(deploy)"] }, "deployer", []],
    ["a list with the alias", { tools: ["Agent(deployer)"] }, "deploy", ["Bash ls"]],
    ["a rule with the alias", { rules: [{ tool: "Agent(deployer)", decision: "deny" }] }, "deploy", []],
  ])("%s", async (_, more, called, expected) => {
    const { runtime, ran } = worldOf({
      agents: [
        { name: "lead", instructions: "Lead.", tools: ["Agent"], ...more },
        { name: "deploy", instructions: "Deploy.", aliases: ["deployer"], tools: ["Bash"] },
      ],
      script: { lead: [call(called), done], deploy: [use("Bash", "ls"), done] },
    })
    await runtime.run("lead", "go").done
    expect(ran).toEqual(expected)
  })
})

describe("what stands in parentheses binds every tool that the name stands for", () => {
  test.each([
    ["Edit", "/src/a", ["Edit /src/a"]],
    ["Write", "/src/a", ["Write /src/a"]],
    ["Edit", "/etc/a", []],
    ["Write", "/etc/a", []],
  ])("fs_write(/src/**): %s %s", async (tool, at, expected) => {
    const { runtime, ran } = worldOf({
      agents: [{ name: "one", instructions: "Do.", tools: ["fs_write(/src/**)"] }],
      script: { one: [use(tool, at), done] },
    })
    await runtime.run("one", "go").done
    expect(ran).toEqual(expected)
  })
})

describe("the tool that hands work on may have another name", () => {
  test.each<[string, Partial<AgentInput>, readonly string[]]>([
    ["a list names it", { tools: ["Task(b)"] }, ["Bash ls"]],
    ["a list names somebody else", { tools: ["Task(c)"] }, []],
    ["a denial of one agent", { tools: ["Task"], disallowedTools: ["Task(b)"] }, []],
    ["a denial by our name", { tools: ["Task"], disallowedTools: ["Agent(b)"] }, []],
    ["a rule", { tools: ["Task"], rules: [{ tool: "Task(b)", decision: "deny" }] }, []],
  ])("%s", async (_, more, expected) => {
    const { runtime, ran } = worldOf({
      agents: [
        { name: "lead", instructions: "Lead.", ...more },
        { name: "b", instructions: "Be.", tools: ["Bash"] },
        { name: "c", instructions: "See.", tools: [] },
      ],
      extra: [agentTool({ name: "Task" })],
      script: { lead: [call("b", "Task"), done], b: [use("Bash", "ls"), done] },
    })
    await runtime.run("lead", "go").done
    expect(ran).toEqual(expected)
  })

  test("whom it reaches counts for isolation", async () => {
    const { runtime } = worldOf({
      agents: [
        { name: "lead", instructions: "Lead.", tools: ["Task"] },
        { name: "b", instructions: "Be.", tools: ["Write"] },
      ],
      extra: [agentTool({ name: "Task" })],
      script: {},
    })
    expect((await runtime.explain("lead")).reach).toEqual([{ name: "b", tools: ["Write"] }])
  })
})

describe("a denial that could mean nothing is refused", () => {
  test.each(["B*(npm:*)", "gh:*", "Bahs*"])("%s", async (denied) => {
    const agents = [{ name: "one", instructions: "Do.", tools: ["Bash"], disallowedTools: [denied] }]
    expect(() => worldOf({ agents, script: {} })).toThrow(
      expect.objectContaining({
        code: "TOOL_UNKNOWN",
        message: naming('Agent "one"', `${JSON.stringify(denied)}`, "registered"),
      }),
    )
  })

  test.each(["mcp__*", "run_shell*", "B*", "Task*", "Notebook*"])("%s is none of those", async (denied) => {
    const agents = [{ name: "one", instructions: "Do.", tools: ["Bash"], disallowedTools: [denied] }]
    const { runtime, ran } = worldOf({ agents, script: { one: [use("Bash", "ls"), done] } })
    await runtime.run("one", "go").done.catch(() => undefined)
    expect(ran).toEqual(["run_shell*", "B*"].includes(denied) ? [] : ["Bash ls"])
  })
})

describe("a continued run has nothing that the ended one was refused", () => {
  const lead: AgentInput = { name: "lead", instructions: "Lead.", tools: ["Read", "Bash(git:*)", "Agent"] }

  test.each<[string, AgentInput, Parts]>([
    ["no list, in code", { name: "w", instructions: "Work." }, {}],
    ["a fork", { name: "w", instructions: "Work.", tools: ["Read", "Edit", "Bash"], context: "fork" }, {}],
    ["narrow", { name: "w", instructions: "Work.", tools: ["Bash", "Edit"] }, { delegation: "narrow" }],
  ])("%s", async (_, w, parts) => {
    const store = memoryStore()
    const refused = [
      {
        calls: [
          { tool: "Bash", input: { at: "npm test" } },
          { tool: "Edit", input: {} },
        ],
      },
      done,
    ]
    const first = worldOf({
      agents: [lead, w],
      store,
      script: { lead: [call("w"), done], w: refused },
      ...parts,
    })
    const { run } = await first.runtime.run("lead", "go").done
    const again = worldOf({ agents: [lead, w], store, script: { w: [...refused, ...refused] }, ...parts })
    const next = await again.runtime.run("w", "go", { continues: `${run}.1` }).done
    expect([...first.ran, ...again.ran]).toEqual([])
    const told = await results(store, next.run)
    expect(told.map((text) => text.startsWith("Not permitted: "))).toEqual([true, true, true, true])
  })
})

test.each<[string, Partial<AgentInput>, Parts]>([
  ["itself", { disallowedTools: ["Write"] }, {}],
  ["by its rules", { rules: [{ tool: "Write", decision: "deny" }] }, {}],
  ["by the configuration", {}, { rules: [{ tool: "Write", decision: "deny" }] }],
])("a continued run says that the one before it was denied a tool: %s", async (_, more, parts) => {
  const store = memoryStore()
  const lead: AgentInput = { name: "lead", instructions: "Lead.", tools: ["Read", "Write"] }
  const script = { lead: [done] }
  const { run } = await worldOf({ agents: [{ ...lead, ...more }], store, script, ...parts }).runtime.run(
    "lead",
    "go",
  ).done
  const again = worldOf({ agents: [lead], store, script: { lead: [done, done] } })
  const { proof } = await again.runtime.run("lead", "go", { continues: run }).done
  expect(proof.warnings.filter((text) => text.includes("Write"))).toEqual([
    naming('"lead"', `Write: run ${run}, which it continues, was denied it`, "it", "continuing"),
  ])
})

test("a tree that was started without commands runs none for its hooks, also after a resume with more tools", async () => {
  const store = memoryStore()
  const agents: readonly AgentInput[] = [
    { name: "one", instructions: "Do.", hooks: { after_tool: [{ run: "touch hooked" }] } },
  ]
  const parts = {
    agents,
    store,
    script: { one: [use("Read", "/a"), done] },
    rules: [{ tool: "Read", decision: "ask" }] as const,
  }
  const first = worldOf({ ...parts, names: ["Read"] })
  const { run, approvals } = await first.runtime.run("one", "go").done
  const second = worldOf(parts)
  await second.runtime.approve(run, approvals[0]!.call, "allow")
  await second.runtime.resume(run).done
  expect(second.ran).toEqual(["Read /a"])
})

describe("a person's own hook", () => {
  const guarded = {
    agents: [
      { name: "one", instructions: "Do.", tools: ["Bash"], disallowedTools: ["Read", "Agent"] },
      { name: "guard", instructions: "Guard.", tools: ["Read"] },
    ],
    script: { one: [use("Bash", "ls"), done], guard: [done] },
  } as const
  const hook = (mode: string) => ({
    hookSets: [
      {
        name: "mine",
        of: "user" as const,
        hooks: { before_tool: [{ spawn_agent: { agent: "guard", prompt: "Look.", mode } }] },
      },
    ],
  })

  test("whose agent has no tool left gates the call all the same", async () => {
    const { runtime, ran } = worldOf({ ...guarded, ...hook("before") })
    const { run } = await runtime.run("one", "go").done
    expect({ ran, run: typeof run }).toEqual({ ran: [], run: "string" })
  })

  test("whose agent cannot start beside the call is told of in the result", async () => {
    const { runtime } = worldOf({ ...guarded, ...hook("background") })
    const { proof } = await runtime.run("one", "go").done
    expect(proof.warnings.filter((warning) => warning.includes("guard could not start"))).toHaveLength(1)
  })

  test("is bound by the person's rules, and not by those that a project adds", async () => {
    const { runtime, store } = worldOf({
      agents: [{ name: "one", instructions: "Do.", tools: ["Bash"] }, guarded.agents[1]],
      script: guarded.script,
      ...hook("background"),
      rules: [{ tool: "Agent(guard)", decision: "deny" }],
      ownRules: { rules: [] },
    })
    const { run } = await runtime.run("one", "go").done
    expect((await stateOf(store, `${run}.1`)).start?.agent).toBe("guard")
  })
})

test("whom a pipeline has work is written in its steps, whatever its caller's list says in parentheses", async () => {
  const { runtime, ran } = worldOf({
    agents: [
      { name: "lead", instructions: "Lead.", tools: ["Bash", "Agent(p)"] },
      {
        name: "p",
        instructions: "",
        pipeline: { steps: [{ id: "one", agent: "b", prompt: "go" }] },
      } as unknown as AgentInput,
      { name: "b", instructions: "Be.", tools: ["Bash"] },
    ],
    script: { lead: [call("p"), done], b: [use("Bash", "ls"), done] },
  })
  await runtime.run("lead", "go").done
  expect(ran).toEqual(["Bash ls"])
})

test("a tool of a program that has another host's name for ours is itself", async () => {
  const { runtime, ran, store } = worldOf({
    agents: [
      { name: "lead", instructions: "Lead.", tools: ["Agent"], disallowedTools: ["execute"] },
      { name: "b", instructions: "Be.", tools: ["Bash", "execute"] },
    ],
    names: ["Bash", "execute"],
    script: { lead: [call("b"), done], b: [use("Bash", "ls"), done] },
  })
  const { run } = await runtime.run("lead", "go").done
  expect({ tools: (await stateOf(store, `${run}.1`)).start?.tools, ran }).toEqual({
    tools: ["Bash"],
    ran: ["Bash ls"],
  })
})

test("plan mode keeps nobody from being reached", async () => {
  const { runtime } = worldOf({
    agents: [
      { name: "lead", instructions: "Lead.", tools: ["Agent"], permissionMode: "plan" },
      { name: "b", instructions: "Be.", tools: ["Read"] },
    ],
    script: {},
  })
  expect((await runtime.explain("lead")).reach).toEqual([{ name: "b", tools: ["Read"] }])
})
