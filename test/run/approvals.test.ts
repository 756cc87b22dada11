import { expect, onTestFinished, test } from "vitest"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { sleepingMachine } from "../cases/sleeping-machine.ts"
import { expectSound, recorded, results, sleep, tool, world } from "../kit.ts"

const ask = [{ tool: "write", decision: "ask" as const }]
const write = { calls: [{ tool: "write", input: { n: 1 } }] }
const delegate = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "x" } }] })

function asking(store = memoryStore(), script: object[] = [write, { text: "done" }]) {
  const written: unknown[] = []
  const made = world({
    store,
    script: { a: script, b: [delegate("a"), { text: "b done" }], c: [delegate("b"), { text: "c done" }] },
    tools: [
      tool(
        "write",
        ({ n }) => {
          written.push(n)
          return "written"
        },
        { effect: "opaque" },
      ),
    ],
    runtime: { rules: ask },
  })
  return { ...made, written }
}

test("ask rests the run: nothing runs, nothing is held, and one approval lets it go on", async () => {
  const { runtime, store, written } = asking()
  const handle = runtime.run("a", "go")
  const resting = await handle.done
  expect(resting).toMatchObject({
    status: "resting",
    approvals: [{ run: handle.id, call: "c1", tool: "write", arguments: '{"n":1}' }],
  })
  expect(written).toEqual([])
  expect(await runtime.approve(handle.id, "c1", "allow")).toBe("waiting")
  expect(written).toEqual([])
  expect(await runtime.resume(handle.id).done).toMatchObject({
    status: "ended",
    output: "done",
    outcome: { type: "completed" },
  })
  expect(written).toEqual([1])
  await expectSound(store, handle.id)
})

test("a refusal is told to the model with its note and counted in the proof", async () => {
  const { runtime, store, written } = asking()
  const handle = runtime.run("a", "go")
  await handle.done
  await runtime.approve(handle.id, "c1", "deny", "not on a Friday")
  const result = await runtime.resume(handle.id).done
  expect(result.outcome).toEqual({ type: "denied", reason: expect.stringMatching(/made.*refused/) })
  expect(result.proof.denied).toEqual([
    {
      call: "c1",
      tool: "write",
      by: { type: "person", note: "not on a Friday" },
      reason: "Not permitted: not on a Friday",
    },
  ])
  expect(await results(store, handle.id)).toEqual(["Not permitted: not on a Friday"])
  expect(written).toEqual([])
})

test("a grandchild's question rests the whole tree, and is answered by its own run id", async () => {
  const { runtime, store, written } = asking()
  const handle = runtime.run("c", "go")
  const resting = await handle.done
  expect(resting.status).toBe("resting")
  expect(resting.approvals).toEqual([
    {
      run: `${handle.id}.1.1`,
      call: "c1",
      tool: "write",
      arguments: '{"n":1}',
      way: [
        { run: handle.id, agent: "c", task: "go" },
        { run: `${handle.id}.1`, agent: "b", task: "x" },
        { run: `${handle.id}.1.1`, agent: "a", task: "x" },
      ],
    },
  ])
  await runtime.approve(`${handle.id}.1.1`, "c1", "allow")
  expect(await runtime.resume(handle.id).done).toMatchObject({
    output: "c done",
    outcome: { type: "completed" },
  })
  expect(written).toEqual([1])
  await expectSound(store, handle.id)
})

test("11: of two open questions only the one named is answered; without a name none is", async () => {
  const { runtime, written } = asking(memoryStore(), [
    {
      calls: [
        { tool: "write", input: { n: 1 } },
        { tool: "write", input: { n: 2 } },
      ],
    },
    { text: "done" },
  ])
  const handle = runtime.run("a", "go")
  await handle.done
  await expect(runtime.approve(handle.id, "", "allow")).rejects.toThrow(
    /no open approval "". Open: c1 \(write\), c2 \(write\)/,
  )
  await runtime.approve(handle.id, "c2", "allow")
  expect(await runtime.resume(handle.id).done).toMatchObject({
    status: "resting",
    approvals: [{ call: "c1" }],
  })
  expect(written).toEqual([2])
  await runtime.approve(handle.id, "c1", "allow")
  expect((await runtime.resume(handle.id).done).status).toBe("ended")
  expect(written).toEqual([2, 1])
})

test("an approval from another runtime reaches a live owner and takes effect once", async () => {
  const store = memoryStore()
  let answer!: (text: string) => void
  const answered = new Promise<string>((resolve) => {
    answer = resolve
  })
  const { runtime, written } = asking(store, [
    { calls: [{ tool: "write", input: { n: 1 } }, { tool: "slow" }] },
    { text: "done" },
  ])
  const owner = world({
    store,
    script: { a: [{ calls: [{ tool: "write", input: { n: 1 } }, { tool: "slow" }] }, { text: "done" }] },
    tools: [
      tool("write", ({ n }) => {
        written.push(n)
        return "written"
      }),
      tool("slow", () => answered),
    ],
    runtime: { rules: ask },
  }).runtime
  const handle = owner.run("a", "go")
  await recorded(store, handle.id, "tool-start")
  expect(await runtime.approve(handle.id, "c1", "allow")).toBe("delivered")
  await runtime.approve(handle.id, "c1", "allow").catch(() => {})
  answer("slow")
  expect(await handle.done).toMatchObject({ status: "ended", output: "done" })
  expect(written).toEqual([1])
})

test("resuming a resting run again and again records nothing and costs it nothing", async () => {
  const { runtime, store } = asking()
  const handle = runtime.run("c", "go")
  await handle.done
  const count = async () => {
    let events = 0
    for await (const { run } of store.list({ root: handle.id }))
      for await (const _ of store.read(run)) events++
    return events
  }
  const before = await count()
  for (let time = 0; time < 6; time++) expect((await runtime.resume(handle.id).done).status).toBe("resting")
  expect(await count()).toBe(before)
  await runtime.approve(`${handle.id}.1.1`, "c1", "allow")
  expect((await runtime.resume(handle.id).done).outcome).toEqual({ type: "completed" })
})

test("time at rest does not count towards the timeout", async () => {
  const machine = sleepingMachine()
  onTestFinished(machine.restore)
  const { runtime } = asking()
  const handle = runtime.run("c", "go", { timeout: 60_000 })
  await handle.done
  machine.sleep(120_000)
  await runtime.approve(`${handle.id}.1.1`, "c1", "allow")
  expect((await runtime.resume(handle.id).done).outcome).toEqual({ type: "completed" })
})

test("an approval that is not given in time counts as refused", async () => {
  const { runtime, store } = asking()
  const handle = runtime.run("a", "go", { limits: { approvalTimeout: 20 } })
  await handle.done
  await sleep(30)
  expect((await runtime.resume(handle.id).done).status).toBe("ended")
  expect(await results(store, handle.id)).toEqual([expect.stringContaining("permitted")])
})

test("10: an approval is used up by its call; the same call asked for again asks again", async () => {
  const { runtime } = asking(memoryStore(), [write, write, { text: "done" }])
  const handle = runtime.run("a", "go")
  await handle.done
  await runtime.approve(handle.id, "c1", "allow")
  expect(await runtime.resume(handle.id).done).toMatchObject({
    status: "resting",
    approvals: [{ call: "c2" }],
  })
})

test("an approval given after its time is refused, and the call does not run", async () => {
  const { runtime, written } = asking()
  const handle = runtime.run("a", "go", { limits: { approvalTimeout: 20 } })
  await handle.done
  await sleep(30)
  await runtime.approve(handle.id, "c1", "allow")
  expect((await runtime.resume(handle.id).done).proof.denied).toHaveLength(1)
  expect(written).toEqual([])
})
