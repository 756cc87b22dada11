import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { ModelError } from "../../agent/model.ts"
import { WorkInFlight } from "./at-work.ts"
import { abandonAfter } from "./effect.ts"
import { RequestGate, RequestGates } from "./gate.ts"

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const later: ModelError = { kind: "rate-limit", message: "later", retryable: true }

test("models with one key share a gate, and those without have none", () => {
  const gates = new RequestGates()
  expect(gates.of({ rateLimitGroup: "a" })).toBe(gates.of({ rateLimitGroup: "a" }))
  expect(gates.of({ rateLimitGroup: "a" })).not.toBe(gates.of({ rateLimitGroup: "b" }))
  expect(gates.of({})).toBeUndefined()
})

describe("requests of one key", () => {
  /** A gate, and the order in which requests in its line were called. */
  const opened = () => {
    const gate = new RequestGate()
    const called: string[] = []
    const wait = (name: string) => gate.wait(() => called.push(`${name} at ${Date.now() - 1_000_000}`))
    return { gate, called, wait }
  }

  test("pass at once while the provider takes them", () => {
    const { gate } = opened()
    gate.recordResult(undefined, 0)
    gate.recordResult({ ...later, kind: "network" }, 500)
    expect([gate.enter("outside"), gate.enter("outside"), gate.enter("line")]).toEqual([
      "pass",
      "pass",
      "pass",
    ])
  })

  test.each(["rate-limit", "overloaded"] as const)("wait after %s, and then pass one by one", (kind) => {
    const { gate, called, wait } = opened()
    gate.recordResult({ ...later, kind }, 500)
    expect([gate.enter("outside"), gate.enter("line")]).toEqual(["wait", "wait"])
    for (const name of ["a", "b", "c"]) wait(name)
    vi.advanceTimersByTime(499)
    expect(called).toEqual([])
    vi.advanceTimersByTime(1)
    expect(called).toEqual(["a at 500"])
    expect([gate.enter("outside"), gate.enter("line")]).toEqual(["wait", "pass"])
    vi.advanceTimersByTime(1_000)
    expect(called).toEqual(["a at 500", "b at 600", "c at 700"])
    expect(gate.enter("outside")).toBe("pass")
    expect(vi.getTimerCount()).toBe(0)
  })

  test("come further apart with each refusal, up to five seconds", () => {
    const { gate, called, wait } = opened()
    for (let time = 0; time < 8; time++) {
      gate.recordResult(later, 1)
      vi.advanceTimersByTime(1)
    }
    for (const name of ["a", "b"]) wait(name)
    vi.advanceTimersByTime(20_000)
    const times = called.map((text) => Number(text.split(" at ")[1]))
    expect(times[1]! - times[0]!).toBe(5_000)
  })

  test("that were on their way when the gate closed tell nothing new, but may close it for longer", () => {
    const { gate, called, wait } = opened()
    gate.recordResult(later, 500)
    gate.recordResult(later, 100)
    gate.recordResult(later, 800)
    gate.recordResult(undefined, 0)
    for (const name of ["a", "b"]) wait(name)
    vi.advanceTimersByTime(5_000)
    expect(called).toEqual(["a at 800", "b at 900"])
  })

  test("come closer together with each answer, until they pass at once", () => {
    const { gate } = opened()
    gate.recordResult(later, 1)
    vi.advanceTimersByTime(1)
    expect([gate.enter("outside"), gate.enter("outside")]).toEqual(["pass", "wait"])
    for (let answer = 0; answer < 21; answer++) gate.recordResult(undefined, 0)
    expect(gate.enter("outside")).toBe("wait")
    gate.recordResult(undefined, 0)
    expect([gate.enter("outside"), gate.enter("outside")]).toEqual(["pass", "pass"])
  })

  test("that leave the line are not called, and the next one is", () => {
    const { gate, called, wait } = opened()
    gate.recordResult(later, 500)
    const leave = wait("a")
    wait("b")
    leave()
    vi.advanceTimersByTime(5_000)
    expect(called).toEqual(["b at 500"])
    const alone = wait("c")
    expect(vi.getTimerCount()).toBe(1)
    alone()
    expect(vi.getTimerCount()).toBe(0)
  })

  test("outside wait while others are in line", () => {
    const { gate, wait } = opened()
    wait("a")
    expect([gate.enter("outside"), gate.enter("line")]).toEqual(["wait", "pass"])
    vi.advanceTimersByTime(0)
    expect(gate.enter("outside")).toBe("pass")
  })

  test("are not called all at once where the wait is longer than a timer can be", () => {
    const { gate, called, wait } = opened()
    gate.recordResult(later, 2 ** 31 + 1_000)
    wait("a")
    vi.advanceTimersByTime(2 ** 31 - 1)
    expect(called).toEqual([])
    vi.advanceTimersByTime(1_001)
    expect(called).toHaveLength(1)
  })
})

describe("the work of a run", () => {
  const working = () => {
    let lefts = 0
    const works = new WorkInFlight(() => lefts++)
    const aborted: string[] = []
    const work = (isSettled = false) => ({ isSettled, abort: (why: string) => aborted.push(why) }) as never
    return { works, aborted, work, lefts: () => lefts }
  }

  test("is known by its key", () => {
    const { works, work } = working()
    works.set("a", work())
    works.set("b", undefined)
    expect([works.size, works.has("a"), works.has("b"), works.has("c")]).toEqual([2, true, true, false])
    works.delete("a")
    expect([works.size, works.has("a")]).toEqual([1, false])
  })

  test("is aborted, all but one", () => {
    const { works, aborted, work } = working()
    for (const key of ["a", "b", "c"]) works.set(key, work())
    works.abortAll("enough", "b")
    expect(aborted).toEqual(["enough", "enough"])
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each<[string, boolean | undefined]>([
    ["that cannot be aborted yet", undefined],
    ["that has settled", true],
  ])("%s is left after a time, once", (_, settled) => {
    const { works, aborted, work, lefts } = working()
    works.set("a", settled === undefined ? undefined : work(settled))
    works.abort("a", "enough")
    works.abort("a", "again")
    expect([aborted, vi.getTimerCount(), works.has("a")]).toEqual([[], 1, true])
    vi.advanceTimersByTime(abandonAfter - 1)
    expect(works.has("a")).toBe(true)
    vi.advanceTimersByTime(1)
    expect([works.has("a"), lefts()]).toEqual([false, 1])
    works.set("a", undefined)
    works.abort("a", "enough")
    expect(vi.getTimerCount()).toBe(1)
  })

  test("of the end is never left", () => {
    const { works } = working()
    works.set("end", undefined)
    works.abort("end", "enough")
    expect([vi.getTimerCount(), works.has("end")]).toEqual([0, true])
  })
})
