import { describe, expect, test } from "vitest"
import { Reservations } from "./reservations.ts"

/** Waiting runs, and the order in which they were called. */
function line(...waiting: readonly (readonly [run: string, short: string])[]) {
  const reservations = new Reservations()
  const called: string[] = []
  const wait = (run: string, short: string) => reservations.wait(run, short, () => called.push(run))
  for (const [run, short] of waiting) wait(run, short)
  return { reservations, called, wait }
}

describe("a line", () => {
  test("the first is called when something settles, and nobody else", () => {
    const { reservations, called } = line(["r.1", "r"], ["r.2", "r"])
    reservations.hold("r.9")
    reservations.settle("r.9")
    expect(called).toEqual(["r.1"])
  })

  test("whoever was called keeps its place until it leaves", () => {
    const { reservations, called, wait } = line(["r.1", "r"], ["r.2", "r"])
    reservations.settle("r.9")
    reservations.settle("r.8")
    wait("r.1", "r")
    reservations.settle("r.7")
    expect(called).toEqual(["r.1", "r.1"])
    expect(reservations.leave("r.1")).toBe(true)
    expect(called).toEqual(["r.1", "r.1", "r.2"])
    expect(reservations.leave("r.1")).toBe(false)
  })

  test("a newcomer stands behind all who need the same allowance", () => {
    const { reservations } = line(["r.1", "r"], ["r.2", "r"])
    expect(["r.1", "r.2", "r.3", "r", "r.1.1"].map((run) => reservations.shortBefore(run))).toEqual([
      undefined,
      "r",
      "r",
      "r",
      "r",
    ])
  })

  test("one who needs another allowance does not wait for it", () => {
    const { reservations, called } = line(
      ["r.1.1", "r.1"],
      ["r.2.1", "r.2"],
      ["r.1.2", "r.1"],
      ["r.10.1", "r.10"],
    )
    expect(["r.1.3", "r.3", "r.10.2"].map((run) => reservations.shortBefore(run))).toEqual([
      "r.1",
      undefined,
      "r.10",
    ])
    reservations.settle("r.9")
    expect(called).toEqual(["r.1.1", "r.2.1", "r.10.1"])
  })

  test("one who is short of the allowance of all comes before all behind it", () => {
    const { reservations, called } = line(["r.1.1", "r.1"], ["r.2", "r"], ["r.3", "r"])
    reservations.settle("r.9")
    expect(called).toEqual(["r.1.1", "r.2"])
  })
})

describe("what is held", () => {
  test("holds for the run itself and all above it", () => {
    const reservations = new Reservations()
    reservations.hold("r.1.2")
    expect(
      ["r", "r.1", "r.1.2", "r.1.2.1", "r.1.20", "r.2"].map((run) => reservations.isHeldBelow(run)),
    ).toEqual([true, true, true, false, false, false])
    reservations.settle("r.1.2")
    expect([reservations.isHeldBelow("r"), reservations.settlements]).toEqual([false, 1])
  })

  test("a refusal calls only those who have nothing left to wait for", () => {
    const { reservations, called } = line(["r.1.1", "r.1"], ["r.2.1", "r.2"])
    reservations.hold("r.1.9")
    reservations.hold("r.2.9")
    reservations.hold("r.2.8")
    reservations.drop("r.2.9")
    expect(called).toEqual([])
    reservations.drop("r.1.9")
    expect(called).toEqual(["r.1.1"])
    expect(reservations.settlements).toBe(0)
  })

  test("whoever stops leaves the line", () => {
    const { reservations, called } = line(["r.1", "r"], ["r.2", "r"])
    reservations.settle("r.1")
    expect(called).toEqual(["r.2"])
  })
})
