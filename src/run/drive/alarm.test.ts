import { describe, expect, test } from "vitest"
import { readClock } from "../log/clock.ts"
import { Alarm } from "./alarm.ts"

/** An alarm that notes each time it rings. */
function alarm() {
  const rings: string[] = []
  let next = () => {}
  const sleeper = {
    ring(sleep: string) {
      rings.push(sleep)
      next()
    },
  }
  return {
    rings,
    alarm: new Alarm(sleeper),
    ring: () => new Promise<void>((resolve) => (next = resolve)),
  }
}

/** Long enough for every timer that was set to ring at once. */
async function aWhile(): Promise<void> {
  const { alarm: other, ring } = alarm()
  other.set(readClock() + 20)
  await ring()
}

describe("an alarm rings", () => {
  test.each([
    ["when its time has come", 5, "awake"],
    ["at once, where that has passed", -20_000, "awake"],
    ["and says that the machine slept, where that was long ago", -31_000, "slept"],
  ])("%s", async (_, from, sleep) => {
    const { alarm: one, ring, rings } = alarm()
    const began = readClock()
    one.set(began + from)
    await ring()
    expect(rings).toEqual([sleep])
    // A timer of Node may ring a millisecond early.
    expect(readClock() - began).toBeGreaterThan(from - 2)
  })

  test("as often as it is set", async () => {
    const { alarm: one, ring, rings } = alarm()
    for (const time of [readClock() + 1, readClock() - 31_000, readClock() + 2]) {
      one.set(time)
      await ring()
    }
    expect(rings).toEqual(["awake", "slept", "awake"])
  })

  test("at the earliest of the times that it was set to, and once", async () => {
    const { alarm: one, ring, rings } = alarm()
    one.set(readClock() + 3_600_000)
    one.set(readClock() + 1)
    one.set(readClock() + 3_600_000)
    one.set(undefined)
    await ring()
    await aWhile()
    expect(rings).toEqual(["awake"])
  })
})

describe("an alarm does not ring", () => {
  test.each([
    ["before a time that no timer of Node's can wait for", (one: Alarm) => one.set(readClock() + 2 ** 40)],
    ["without a time", (one: Alarm) => one.set(undefined)],
    [
      "once it is cleared",
      (one: Alarm) => {
        one.set(readClock() + 1)
        one.clear()
      },
    ],
  ])("%s", async (_, set) => {
    const { alarm: one, rings } = alarm()
    set(one)
    await aWhile()
    one.clear()
    expect(rings).toEqual([])
  })
})
