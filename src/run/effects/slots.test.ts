import { expect, test } from "vitest"
import { type Slot, Slots } from "./slots.ts"

/** Slots that are asked for by name, with the names that were granted one later, in order. */
function opened(limit: number) {
  const slots = new Slots(limit)
  const granted: string[] = []
  const known = new Map<string, Slot>()
  const slotOf = (name: string): Slot => {
    const slot = known.get(name) ?? { isHeld: false, onGranted: () => granted.push(name) }
    known.set(name, slot)
    return slot
  }
  return {
    granted,
    ask: (name: string) => slots.ask(slotOf(name)),
    release: (name: string) => slots.release(slotOf(name)),
    held: () => [...known].flatMap(([name, { isHeld }]) => (isHeld ? [name] : [])),
  }
}

test("so many hold one at a time, and the next is who came first", () => {
  const { ask, release, held, granted } = opened(2)
  expect(["a", "b", "c", "d"].map(ask)).toEqual([true, true, false, false])
  expect(held()).toEqual(["a", "b"])
  release("a")
  expect({ held: held(), granted }).toEqual({ held: ["b", "c"], granted: ["c"] })
  release("b")
  release("c")
  expect({ held: held(), granted }).toEqual({ held: ["d"], granted: ["c", "d"] })
})

test("who holds one and asks again holds one", () => {
  const { ask, release, held, granted } = opened(1)
  expect([ask("a"), ask("a"), ask("b")]).toEqual([true, true, false])
  release("a")
  expect({ held: held(), granted }).toEqual({ held: ["b"], granted: ["b"] })
})

test("who waits and asks again stands in line once", () => {
  const { ask, release, held, granted } = opened(1)
  expect([ask("a"), ask("b"), ask("b"), ask("c")]).toEqual([true, false, false, false])
  for (const name of ["a", "b", "c"]) release(name)
  expect({ held: held(), granted }).toEqual({ held: [], granted: ["b", "c"] })
})

test("who leaves the line gets none, and one that was not held is not given back", () => {
  const { ask, release, held, granted } = opened(1)
  expect([ask("a"), ask("b"), ask("c")]).toEqual([true, false, false])
  release("b")
  expect(held()).toEqual(["a"])
  release("a")
  expect({ held: held(), granted }).toEqual({ held: ["c"], granted: ["c"] })
  release("a")
  expect([held(), ask("d")]).toEqual([["c"], false])
})
