import { describe, expect, test } from "vitest"
import { letGo, requireFree, whileHeld } from "./dedupe.ts"

/** A store of keys that notes what it is asked. */
function keys(holder?: string) {
  const calls: string[] = []
  return {
    calls,
    hold: async (run: string, key: string) => {
      calls.push(`hold ${run} ${key}`)
      return holder === undefined ? ("held" as const) : { run: holder }
    },
    letGo: async (run: string, key: string) => {
      calls.push(`let go ${run} ${key}`)
    },
    holder: async (key: string) => {
      calls.push(`holder ${key}`)
      return holder
    },
  }
}

const one = { run: "r", agent: "a", dedupe: "k" }
const active = 'Run x of agent "a" with the dedupe key "k" is active, so no second one was started.'

describe("a run with a key", () => {
  test("holds it while it is created, and keeps it", async () => {
    const store = keys()
    const work = async () => {
      store.calls.push("work")
      return 7
    }
    expect([await whileHeld(store, one, work), store.calls]).toEqual([7, ['hold r ["a","k"]', "work"]])
  })

  test("gives it up where it could not be created", async () => {
    const store = keys()
    await expect(whileHeld(store, one, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
    expect(store.calls).toEqual(['hold r ["a","k"]', 'let go r ["a","k"]'])
  })

  test("is not created where another has it, and gives nothing up", async () => {
    const store = keys("x")
    await expect(whileHeld(store, one, () => Promise.resolve(store.calls.push("work")))).rejects.toThrow(
      active,
    )
    expect(store.calls).toEqual(['hold r ["a","k"]'])
    await expect(requireFree(store, one)).rejects.toThrow(active)
  })

  test("may be created where nobody has it", async () => {
    const store = keys()
    await requireFree(store, one)
    expect(store.calls).toEqual(['holder ["a","k"]'])
    await requireFree({}, one)
  })

  test.each(["", " \n", 7 as never])("has some text: %j", async (dedupe) => {
    const store = keys()
    await expect(whileHeld(store, { ...one, dedupe }, async () => 7)).rejects.toThrow(
      "A dedupe key must have some text",
    )
    await expect(requireFree(store, { ...one, dedupe })).rejects.toThrow("A dedupe key must have some text")
    expect(store.calls).toEqual([])
  })
})

test("a run without one holds nothing", async () => {
  const store = keys("x")
  const free = { ...one, dedupe: undefined }
  expect(await whileHeld(store, free, async () => 7)).toBe(7)
  await letGo(store, free)
  await requireFree(store, free)
  expect(store.calls).toEqual([])
})
