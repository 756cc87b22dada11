import { describe, expect, test } from "vitest"
import { runStart } from "../../../test/run-start.ts"
import { memoryStore } from "../../world/stores/memory.ts"
import { eventVersion, type Fact, type RunEvent } from "../log/event.ts"
import { createRunId } from "../log/id.ts"
import type { Claim, Store, StoreCharge, StoreRefusal } from "../log/store.ts"
import { emptyRunState } from "../state/state.ts"
import { applyRunEvent } from "./apply.ts"
import { createRefusalError, Recorder } from "./record.ts"

const message = (text: string): Fact => ({ type: "message-add", key: text, from: "u", text })
const asking = (text: string): Fact =>
  ({
    type: "compaction-start",
    turn: 1,
    attempt: 1,
    model: text,
    reserved: { inputTokens: 1, outputTokens: 1 },
  }) as Fact

/** A recorder on a run that has begun, with the events that its store and its listener got. */
async function opened({
  refuses,
  allowance,
  redacts,
}: {
  refuses?: (events: readonly RunEvent[]) => StoreRefusal | undefined
  allowance?: StoreCharge
  redacts?: string
} = {}) {
  const store = memoryStore()
  const first = {
    ...runStart,
    ...(allowance && { allowance }),
    run: createRunId(1),
    seq: 0,
    at: 1,
    v: eventVersion,
  } as unknown as RunEvent
  await store.create(first as never)
  const claim = (await store.claim(first.run)) as Claim
  const batches: { types: readonly string[]; sync: boolean }[] = []
  const heard: string[] = []
  const watched: Pick<Store, "append"> = {
    append: async (claim, events, options) => {
      batches.push({ types: events.map(({ type }) => type), sync: options?.sync === true })
      return refuses?.(events as readonly RunEvent[]) ?? store.append(claim, events, options)
    },
  }
  const recorder = new Recorder({
    state: applyRunEvent(emptyRunState(first.run), first),
    seq: 1,
    store: watched as Store,
    claim,
    listener: {
      onRecorded: ({ type, seq }) => heard.push(`${seq} ${type}`),
      onPoisoned: () => heard.push("poisoned"),
    },
    models: {
      keepsSecrets: () => redacts !== undefined,
      redact: (text) => text.replaceAll(redacts ?? "", "***"),
    },
  })
  const stored = async () => {
    const events: RunEvent[] = []
    for await (const event of store.read(first.run)) events.push(event as RunEvent)
    return events
  }
  return { recorder, batches, heard, stored, run: first.run }
}

describe("what is recorded", () => {
  test("is stored, folded and told in one order, with its number and its run", async () => {
    const { recorder, heard, stored, run, batches } = await opened()
    await Promise.all([recorder.record(message("a")), recorder.record(message("b"))])
    await recorder.record(message("c"))
    expect(recorder.seq).toBe(4)
    expect(recorder.state.inbox.map(({ text }) => text)).toEqual(["a", "b", "c"])
    expect(heard).toEqual(["1 message-add", "2 message-add", "3 message-add"])
    const events = await stored()
    expect(events.map((event) => [event.run, event.seq, event.v])).toEqual(
      [0, 1, 2, 3].map((seq) => [run, seq, eventVersion]),
    )
    expect(batches.map(({ sync }) => sync)).toEqual([false, false, false])
  })

  test("goes to the disk with all that goes with it where one must", async () => {
    const { recorder, batches } = await opened()
    await Promise.all([
      recorder.record(message("a")),
      recorder.record(message("b"), { sync: true }),
      recorder.record(message("c")),
    ])
    expect(batches).toEqual([
      { types: ["message-add"], sync: false },
      { types: ["message-add", "message-add"], sync: true },
    ])
  })

  test("has what must not be kept taken out", async () => {
    const { recorder, stored } = await opened({ redacts: "secret" })
    await recorder.record(message("a secret b"))
    expect((await stored()).at(-1)).toMatchObject({ text: "a *** b" })
    expect(recorder.state.inbox[0]?.text).toBe("a *** b")
  })

  test("is pending until it is folded", async () => {
    const { recorder } = await opened()
    expect(recorder.flushing).toBeUndefined()
    const done = recorder.record(message("a"))
    expect(recorder.flushing).toBeInstanceOf(Promise)
    await recorder.flushing
    expect([recorder.flushing, recorder.state.inbox.length]).toEqual([undefined, 1])
    await done
  })

  test("carries what a call is settled with", async () => {
    const { recorder, stored } = await opened()
    const settle: StoreCharge = { tokens: -3 }
    await recorder.record(message("a"), { settle })
    const event = (await stored()).at(-1)!
    expect([event.settle, event.charge]).toEqual([settle, undefined])
  })
})

describe("a reservation", () => {
  test("goes alone, and what stands around it goes all the same where it is refused", async () => {
    const { recorder, batches, heard } = await opened({ allowance: { tokens: 10 } })
    const answers = await Promise.all([
      recorder.record(message("a")),
      recorder.record(message("b")),
      recorder.reserve(asking("m"), { tokens: 100 }),
      recorder.record(message("c")),
      recorder.reserve(asking("n"), { tokens: 4 }),
    ])
    expect(batches.map(({ types }) => types)).toEqual([
      ["message-add"],
      ["message-add"],
      ["compaction-start"],
      ["message-add"],
      ["compaction-start"],
    ])
    expect(answers[2]).toMatchObject({ type: "limit", limit: "tokens", remaining: 10 })
    expect(answers[4]).toBe("ok")
    expect(heard).toEqual(["1 message-add", "2 message-add", "3 message-add", "4 compaction-start"])
    expect(recorder.seq).toBe(5)
  })

  test("is recorded with its charge", async () => {
    const { recorder, stored } = await opened()
    expect(await recorder.reserve(asking("m"), { tokens: 4 })).toBe("ok")
    expect((await stored()).at(-1)).toMatchObject({ charge: { tokens: 4 } })
  })
})

describe("what cannot be recorded", () => {
  test("poisons the run: all that waits and all that comes fails, and the listener is told once", async () => {
    const refusal: StoreRefusal = { type: "stale", message: "another owner" }
    const { recorder, heard, batches } = await opened({ refuses: () => refusal })
    const all = [
      recorder.record(message("a")),
      recorder.reserve(asking("m"), { tokens: 1 }),
      recorder.record(message("b")),
    ]
    const failed = await Promise.allSettled(all)
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"])
    expect(recorder.poison).toMatchObject({ code: "STORE_FAILED" })
    await expect(recorder.record(message("c"))).rejects.toMatchObject({ code: "STORE_FAILED" })
    expect({ heard, batches: batches.length, seq: recorder.seq }).toEqual({
      heard: ["poisoned"],
      batches: 1,
      seq: 1,
    })
    expect(recorder.flushing).toBeUndefined()
  })

  test("also where the store throws", async () => {
    const { recorder } = await opened({
      refuses: () => {
        throw new Error("no disk")
      },
    })
    await expect(recorder.record(message("a"))).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("no disk"),
    })
  })

  test("and a limit is a failure where nothing was to be reserved", async () => {
    const limit: StoreRefusal = { type: "limit", run: "r", limit: "tokens", remaining: 0, message: "used up" }
    const { recorder } = await opened({ refuses: () => limit })
    await expect(recorder.record(message("a"))).rejects.toMatchObject({ code: "STORE_FAILED" })
  })

  test("and a fault of a listener leaves nobody waiting", async () => {
    const { recorder, heard } = await opened()
    heard.push = (text) => {
      if (text !== "poisoned") throw new Error("ours")
      return 0
    }
    await expect(recorder.record(message("a"))).rejects.toThrow("ours")
    expect(recorder.poison).toMatchObject({ message: "ours" })
  })
})

test.each<[StoreRefusal, string, string]>([
  [{ type: "owned", by: "process 7" }, "RUN_OWNED", "process 7"],
  [{ type: "unknown-run" }, "RUN_UNKNOWN", "No run r"],
  [{ type: "open", run: "r.1" }, "RUN_ACTIVE", "Run r.1 has not ended"],
  [{ type: "damaged", message: "bit" }, "LOG_DAMAGED", "bit"],
  [{ type: "stale", message: "late" }, "STORE_FAILED", "late"],
  [{ type: "limit", run: "r", limit: "cost", remaining: 0, message: "dear" }, "STORE_FAILED", "dear"],
])("the refusal %j is told as %s", (refusal, code, text) => {
  expect(createRefusalError("r", refusal)).toMatchObject({ code, message: expect.stringContaining(text) })
})
