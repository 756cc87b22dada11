import { expect, test } from "vitest"
import { Bell } from "./bell.ts"

/** True for each waiter that has been woken so far. */
async function woken(...waits: readonly Promise<void>[]): Promise<readonly boolean[]> {
  const states = waits.map(() => false)
  waits.forEach((wait, index) => void wait.then(() => (states[index] = true)))
  await new Promise((resolve) => setImmediate(resolve))
  return states
}

const never = new AbortController().signal

test("a ring wakes all that wait, once", async () => {
  const bell = new Bell()
  const [one, other] = [bell.next(0, never), bell.next(0, never)]
  expect(await woken(one, other)).toEqual([false, false])
  bell.ring()
  expect(await woken(one, other, bell.next(bell.rings, never))).toEqual([true, true, false])
})

test("a ring between a look and a wait is not lost", async () => {
  const bell = new Bell()
  const heard = bell.rings
  bell.ring()
  expect([heard, bell.rings, await woken(bell.next(heard, never), bell.next(1, never))]).toEqual([
    0,
    1,
    [true, false],
  ])
})

test("a signal ends the wait, also one that came before it, and leaves the others waiting", async () => {
  const bell = new Bell()
  const controller = new AbortController()
  const [one, other] = [bell.next(0, controller.signal), bell.next(0, never)]
  controller.abort()
  expect(await woken(one, other, bell.next(0, controller.signal))).toEqual([true, false, true])
})
