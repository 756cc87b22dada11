import { afterEach, describe, expect, test } from "vitest"
import { expectSound, results, sleep, stateOf, tool, until, untilAborted, world } from "../kit.ts"
import { closeServers, plain, protocols, served } from "./support.ts"

afterEach(closeServers)

const delegate = (agent: string, prompt = "x", more = {}) => ({
  tool: "Agent",
  input: { agent, prompt, ...more },
})

describe.each(protocols)("on the wire of %s", (protocol) => {
  test("98: of calls made at once, one that throws, rejects, hangs or gives nonsense costs no other its result", async () => {
    const tools = [
      tool("works", () => "worked"),
      tool("throws", () => {
        throw new Error("thrown")
      }),
      tool("rejects", () => sleep(5).then(() => Promise.reject(new Error("rejected")))),
      tool("hangs", (_, { signal }) => untilAborted(signal), { timeout: 50 }),
      tool("mute", () => undefined),
      tool("slow", () => sleep(20).then(() => "slow but sure")),
    ]
    const { runtime, store, problems } = await served(
      protocol,
      [{ calls: tools.map(({ name }) => ({ tool: name, arguments: {} })) }, { text: "done" }],
      { tools },
    )
    const handle = runtime.run("a", "go")
    expect((await handle.done).outcome).toEqual({ type: "completed" })
    expect(await results(store, handle.id)).toEqual([
      "worked",
      "thrown",
      "rejected",
      "Stopped: it took longer than 50 ms.",
      expect.stringMatching(/mute.*returned/),
      "slow but sure",
    ])
    expect(problems()).toEqual([])
    await expectSound(store, handle.id)
  })
})

describe("one of five children hangs", () => {
  const five = (hanging: string) => ({
    calls: ["1", "2", hanging, "4", "5"].map((name) => delegate(name === hanging ? hanging : "works", name)),
  })
  const works = ["1", "2", "4", "5"].map((name) => ({ match: name, text: `report ${name}` }))
  const others = (text: unknown) => ["report 1", "report 2", text, "report 4", "report 5"]

  /** A tree whose third child hangs, two levels down; how many hang and how many were told to stop. */
  function hangingTree() {
    const counts = { hanging: 0, stopped: 0 }
    const hang = tool("hang", (_, { signal }) => {
      counts.hanging++
      return untilAborted(signal).finally(() => counts.stopped++)
    })
    return {
      counts,
      ...world({
        script: {
          lead: [five("hangs"), { text: "done" }],
          works,
          hangs: [{ calls: [delegate("below"), delegate("below")] }],
          below: [{ calls: [{ tool: "hang" }] }],
        },
        tools: [hang],
      }),
    }
  }

  test("R7, 1.8: cancelled alone, it takes its grandchildren along; the other four results survive and the parent goes on", async () => {
    const { runtime, store, counts } = hangingTree()
    const handle = runtime.run("lead", "go")
    await until(() => counts.hanging === 2)
    expect(await runtime.cancel(`${handle.id}.3`, "it hangs")).toBe("recorded")
    expect(await handle.done).toMatchObject({ outcome: { type: "completed" }, output: "done" })
    expect(await results(store, handle.id)).toEqual(
      others(`The subagent did not complete: cancelled: it hangs.\n(no output)`),
    )
    expect(counts).toEqual({ hanging: 2, stopped: 2 })
    for (const run of ["3", "3.1", "3.2"])
      expect((await stateOf(store, `${handle.id}.${run}`)).end?.outcome.type).toBe("cancelled")
    await expectSound(store, handle.id)
  })

  test("R7, 1.8: the parent cancelled, everything below is stopped, and the four results are in its history", async () => {
    const { runtime, store, counts } = hangingTree()
    const handle = runtime.run("lead", "go")
    await until(async () => counts.hanging === 2 && (await stateOf(store, handle.id)).children.length === 1)
    await handle.cancel("enough")
    expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "enough" })
    expect(await results(store, handle.id)).toEqual(
      others(expect.stringMatching(/did not complete: cancelled/)),
    )
    expect(counts).toEqual({ hanging: 2, stopped: 2 })
    for await (const { run, status } of store.list({ root: handle.id }))
      expect({ run, status }).toEqual({ run, status: "ended" })
  })

  test("R7, 1.8: its own time ends it, and its slot is free again: with one slot, all the others still come to work", async () => {
    const { runtime, store } = world({
      script: {
        lead: [five("hangs"), { text: "done" }],
        works,
        hangs: [{ text: "so far", calls: [{ tool: "hang" }] }],
      },
      agents: [plain("lead"), plain("works"), plain("hangs", { limits: { timeout: 1_000 } })],
      tools: [tool("hang", (_, { signal }) => untilAborted(signal))],
    })
    const handle = runtime.run("lead", "go", { limits: { maxConcurrency: 1 } })
    expect((await handle.done).outcome).toEqual({ type: "completed" })
    expect(await results(store, handle.id)).toEqual(
      others(`The subagent did not complete: timed out.\nso far`),
    )
  })

  test("R7, 1.8: deaf to its signal, it is left behind in time, and its slot is free again", async () => {
    const { runtime, store } = world({
      script: { lead: [five("deaf"), { text: "done" }], works, deaf: [{ calls: [{ tool: "deaf" }] }] },
      agents: [plain("lead"), plain("works"), plain("deaf", { limits: { timeout: 1_000 } })],
      tools: [tool("deaf", () => new Promise(() => {}), { effect: "opaque" })],
    })
    const handle = runtime.run("lead", "go", { limits: { maxConcurrency: 1 } })
    expect((await handle.done).outcome).toEqual({ type: "completed" })
    expect(await results(store, handle.id)).toEqual(
      others(expect.stringMatching(/did not complete: timed out/)),
    )
    expect((await runtime.read(`${handle.id}.3`)).proof.evidence.unknown).toEqual([
      { call: "c1", tool: "deaf" },
    ])
  })

  test("R7, 1.8: cancelling a child that has ended, or was never there, returns or says so at once", async () => {
    const { runtime } = world({
      script: { lead: [five("works"), { text: "done" }], works: [{ text: "done" }] },
    })
    const handle = runtime.run("lead", "go")
    await handle.done
    expect(await runtime.cancel(`${handle.id}.3`)).toBe("recorded")
    expect(await runtime.cancel(`${handle.id}.3`)).toBe("recorded")
    await expect(runtime.cancel(`${handle.id}.9`)).rejects.toThrow(/No run/)
    expect((await runtime.read(`${handle.id}.3`)).outcome).toEqual({ type: "completed" })
  })

  test("R7, 1.8: cancelling a child whose process died returns, and the resumed tree has the other four results", async () => {
    const { runtime, store, counts } = hangingTree()
    const handle = runtime.run("lead", "go")
    await until(async () => counts.hanging === 2 && (await stateOf(store, handle.id)).children.length === 1)
    // The store is taken from the process that drives the tree, as if it had died.
    const claim = await store.claim(handle.id, { force: true })
    await store.release(claim as never)
    await handle.done.catch(() => {})
    const later = world({
      store,
      script: {
        lead: [five("hangs"), { text: "done" }],
        works,
        hangs: [{ text: "x" }],
        below: [{ text: "x" }],
      },
      tools: [tool("hang")],
    }).runtime
    expect(await later.cancel(`${handle.id}.3`, "it is dead")).toBe("waiting")
    expect(await later.resume(handle.id).done).toMatchObject({
      outcome: { type: "completed" },
      output: "done",
    })
    expect(await results(store, handle.id)).toEqual(others(expect.stringMatching(/cancelled: it is dead/)))
  })
})
