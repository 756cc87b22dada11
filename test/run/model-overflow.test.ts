import { expect, test } from "vitest"
import { expectSound, stateOf, tool, world } from "../kit.ts"
import { asked, fail, long, overflow, recorded, say, use, worldOf } from "./asked-model.ts"

test("76: a history that does not fit is made shorter once and sent again; what does not fit then ends the run", async () => {
  const { model, requests } = asked((_, number) => (number <= 2 ? use("work") : fail(overflow)))
  const { runtime, store } = worldOf(
    model,
    tool("work", () => long(5000)),
  )
  const { outcome, run } = await runtime.run("a", "go").done
  expect(outcome).toEqual({ type: "failed", reason: "prompt is too long" })
  expect(requests).toHaveLength(4)
  expect(JSON.stringify(requests[3]!.texts)).not.toBe(JSON.stringify(requests[2]!.texts))
  expect((await recorded(store, run)).filter(({ type }) => type === "compaction-end")).toHaveLength(1)
  await expectSound(store, run)
})

test("76: old tool results go first, without asking the model, and the run goes on", async () => {
  const { model, requests } = asked((request, number) =>
    number <= 3
      ? use("work")
      : [...request.messages].some(({ text }) => text.startsWith("[This"))
        ? say("done")
        : fail(overflow),
  )
  const { runtime, store } = worldOf(
    model,
    tool("work", () => long(5000)),
  )
  const { outcome, run } = await runtime.run("a", "go").done
  expect(outcome).toEqual({ type: "completed" })
  const removed = expect.stringMatching(/5000.*room/)
  expect(requests.at(-1)!.texts).toEqual(["go", "", removed, "", removed, "", long(5000)])
  await expectSound(store, run)
})

test("76: where results are not what is long, the model sums up what came before the last turn", async () => {
  const talk = long(3000)
  const { model, requests } = asked(({ system, messages }, number) => {
    if (system.startsWith("You are given the beginning")) return say("It looked at everything.")
    if (number <= 3) return { ...use("work"), text: talk }
    return [...messages].length > 5 ? fail(overflow) : say("done")
  })
  const { runtime, store } = worldOf(model, tool("work"))
  const { outcome, run, proof } = await runtime.run("a", "go").done
  expect(outcome).toEqual({ type: "completed" })
  expect(requests.at(-1)!.texts).toEqual([
    "go",
    expect.stringMatching(/older.*It looked at everything.?$/s),
    talk,
    "ok",
  ])
  expect(requests.at(-2)).toMatchObject({ tools: 0 })
  expect(proof.usage.own).toEqual({ m: { inputTokens: 60, outputTokens: 30 } })
  await expectSound(store, run)
})

test("78: several results of one turn that overflow together are each cut to a share", async () => {
  const { model, requests } = asked((request, number) => {
    if (number === 1) return use("work", "work", "work", "work")
    const length = [...request.messages].reduce((sum, { text }) => sum + text.length, 0)
    return length > 60_000 ? fail(overflow) : say("done")
  })
  const { runtime, store } = worldOf(
    model,
    tool("work", () => long(40_000)),
  )
  const { outcome, run } = await runtime.run("a", "go").done
  expect(outcome).toEqual({ type: "completed" })
  expect(requests).toHaveLength(3)
  await expectSound(store, run)
})

test("77: one result that is larger than any window reaches the model as its beginning, its end and a note", async () => {
  const { model, requests } = asked((_, number) => (number === 1 ? use("work") : say("done")))
  const { runtime, store } = worldOf(
    model,
    tool("work", () => `begin${long(3_000_000)}end`),
  )
  const { run } = await runtime.run("a", "go").done
  const text = requests[1]!.texts.at(-1)!
  expect(text.length).toBeLessThan(50_100)
  expect([text.slice(0, 5), text.slice(-3), /left.*runtime/.test(text)]).toEqual(["begin", "end", true])
  const end = (await recorded(store, run)).find((event) => event.type === "tool-end")
  const full = end?.type === "tool-end" ? end.result.full : undefined
  expect(await store.getBlob(run, full!)).toHaveLength(3_000_008)
})

test("79: an agent that cannot fit its model is refused before the first request, with the sizes", async () => {
  const { model, requests } = asked(() => say("done"), { window: 1000 })
  const { runtime } = world({
    script: {},
    agents: [{ name: "a", instructions: long(9000) }],
    runtime: { resolveModel: async () => model },
  })
  await expect(runtime.run("a", "go").done).rejects.toThrow(/"a".*\d+.*least.*\d+.*tokens.*1000/)
  expect(requests).toEqual([])
})

test("79: where nothing can be left out, the run ends with the sizes and does not send the same again", async () => {
  const { model, requests } = asked(() => fail(overflow))
  const { runtime } = worldOf(model)
  const { outcome } = await runtime.run("a", "go").done
  expect(requests).toHaveLength(1)
  expect(outcome).toMatchObject({
    type: "failed",
    reason: expect.stringMatching(
      /^prompt is too long\. The prompt and tools \(\d+ bytes\) and the messages \(2 bytes\) have nothing that could be left out\./,
    ),
  })
})

test.each([
  ["is empty", () => say("  "), "its summary was empty"],
  ["fails", () => fail({ kind: "rejected", message: "refused", retryable: false }), "refused"],
  [
    "throws",
    () => {
      throw new Error("kaboom")
    },
    "kaboom",
  ],
])("80: a summary that %s fails the run and leaves the history as it was", async (_, summary, why) => {
  const talk = long(3000)
  const { model } = asked(({ system }, number) => {
    if (system.startsWith("You are given the beginning")) return summary()
    return number <= 3 ? { ...use("work"), text: talk } : fail(overflow)
  })
  const { runtime, store } = worldOf(model, tool("work"))
  const { outcome, run, output } = await runtime.run("a", "go").done
  expect(outcome).toEqual({
    type: "failed",
    reason: `prompt is too long. Shortening the history failed: ${why}`,
  })
  expect(output).toBe(talk)
  const { messages } = await stateOf(store, run)
  expect([...messages].map(({ text }) => text)).toEqual(["go", talk, "ok", talk, "ok", talk, "ok"])
})

test("102: a run that is cancelled while its history is made shorter stops, and stays as it was", async () => {
  const talk = long(3000)
  let summing!: () => void
  const sums = new Promise<void>((resolve) => {
    summing = resolve
  })
  const { model } = asked(({ system, signal }, number) => {
    if (!system.startsWith("You are given"))
      return number <= 3 ? { ...use("work"), text: talk } : fail(overflow)
    summing()
    return new Promise((resolve) =>
      signal.addEventListener("abort", () =>
        resolve(fail({ kind: "aborted", message: "aborted", retryable: false })),
      ),
    )
  })
  const { runtime, store } = worldOf(model, tool("work"))
  const handle = runtime.run("a", "go")
  await sums
  await handle.cancel("enough")
  expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "enough" })
  expect((await stateOf(store, handle.id)).messages).toHaveLength(7)
  await expectSound(store, handle.id)
})
