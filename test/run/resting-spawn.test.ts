import { describe, expect, test } from "vitest"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import type { Json } from "../../src/ground/message.ts"
import type { Store, StoredEvent } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { storeWith } from "../crash/store-with.ts"
import { expectSound, results, stateOf, tool, world } from "../kit.ts"

const pytest = { tool: "Bash", input: { command: "pytest" } }
const look = { tool: "look", input: {} }

const spawning = (event: string, agent = "runner"): Json => ({
  [event]: [
    {
      agents: "lead",
      when: "turn <= 1",
      spawn_agent: { agent, prompt: "Look at {{ task }}", mode: "background" },
    },
  ],
})

const idle = { text: "done" }

function open(hooks: Json, store: Store = memoryStore(), ran: string[] = []) {
  return world({
    store,
    script: {
      lead: [{ calls: [pytest] }, idle, idle, idle],
      runner: [{ calls: [look] }, { calls: [look] }, { text: "looked" }],
      flaky: [{ error: { kind: "fatal", message: "no" } as never }],
    },
    agents: [
      { name: "lead", instructions: "x" },
      { name: "runner", instructions: "x" },
      { name: "flaky", instructions: "x", fallback: ["runner"] },
    ],
    tools: [
      tool("Bash", ({ command }) => {
        ran.push(String(command))
        return `ran ${command}`
      }),
      tool("look"),
    ],
    runtime: {
      rules: [{ tool: "Bash", decision: "ask" }],
      lifecycle: createHookSource([{ name: "project", of: "project", hooks }]),
    },
  })
}

/** What there is of the run and of the one beside it, when it rests and when it has ended. */
async function told(store: Store, run: string) {
  await expectSound(store, run)
  const [lead, runner] = await Promise.all([stateOf(store, run), stateOf(store, `${run}.1`)])
  return {
    lead: lead.end?.outcome.type ?? "open",
    runner: runner.end?.outcome,
    looks: runner.evidence.calls,
    heard: [...lead.messages, ...lead.inbox].filter(({ text }) => text.includes("looked")).length,
  }
}

/** All that was recorded until the run heard of the one beside it, and rests. */
async function untilReport(store: Store, run: string): Promise<readonly StoredEvent[]> {
  const log: StoredEvent[] = []
  for await (const event of store.follow(run, {}, new AbortController().signal)) {
    log.push(event)
    if (event.run === run && event.type === "child-end") break
  }
  return log
}

const beside = { runner: { type: "completed" }, looks: { look: 2 }, heard: 1 }

describe("an agent that a hook spawns in the background while the run waits for approval", () => {
  test.each(["before_tool", "run_start", "after_model"])("at %s: works to its end", async (event) => {
    const { runtime, store } = open(spawning(event))
    const handle = runtime.run("lead", "this")
    expect(await handle.done).toMatchObject({ status: "resting", approvals: [{ call: "c1", tool: "Bash" }] })
    expect(await told(store, handle.id)).toEqual({ lead: "open", ...beside })
    await runtime.approve(handle.id, "c1", "allow")
    expect(await runtime.resume(handle.id).done).toMatchObject({ outcome: { type: "completed" } })
    expect(await told(store, handle.id)).toEqual({ lead: "completed", ...beside })
  })

  test("goes on wherever the process dies, and the call runs once it is allowed", async () => {
    const first = open(spawning("before_tool"))
    const handle = first.runtime.run("lead", "this")
    await handle.done
    const log = await untilReport(first.store, handle.id)
    const start = log.findIndex(({ type }) => type === "child-start")
    expect(start).toBeGreaterThan(0)
    for (let length = start; length <= log.length; length++) {
      const store = await storeWith(log.slice(0, length), first.store)
      const ran: string[] = []
      const { runtime } = open(spawning("before_tool"), store, ran)
      expect({ length, ...(await runtime.resume(handle.id).done) }).toMatchObject({
        length,
        status: "resting",
      })
      expect({ length, ran, ...(await told(store, handle.id)) }).toEqual({
        length,
        ran: [],
        lead: "open",
        ...beside,
      })
      await runtime.approve(handle.id, "c1", "allow")
      await runtime.resume(handle.id).done
      expect({ length, ran, ...(await told(store, handle.id)) }).toEqual({
        length,
        ran: ["pytest"],
        lead: "completed",
        ...beside,
      })
    }
  })

  test("hands its task to a fallback, which works to its end", async () => {
    const { runtime, store } = open(spawning("before_tool", "flaky"))
    const handle = runtime.run("lead", "this")
    expect(await handle.done).toMatchObject({ status: "resting", approvals: [{ call: "c1", tool: "Bash" }] })
    expect((await stateOf(store, `${handle.id}.2`)).end).toMatchObject({
      outcome: { type: "completed" },
      output: "looked",
    })
    await runtime.approve(handle.id, "c1", "allow")
    await runtime.resume(handle.id).done
    expect(await results(store, handle.id)).toEqual(["ran pytest"])
  })

  test("is cancelled with it where somebody cancels it", async () => {
    const { runtime, store } = open(spawning("before_tool"))
    const handle = runtime.run("lead", "this")
    for await (const event of handle)
      if (event.type === "child-start") await runtime.cancel(handle.id, "enough")
    await handle.done
    expect(await told(store, handle.id)).toMatchObject({
      lead: "cancelled",
      runner: { type: "cancelled" },
      heard: 0,
    })
  })
})
