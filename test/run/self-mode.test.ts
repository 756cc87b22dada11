import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { Json } from "../../src/ground/message.ts"
import type { Store } from "../../src/run/log/store.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { orderedLog } from "../cases/support.ts"
import { storeWith } from "../crash/store-with.ts"
import { collect, expectSound, results, stateOf } from "../kit.ts"
import { naming } from "../naming.ts"
import { call, workflowWorld } from "./workflow-kit.ts"

const lead: AgentInput = { name: "lead", instructions: "Lead.", variables: { mine: 1, both: "lead" } }
const builder: AgentInput = {
  name: "builder",
  instructions: "Build well.",
  mode: "self",
  tools: ["Read", "Edit", "Agent"],
  variables: { both: "builder", fixed: "builder" },
  callVariables: ["level"],
  workflow: {
    variables: { ready: false },
    steps: [
      {
        name: "look",
        allowed_tools: ["Read", "Agent"],
        on_success: { tool: "Read", set_variable: { ready: true } },
        transitions: { to: "write", when: "vars.ready" },
      },
      { name: "write" },
    ],
  },
}
const helper: AgentInput = { name: "helper", instructions: "Help." }

const taking = (input: { readonly [name: string]: Json } = {}) =>
  call("Agent", { agent: "builder", prompt: "Build it.", ...input })

interface More {
  readonly agents?: readonly AgentInput[]
  readonly store?: Store
  readonly hooks?: Json
}

const open = (script: ModelScript, { agents = [lead, builder, helper], ...more }: More = {}) =>
  workflowWorld(script, {
    agents,
    ...more,
    runtime: { variables: { fixed: "configuration" }, lockedVariables: ["fixed"] },
  })

async function run(script: ModelScript, more: More = {}) {
  const opened = open(script, more)
  const handle = opened.runtime.run("lead", "go")
  const events = await collect(handle)
  const { proof, outcome } = await handle.done
  await expectSound(opened.store, handle.id)
  const state = await stateOf(opened.store, handle.id)
  return {
    ran: opened.ran,
    results: await results(opened.store, handle.id),
    agents: events.flatMap((event) => (event.type === "run-start" ? [event.agent] : [])),
    notes: [...state.messages].flatMap(({ role, text }) => (role === "user" ? [text] : [])).slice(1),
    state,
    proof,
    outcome,
  }
}

const script: ModelScript = {
  lead: [
    call("Bash"),
    taking({ variables: { level: 2 } }),
    call("Edit"),
    call("Read"),
    call("Edit"),
    call("Bash"),
    call("Agent", { agent: "helper", prompt: "help" }),
    { text: "done" },
  ],
  helper: [call("Bash"), call("Read"), { text: "report" }],
}

describe("an agent of the mode self", () => {
  test("is taken on by the run that calls it: no child, its instructions, variables, workflow and narrower rights", async () => {
    const { agents, results, ran, state, proof, notes } = await run(script)
    expect(agents).toEqual(["lead", "helper"])
    expect(results).toEqual([
      "ran Bash",
      expect.stringMatching(
        /builder.*Follow.*Build well\.\n\nYour task: Build it.*still.*Read, Edit, Agent.?$/s,
      ),
      "Not permitted: Tool 'Edit' is not allowed in the 'look' step.\nAllowed tools: Read, Agent",
      "ran Read",
      "ran Edit",
      expect.stringMatching(/permitted.*Bash.*the tools of agent "builder"/),
      "report",
    ])
    // What it starts from then on is bound as it is.
    expect(ran).toEqual(["lead: Bash", "lead: Read", "lead: Edit", "helper: Read"])
    expect(state.variables).toEqual({
      mine: 1,
      both: "builder",
      fixed: "configuration",
      ready: true,
      level: 2,
    })
    expect([proof.workflow, proof.activated]).toEqual([
      { name: "builder", step: "write", status: "complete" },
      ["builder"],
    ])
    expect(notes).toEqual([
      expect.stringMatching(/^You are in the step 'look' \(1 of 2\) of the workflow 'builder'\./),
      expect.stringMatching(/^Step transition: look → write\n/),
    ])
  })

  test("is the same after a crash, wherever the log is cut off", async () => {
    const findings = async (store: Store, id: string) => {
      await expectSound(store, id)
      const { variables, step, hooks, rights, messages, end } = await stateOf(store, id)
      const texts = [...messages].map(({ text }) => text)
      return {
        variables,
        step: step?.name,
        hooks,
        rights: rights.map(({ of }) => of),
        texts,
        outcome: end?.outcome,
      }
    }
    const { runtime, store } = open(script)
    const { run: id } = await runtime.run("lead", "go").done
    const expected = await findings(store, id)
    const log = await orderedLog(store, id)
    for (let length = 1; length < log.length; length++) {
      const cut = await storeWith(log.slice(0, length), store)
      await open(script, { store: cut }).runtime.resume(id).done
      expect({ length, ...(await findings(cut, id)) }).toEqual({ length, ...expected })
    }
  })

  const seeing: Json = {
    after_tool: [
      { tools: "Agent", run: "look" },
      {
        tools: "Agent",
        set_variable: { seen: "{{ tool_input.agent }} {{ status }} {{ variables.both }}", ready: true },
        inject_context: "Mind {{ tool_input.agent }}.",
      },
    ],
  }

  test("is shown to hooks when it has been taken on, with what it sets, and beside what its workflow does", async () => {
    const { state, ran, notes } = await run({ lead: [taking(), { text: "done" }] }, { hooks: seeing })
    expect([ran, state.variables]).toEqual([
      ["lead: Bash look"],
      { mine: 1, both: "builder", fixed: "configuration", ready: true, seen: "builder ok builder" },
    ])
    expect(notes.slice(0, 2)).toEqual([
      "Note from a hook: Mind builder.",
      expect.stringMatching(/^You are in the step 'look' \(1 of 2\) of the workflow 'builder'\./),
    ])
  })

  test("is shown to hooks where it could not be taken on", async () => {
    const { state } = await run(
      { lead: [taking({ model: "other" }), { text: "done" }] },
      { hooks: { after_tool: { set_variable: { seen: "{{ tool_input.agent }} {{ status }}" } } } },
    )
    expect([state.variables.seen, state.activated]).toEqual(["builder error", undefined])
  })

  test("is taken on after a crash inside of a hook that saw it, whose command does not run again", async () => {
    const { runtime, store } = open({ lead: [taking(), { text: "done" }] }, { hooks: seeing })
    const { run: id } = await runtime.run("lead", "go").done
    const log = await orderedLog(store, id)
    const cut = await storeWith(log.slice(0, log.findIndex(({ type }) => type === "hook-start") + 1), store)
    const again = open({ lead: [taking(), { text: "done" }] }, { hooks: seeing, store: cut })
    await again.runtime.resume(id).done
    const { activated = [], variables } = await stateOf(cut, id)
    expect([again.ran, activated.map(({ agent }) => agent), variables.both]).toEqual([
      [],
      ["builder"],
      "builder",
    ])
  })

  test("goes on with what it began with, whatever has become of the definition", async () => {
    const { runtime, store } = open(script)
    const { run: id } = await runtime.run("lead", "go").done
    const log = await orderedLog(store, id)
    const at = log.findIndex((event) => "activates" in event)
    const cut = await storeWith(log.slice(0, at + 1), store)
    await open(script, { agents: [lead, { ...helper, name: "builder" }, helper], store: cut }).runtime.resume(
      id,
    ).done
    expect((await results(cut, id))[2]).toContain("is not allowed in the 'look' step")
  })

  test("cannot be started by itself", async () => {
    const { runtime } = open(script)
    await expect(runtime.run("builder", "go").done).rejects.toMatchObject({
      code: "MODE_REFUSED",
      message: expect.stringContaining("its `mode` is self"),
    })
  })

  test("is not what a hook spawns", async () => {
    const { results, agents } = await run(
      { lead: [call("Read"), { text: "done" }] },
      { hooks: { before_tool: { tools: "Read", spawn_agent: { agent: "builder", prompt: "x" } } } },
    )
    expect([agents, results]).toEqual([["lead"], [expect.stringContaining("its `mode` is self")]])
  })
})

describe("a call in the mode self", () => {
  const plain: AgentInput = {
    name: "plain",
    instructions: "Be plain about {{task}}.",
    disallowedTools: ["Bash"],
  }
  const asking = (input: { readonly [name: string]: Json } = {}) =>
    call("Agent", { agent: "plain", prompt: "it", mode: "self", ...input })

  test("takes on any agent that can be", async () => {
    const { agents, results, proof } = await run(
      { lead: [asking(), call("Bash"), call("Read"), { text: "done" }] },
      { agents: [lead, plain] },
    )
    expect([agents, proof.activated, proof.workflow]).toEqual([["lead"], ["plain"], undefined])
    expect(results).toEqual([
      expect.stringContaining("Be plain about it."),
      expect.stringContaining('denied by the rules of agent "plain"'),
      "ran Read",
    ])
  })

  test.each<[string, Partial<AgentInput>, { [name: string]: Json }, string]>([
    ["a result of its own", { result: { type: "object" } }, {}, "its definition has `result`"],
    ["hooks of its own", { hooks: {} }, {}, expect.stringMatching(/mode.*headless/)],
    ["hooks of its own and no other mode", { hooks: {}, mode: "self" }, {}, "Remove `hooks`"],
    [
      "hooks and no place of its own",
      { hooks: {}, isolation: "none" },
      {},
      "its definition has `hooks`, which",
    ],
    ["a place of its own", { isolation: "worktree" }, {}, "its definition has `isolation`"],
    ["another model", {}, { model: "other" }, "so model cannot be set for it"],
    ["less time", {}, { timeout: 1 }, "so timeout cannot be set for it"],
    [
      "a variable that a call may not set",
      {},
      { variables: { n: 1 } },
      expect.stringMatching(/call.*variable.*"n".?$/),
    ],
    ["a workflow that is not there", { workflow: "dev" }, {}, 'names the workflow "dev"'],
    ["a workflow that is wrong", { workflow: { steps: [] } }, {}, expect.stringMatching(/workflow.*least/)],
  ])("refuses an agent with %s, and the run goes on as it was", async (_, more, input, problem) => {
    const { results, state } = await run(
      { lead: [asking(input), call("Bash"), { text: "done" }] },
      { agents: [lead, { ...plain, ...more }] },
    )
    expect(results).toEqual([expect.stringContaining(`Cannot activate 'plain': `), "ran Bash"])
    expect([results[0], state.activated]).toEqual([naming(problem), undefined])
  })

  test("refuses a second workflow before the first is complete, and takes it on after that", async () => {
    const second: AgentInput = {
      name: "second",
      instructions: "x",
      workflow: { steps: [{ name: "only", allowed_tools: [] }] },
    }
    const again = call("Agent", { agent: "second", prompt: "x", mode: "self" })
    const { results, state } = await run(
      { lead: [taking(), again, call("Read"), again, call("Read"), { text: "done" }] },
      { agents: [lead, builder, second] },
    )
    expect(results.slice(1)).toEqual([
      expect.stringMatching(/^Cannot activate 'second'.*workflow.*'look'.*'builder'.*Complete/),
      "ran Read",
      expect.stringContaining("You are the agent second from here on"),
      "Not permitted: Tool 'Read' is not allowed in the 'only' step.\nAllowed tools: none",
    ])
    expect([state.hooks, state.step?.workflow]).toEqual([["workflow:second"], "second"])
  })
})
