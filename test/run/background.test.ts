import { describe, expect, test } from "vitest"
import { type AgentInput, defineAgent } from "../../src/agent/agent.ts"
import type { Json } from "../../src/ground/message.ts"
import type { Store, StoredEvent } from "../../src/run/log/store.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { storeWith } from "../crash/store-with.ts"
import { expectSound, results, stateOf, world } from "../kit.ts"
import { naming } from "../naming.ts"
import { hand, short, start } from "./around-kit.ts"
import { bash, run as runHooked } from "./lifecycle-kit.ts"
import { pipelineWorld } from "./pipeline-kit.ts"

/** `background: true` in a definition: a model that calls the agent does not wait for it. */
const agents = (helper: Partial<AgentInput> = { background: true }): readonly AgentInput[] => [
  { name: "lead", instructions: "Lead." },
  { name: "helper", instructions: "Help.", ...helper },
  { name: "next", instructions: "Help, too." },
]

const startedAs = (run: string) => naming("background", run, "report")
const started = startedAs("R.1")

/** How the children of a run were started, and what its model read of them. */
async function toldOf(store: Store, run: string) {
  const modes: Json[] = []
  for await (const event of store.read(run))
    if (event.type === "child-start") modes.push((event as unknown as { mode: string }).mode)
  const messages = [...(await stateOf(store, run)).messages]
  return {
    modes,
    results: short(await results(store, run)),
    reports: messages.filter(({ role, text }) => role === "user" && text.includes("<report")).length,
  }
}

/** All that was recorded of a tree, in order. */
async function logOf(store: Store, root: string): Promise<readonly StoredEvent[]> {
  const log: StoredEvent[] = []
  for await (const event of store.follow(root, {}, new AbortController().signal)) {
    log.push(event)
    if (event.run === root && event.type === "run-end") break
  }
  return log
}

describe("an agent that says `background` is not waited for", () => {
  const script: ModelScript = {
    lead: [{ calls: [hand("helper")] }, { text: "meanwhile" }, { text: "now I know" }],
    helper: [{ text: "report", delayMs: 30 }],
    next: [{ text: "report" }],
  }
  const inBackground = { modes: ["background"], results: [started], reports: 1 }
  test.each<[string, Partial<AgentInput>, ModelScript, object]>([
    ["where a model calls it", { background: true }, script, inBackground],
    [
      "where the call says so, too",
      { background: true },
      { ...script, lead: [{ calls: [start("helper")] }, ...(script.lead as []).slice(1)] },
      inBackground,
    ],
    [
      "but where it says false",
      { background: false },
      script,
      { modes: ["wait"], results: ["report"], reports: 0 },
    ],
    [
      "and neither is the fallback that gets its task",
      { background: true, fallback: ["next"] },
      { ...script, helper: [{ error: { message: "down" } }] },
      { modes: ["background", "background"], results: [started], reports: 1 },
    ],
  ])("%s", async (_, helper, given, told) => {
    const { runtime, store } = world({ script: given, agents: agents(helper) })
    const { id, done } = runtime.run("lead", "go")
    expect((await done).outcome).toEqual({ type: "completed" })
    expect(await toldOf(store, id)).toEqual(told)
    await expectSound(store, id)
  })

  test("also where an ended run of it is continued", async () => {
    const again = { tool: "Agent", input: { prompt: "more", continues: ".1" } }
    const { runtime, store } = world({
      script: {
        lead: [
          { calls: [hand("helper")] },
          { text: "waits" },
          { calls: [again] },
          { text: "waits" },
          { text: "done" },
        ],
        helper: [{ text: "report" }, { text: "report" }],
      },
      agents: agents().slice(0, 2),
    })
    const { id, done } = runtime.run("lead", "go")
    await done
    expect(await toldOf(store, id)).toEqual({
      modes: ["background", "background"],
      results: [started, startedAs("R.2")],
      reports: 2,
    })
  })
})

describe("it is waited for", () => {
  test("where a hook starts it, which has a mode of its own", async () => {
    const hooks: Json = {
      on_before_tool: [{ when: 'tool_name == "Bash"', spawn_agent: { agent: "runner", prompt: "x" } }],
    }
    const { results: told } = await runHooked(
      hooks,
      { lead: [{ calls: [bash("make")] }, { text: "done" }], runner: [{ text: "all green" }] },
      {
        agents: [
          { name: "lead", instructions: "Lead." },
          { name: "runner", instructions: "Run.", background: true },
        ],
      },
    )
    expect(told).toEqual([expect.stringMatching(/handed.*Bash.*runner.*all green.?$/s)])
  })

  test("where a pipeline starts it, which needs its result", async () => {
    const worker = defineAgent({ name: "worker", instructions: "Work.", background: true })
    const { run } = pipelineWorld({
      agents: [worker],
      pipeline: {
        steps: [{ id: "one", agent: "worker", prompt: "a" }],
        outputs: { text: "{{ steps.one.output }}" },
      },
      answers: () => ({ text: "worked" }),
    })
    const { outcome, value } = await run().done
    expect({ outcome, value }).toEqual({ outcome: { type: "completed" }, value: { text: "worked" } })
  })
})

test("a tree with one goes on after a death at any event, in the mode that it was started in", async () => {
  const script: ModelScript = {
    lead: [{ calls: [hand("helper")] }, ...Array.from({ length: 6 }, () => ({ text: "done" }))],
    helper: Array.from({ length: 6 }, () => ({ text: "report" })),
  }
  const open = (store: Store, background: boolean) =>
    world({ store, script, agents: agents({ background }).slice(0, 2) }).runtime
  const whole = memoryStore()
  const handle = open(whole, true).run("lead", "go")
  const { id } = handle
  await handle.done
  const log = await logOf(whole, id)
  const expected = { modes: ["background"], results: [started], reports: 1 }
  expect(await toldOf(whole, id)).toEqual(expected)
  const begun = log.findIndex(({ type }) => type === "child-start")
  for (let length = 1; length < log.length; length++) {
    const store = await storeWith(log.slice(0, length), whole)
    // The definition of today counts only for a child that was not recorded yet.
    const { outcome } = await open(store, length <= begun).resume(id).done
    expect({ length, outcome, ...(await toldOf(store, id)) }).toEqual({
      length,
      outcome: { type: "completed" },
      ...expected,
    })
    await expectSound(store, id)
  }
})
