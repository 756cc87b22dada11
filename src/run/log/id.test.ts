import { describe, expect, test } from "vitest"
import {
  checkKey,
  computeNextRunId,
  createRunId,
  findParentRun,
  getRootRun,
  isCheckKey,
  isRunId,
  readFallbackKey,
  toFullRunId,
  writeFallbackKey,
} from "./id.ts"

const run = createRunId(1_700_000_000_000)

describe("an id of a root", () => {
  test("sorts by time and is never the same", () => {
    const times = [0, 1, 31, 32, 1_023, 1_700_000_000_000, 1_700_000_000_001, 2 ** 45]
    const ids = times.map((time) => createRunId(time))
    expect(ids.toSorted()).toEqual(ids)
    const many = Array.from({ length: 200 }, () => createRunId(7.9))
    expect(new Set(many).size).toBe(200)
    for (const id of many) expect([isRunId(id), id.slice(0, 10)]).toEqual([true, "0000000007"])
    // All letters of the alphabet are drawn.
    expect(new Set(many.flatMap((id) => [...id.slice(10)])).size).toBe(32)
  })

  test("that comes after another is always the same, and later than its end and its beginning", () => {
    expect(computeNextRunId(run, 5)).toBe(computeNextRunId(run, 5))
    expect(computeNextRunId(run, 5).slice(0, 10)).toBe(createRunId(1_700_000_000_001).slice(0, 10))
    expect(computeNextRunId(run, 1_800_000_000_000).slice(0, 10)).toBe(
      createRunId(1_800_000_000_001).slice(0, 10),
    )
    expect(computeNextRunId(run, 5).slice(10)).not.toBe(
      computeNextRunId(createRunId(1_700_000_000_000), 5).slice(10),
    )
    expect([isRunId(computeNextRunId(run, 5)), computeNextRunId(run, 5) > run]).toEqual([true, true])
  })
})

describe("what is an id", () => {
  test.each([
    [run, true],
    [`${run}.1`, true],
    [`${run}.12.3`, true],
    [`${run}.999999999`, true],
    [`${run}.1000000000`, false],
    [`${run}.0`, false],
    [`${run}.01`, false],
    [`${run}.`, false],
    [`${run}x`, false],
    [run.slice(1), false],
    [`${run.slice(1)}i`, false],
    [`${run.slice(1)}l`, false],
    [`${run.slice(1)}o`, false],
    [`${run.slice(1)}u`, false],
    [run.toUpperCase().replace(/\d/g, "A"), false],
    [`${run}\n`, false],
    ["", false],
    [`${run}${".1".repeat(87)}`, true],
    [`${run}${".1".repeat(88)}`, false],
  ])("%j: %s", (text, expected) => expect(isRunId(text)).toBe(expected))
})

test("whose child and whose tree a run is of is in its id", () => {
  expect([getRootRun(run), getRootRun(`${run}.1`), getRootRun(`${run}.1.2`)]).toEqual([run, run, run])
  expect([findParentRun(run), findParentRun(`${run}.1`), findParentRun(`${run}.1.2`)]).toEqual([
    undefined,
    run,
    `${run}.1`,
  ])
})

describe("how a run speaks of those below it", () => {
  test.each([
    ["2", `${run}.2`],
    [".2", `${run}.2`],
    [".2.13", `${run}.2.13`],
    ["2.13", `${run}.2.13`],
    [`${run}.2`, `${run}.2`],
    [".0", ".0"],
    ["..2", "..2"],
    ["2.", "2."],
    ["x2", "x2"],
    ["2x", "2x"],
    ["1234567890", "1234567890"],
    ["", ""],
  ])("%j", (text, expected) => expect(toFullRunId(run, text)).toBe(expected))
})

describe("names of work that is no call", () => {
  test.each([
    [writeFallbackKey(run), { run }],
    [writeFallbackKey(run, "a b\nc"), { run, agent: "a b\nc" }],
    ["fallback", undefined],
    ["fallback ", undefined],
    [`x${writeFallbackKey(run)}`, undefined],
    ["c1", undefined],
  ])("%j", (key, expected) => expect(readFallbackKey(key)).toEqual(expected))

  test("the commands of a look are counted from 1", () => {
    expect([checkKey(3, 0), isCheckKey(checkKey(3, 0)), isCheckKey("c1"), isCheckKey("a-check-1")]).toEqual([
      "check-3-1",
      true,
      false,
      false,
    ])
  })
})
