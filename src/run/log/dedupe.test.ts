import { describe, expect, test } from "vitest"
import { releaseDedupeKey, requireFreeKey, withDedupeKey } from "./dedupe.ts"

/** A store of keys that records the requests. */
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
const active = expect.objectContaining({
  code: "RUN_ACTIVE",
  message: expect.stringMatching(/x.*"a".*active.*"k"/),
})

describe("a run with a key", () => {
  test("holds it while it is created, and keeps it", async () => {
    const store = keys()
    const work = async () => {
      store.calls.push("work")
      return 7
    }
    expect([await withDedupeKey(store, one, work), store.calls]).toEqual([7, ['hold r ["a","k"]', "work"]])
  })

  test("gives it up where it could not be created", async () => {
    const store = keys()
    await expect(withDedupeKey(store, one, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
    expect(store.calls).toEqual(['hold r ["a","k"]', 'let go r ["a","k"]'])
  })

  test("is not created where another has it, and gives nothing up", async () => {
    const store = keys("x")
    await expect(withDedupeKey(store, one, () => Promise.resolve(store.calls.push("work")))).rejects.toEqual(
      active,
    )
    expect(store.calls).toEqual(['hold r ["a","k"]'])
    await expect(requireFreeKey(store, one)).rejects.toEqual(active)
  })

  test("may be created where nobody has it", async () => {
    const store = keys()
    await requireFreeKey(store, one)
    expect(store.calls).toEqual(['holder ["a","k"]'])
    await requireFreeKey({}, one)
  })

  test.each(["", " \n", 7 as never])("has some text: %j", async (dedupe) => {
    const store = keys()
    await expect(withDedupeKey(store, { ...one, dedupe }, async () => 7)).rejects.toThrow(
      "The dedupe key is empty",
    )
    await expect(requireFreeKey(store, { ...one, dedupe })).rejects.toThrow("The dedupe key is empty")
    expect(store.calls).toEqual([])
  })
})

test("a run without one holds nothing", async () => {
  const store = keys("x")
  const free = { ...one, dedupe: undefined }
  expect(await withDedupeKey(store, free, async () => 7)).toBe(7)
  await releaseDedupeKey(store, free)
  await requireFreeKey(store, free)
  expect(store.calls).toEqual([])
})
