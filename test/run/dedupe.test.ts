import { expect, test } from "vitest"
import { type Delegation, defineTool } from "../../src/agent/tool.ts"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { expectSound, results, stateOf, world } from "../kit.ts"
import { naming } from "../naming.ts"

const slow = { worker: [{ text: "done", delayMs: 60_000 }], other: [{ text: "also done" }] }

test("a second run of an agent and a key is refused with the id of the first, until that has ended", async () => {
  const { runtime, store } = world({ script: slow })
  const first = runtime.run("worker", "go", { dedupe: "nightly" })
  for await (const event of first) if (event.type === "model-start") break
  expect((await stateOf(store, first.id)).start?.dedupe).toBe("nightly")
  const second = runtime.run("worker", "go", { dedupe: "nightly" })
  await expect(second.done).rejects.toMatchObject({
    code: "RUN_ACTIVE",
    message: expect.stringMatching(`^Run ${first.id} of agent "worker" .*"nightly"`),
  })
  expect(await ids(store)).toEqual([first.id])
  const others = [
    runtime.run("other", "go", { dedupe: "nightly" }),
    runtime.run("other", "go", { dedupe: "weekly" }),
  ]
  for (const other of others) expect((await other.done).output).toBe("also done")
  await first.cancel()
  await first.done
  const third = runtime.run("worker", "go", { dedupe: "nightly" })
  await third.cancel()
  expect((await third.done).outcome).toEqual({ type: "cancelled", reason: "it was asked to stop" })
})

test("of many runs that are started at once with one key, one starts", async () => {
  const { runtime, store } = world({ script: { other: [{ text: "done" }] } })
  const handles = Array.from({ length: 20 }, () => runtime.run("other", "go", { dedupe: "k" }))
  const settled = await Promise.allSettled(handles.map(({ done }) => done))
  expect(settled.filter(({ status }) => status === "fulfilled").length).toBe(1)
  expect((await ids(store)).length).toBe(1)
})

test("a run that could not begin does not keep its key", async () => {
  const { runtime } = world({ script: slow })
  for (const _ of [1, 2])
    await expect(runtime.run("other", "go", { dedupe: "k", tools: ["nothing"] }).done).rejects.toMatchObject({
      code: "TOOL_UNKNOWN",
    })
  expect((await runtime.run("other", "go", { dedupe: "k" }).done).output).toBe("also done")
})

test("a blank key is a mistake, not the absence of one", async () => {
  const { runtime } = world({ script: slow })
  await expect(runtime.run("other", "go", { dedupe: " " }).done).rejects.toMatchObject({ code: "TEXT_EMPTY" })
})

const hand = defineTool<{ key?: string; mode?: Delegation["mode"] }>({
  name: "hand",
  description: "Hands work on, once at a time.",
  input: { type: "object" },
  delegate: ({ key = "k", mode = "wait" }) => ({ agent: "other", task: "go", dedupe: key, mode }),
})

test("a delegation whose key is taken is a tool error that names the run", async () => {
  const { runtime, store } = world({
    script: {
      lead: [
        { calls: [{ tool: "hand" }, { tool: "hand" }, { tool: "hand", input: { key: "other" } }] },
        { calls: [{ tool: "hand" }] },
        { text: "ok" },
      ],
      other: [{ text: "report", delayMs: 30 }],
    },
    tools: [hand],
  })
  const { done, id } = runtime.run("lead", "go")
  await done
  expect(await results(store, id)).toEqual([
    "report",
    naming("'other'", `${id}.1 of agent "other"`, "active", '"k"'),
    "report",
    "report",
  ])
  await expectSound(store, id)
})

test("a delegation that the spawn limit refuses does not keep its key", async () => {
  const { runtime, store } = world({
    script: {
      lead: [
        { calls: [{ tool: "hand", input: { key: "a" } }] },
        { calls: [{ tool: "hand" }] },
        { text: "ok" },
      ],
      other: [{ text: "report" }],
    },
    tools: [hand],
  })
  const { done, id } = runtime.run("lead", "go", { limits: { maxSpawns: 1 } })
  await done
  expect((await results(store, id))[1]).toMatch(/tree.*reached/)
  expect((await runtime.run("other", "go", { dedupe: "k" }).done).output).toBe("report")
})

test("a run that nobody drives keeps its key until it is resumed, wherever its process died", async () => {
  for (let dieAfter = 1; dieAfter <= 9; dieAfter++) {
    const store = memoryStore()
    const parts = {
      script: {
        lead: [{ calls: [{ tool: "hand", input: { mode: "background" } }] }, { text: "ok" }, { text: "ok" }],
        other: [{ text: "report" }],
      },
      tools: [hand],
    }
    const dying = world({ ...parts, store: faultyStore(store, { dieAfter }) })
    const { id, done } = dying.runtime.run("lead", "go", { dedupe: "k" })
    const first = await done.catch(() => undefined)
    const { runtime } = world({ ...parts, store })
    if (!first)
      await expect(runtime.run("lead", "go", { dedupe: "k" }).done).rejects.toMatchObject({
        code: "RUN_ACTIVE",
        message: expect.stringContaining(id),
      })
    await runtime.resume(id, { force: true }).done
    await expectSound(store, id)
    // Neither the run nor its child has a key any more.
    const { outcome, proof } = await runtime.run("lead", "go", { dedupe: "k" }).done
    expect({ dieAfter, outcome, calls: proof.evidence.calls }).toEqual({
      dieAfter,
      outcome: { type: "completed" },
      calls: { hand: 1 },
    })
  }
})

const ids = async (store: ReturnType<typeof memoryStore>): Promise<readonly string[]> => {
  const runs: string[] = []
  for await (const { run } of store.list()) if ((await stateOf(store, run)).start) runs.push(run)
  return runs
}
