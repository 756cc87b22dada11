import { describe, expect, test } from "vitest"
import { type AgentInput, defineAgent } from "../../src/agent/agent.ts"
import { defineTool } from "../../src/agent/tool.ts"
import { createRuntime, type RuntimeOptions } from "../../src/assembly/create-runtime.ts"
import type { Store } from "../../src/run/log/store.ts"
import type { DelegationRule } from "../../src/run/ports/granted-tools.ts"
import { createMemoryCache } from "../../src/world/cache/memory-cache.ts"
import { type ModelScript, scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"

/** One rule holds for a whole tree, from its start to its end. */

type Parts = Partial<Omit<RuntimeOptions, "agents" | "tools">>

function worldOf(agents: readonly AgentInput[], script: ModelScript, parts: Parts = {}) {
  const ran: string[] = []
  const store = parts.store ?? memoryStore()
  const runtime = createRuntime({
    model: scriptedModel(script),
    ...parts,
    store,
    agents: agents.map((one) => defineAgent(one)),
    tools: ["Read", "Edit", "Bash"].map((name) =>
      defineTool<{ command?: string }>({
        name,
        description: name,
        effect: name === "Read" ? "read" : "opaque",
        input: { type: "object" },
        execute: ({ command = "" }) => {
          ran.push(`${name} ${command}`.trim())
          return { text: "done", evidence: { commands: [{ command, exitCode: 0 }] } }
        },
      }),
    ),
  })
  return { runtime, store, ran }
}

const use = (...tools: string[]) => ({ calls: tools.map((tool) => ({ tool, input: {} })) })
const call = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "go" } }] })
const done = { text: "done" }

const lead: AgentInput = { name: "lead", instructions: "Lead.", tools: ["Read", "Agent"] }
const worker: AgentInput = { name: "worker", instructions: "Work.", tools: ["Read", "Edit"] }
const script = { lead: [use("Read"), call("worker"), done], worker: [use("Read", "Edit"), done] }
const asking = [{ tool: "Read", decision: "ask" }] as const

/** As it was recorded before there was a rule. */
function withoutRule(store: Store): Store {
  return {
    ...store,
    async *read(run: string, ...rest) {
      for await (const event of store.read(run, ...rest)) {
        const { delegation: _, ceiling: __, ...before } = event as typeof event & Record<string, unknown>
        yield before as unknown as typeof event
      }
    },
  }
}

/** Starts a tree that rests at its first call, and lets another runtime go on with it. */
async function resumed(first: DelegationRule, then: DelegationRule, change = (store: Store) => store) {
  const { runtime, store } = worldOf([lead, worker], script, { delegation: first, rules: asking })
  const { run, approvals } = await runtime.run("lead", "go").done
  const later = worldOf([lead, worker], script, {
    delegation: then,
    store: change(store),
    otherwise: "allow",
  })
  await later.runtime.approve(run, approvals[0]!.call, "allow")
  let result = await later.runtime.resume(run).done
  for (; result.approvals.length > 0; result = await later.runtime.resume(run).done)
    for (const { run: asking, call } of result.approvals) await later.runtime.approve(asking, call, "allow")
  return later.ran
}

describe("a tree that is resumed", () => {
  test.each<[string, DelegationRule, DelegationRule, readonly string[], ((store: Store) => Store)?]>([
    ["own goes on as own", "own", "own", ["Edit", "Read", "Read"]],
    ["own can become narrow", "own", "narrow", ["Read", "Read"]],
    ["narrow never becomes own", "narrow", "own", ["Read", "Read"]],
    ["one without a rule is narrow", "own", "own", ["Read", "Read"], withoutRule],
  ])("%s", async (_, first, then, expected, change) => {
    expect([...(await resumed(first, then, change))].sort()).toEqual(expected)
  })
})

test("a result of one rule does not answer for the other", async () => {
  const agent = { ...worker, name: "lead", cache: true }
  const parts = { store: memoryStore(), cache: createMemoryCache() }
  const asked: string[] = []
  for (const delegation of ["own", "narrow", "own"] as const) {
    const { runtime } = worldOf([agent], { lead: [done] }, { ...parts, delegation })
    const { cached } = await runtime.run("lead", "go").done
    asked.push(cached ? "recorded" : "worked out")
  }
  expect(asked).toEqual(["worked out", "worked out", "recorded"])
})

describe("a command of a hook", () => {
  const hooked: AgentInput = { ...worker, hooks: { before_tool: [{ tools: "Edit", run: "look" }] } }
  const users = {
    hookSets: [
      { name: "mine", of: "user" as const, hooks: { before_tool: [{ tools: "Edit", run: "mine" }] } },
    ],
  }

  test.each<[string, AgentInput, AgentInput, Parts, readonly string[]]>([
    ["runs where nobody denies it", lead, hooked, {}, ["Read", "Read", "Bash look", "Edit"]],
    [
      "of a child is denied by what its caller is denied, and then gates",
      { ...lead, disallowedTools: ["Bash"] },
      hooked,
      {},
      ["Read", "Read"],
    ],
    [
      "is denied by another host's name for the tool",
      { ...lead, disallowedTools: ["run_shell_command"] },
      hooked,
      {},
      ["Read", "Read"],
    ],
    [
      "is refused where a rule of its caller asks",
      { ...lead, rules: [{ tool: "Bash", decision: "ask" }] },
      hooked,
      {},
      ["Read", "Read"],
    ],
    [
      "is not cut by a caller without the tool in its list",
      lead,
      hooked,
      {},
      ["Read", "Read", "Bash look", "Edit"],
    ],
    [
      "that is the person's own is switched off by no definition",
      { ...lead, disallowedTools: ["Bash"] },
      worker,
      users,
      ["Read", "Read", "Bash mine", "Edit"],
    ],
    [
      "that is the person's own is bound by the person's rules",
      lead,
      worker,
      { ...users, rules: [{ tool: "Bash", decision: "deny" }] },
      ["Read", "Read"],
    ],
  ])("%s", async (_, caller, child, parts, expected) => {
    const { runtime, ran } = worldOf([caller, child], script, parts)
    await runtime.run("lead", "go").done
    expect(ran).toEqual(expected)
  })
})

describe("no door adds a tool", () => {
  test("an agent that a run takes on itself adds none", async () => {
    const self: AgentInput = { ...worker, mode: "self" }
    const turns = { lead: [call("worker"), use("Edit"), done] }
    const { runtime, ran } = worldOf([lead, self], turns)
    await runtime.run("lead", "go").done
    expect(ran).toEqual([])
  })

  test("a fork has those of its tools that its caller has", async () => {
    const { runtime, ran } = worldOf([lead, { ...worker, context: "fork" }], script)
    await runtime.run("lead", "go").done
    expect(ran).toEqual(["Read", "Read"])
  })

  test("a fallback of a child is someone whom the same caller may call", async () => {
    const failing: AgentInput = { ...worker, fallback: ["other"] }
    const other: AgentInput = { ...worker, name: "other" }
    const turns = {
      lead: [call("worker"), done],
      worker: [{ error: { message: "out" } }],
      other: [use("Edit"), done],
    }
    const called = async (tools: readonly string[]) => {
      const { runtime, ran } = worldOf([{ ...lead, tools }, failing, other], turns)
      await runtime.run("lead", "go").done
      return ran
    }
    expect(await called(["Agent(worker)"])).toEqual([])
    expect(await called(["Agent(worker, other)"])).toEqual(["Edit"])
  })

  test("a run that a hook starts is bound by the run it fired in", async () => {
    const hooks = {
      before_tool: [{ tools: "Read", spawn_agent: { agent: "guard", prompt: "Look.", mode: "before" } }],
    }
    const turns = { lead: [use("Read"), done], guard: [use("Edit"), done] }
    const ranWith = async (disallowedTools: readonly string[]) => {
      const guard: AgentInput = { name: "guard", instructions: "Guard.", tools: ["Read", "Edit"] }
      const { runtime, ran } = worldOf([{ ...lead, hooks, disallowedTools }, guard], turns)
      await runtime.run("lead", "go").done
      return ran
    }
    expect(await ranWith([])).toEqual(["Edit", "Read"])
    // What the guard was refused keeps the call from going on.
    expect(await ranWith(["Edit"])).toEqual([])
  })
})
