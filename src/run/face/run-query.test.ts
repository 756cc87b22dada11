import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { createRunId } from "../log/id.ts"
import type { RunHead, RunQuery } from "../log/store.ts"
import { matchesQuery, orderRoots, requireQuery, skipToCursor } from "./run-query.ts"

const ids = [1, 2, 3].map((time) => createRunId(time))
const head = {
  run: ids[0],
  agent: "a",
  task: "Mend the Old door",
  model: "m",
  startedAt: 100,
  status: "ended",
  outcome: "completed",
} as RunHead

describe("a run is in a list where all that is asked for holds", () => {
  test.each<[RunQuery, boolean]>([
    [{}, true],
    [{ agent: "a" }, true],
    [{ agent: "b" }, false],
    [{ status: "ended" }, true],
    [{ status: "open" }, false],
    [{ outcome: "completed" }, true],
    [{ outcome: "failed" }, false],
    [{ model: "m" }, true],
    [{ model: "n" }, false],
    [{ since: 100 }, true],
    [{ since: 101 }, false],
    [{ since: 0 }, true],
    [{ before: 101 }, true],
    [{ before: 100 }, false],
    [{ task: "old  MEND" }, true],
    [{ task: "old window" }, false],
    [{ task: "" }, true],
    [
      { agent: "a", status: "ended", since: 1, before: 200, task: "door", model: "m", outcome: "completed" },
      true,
    ],
    [{ agent: "a", task: "window" }, false],
  ])("%j: %s", (query, expected) => expect(matchesQuery(head, query)).toBe(expected))

  test("one without a task has no words", () => {
    const { task: _, ...rest } = head
    expect([matchesQuery(rest, { task: "door" }), matchesQuery(rest, {})]).toEqual([false, true])
  })
})

describe("the order of roots", () => {
  const [one, two, three] = ids as [string, string, string]
  const given = [two, three, one]
  test.each<[RunQuery, readonly string[]]>([
    [{}, [three, two, one]],
    [{ order: "newest" }, [three, two, one]],
    [{ order: "oldest" }, [one, two, three]],
    [{ cursor: two }, [one]],
    [{ order: "oldest", cursor: two }, [three]],
    [{ cursor: one }, []],
  ])("%j", (query, expected) => {
    expect(orderRoots(given, query)).toEqual(expected)
    expect(given).toEqual([two, three, one])
  })

  test("of a tree, what comes after the cursor", () => {
    const heads = given.map((run) => ({ run }))
    expect(skipToCursor(heads, {})).toBe(heads)
    expect(skipToCursor(heads, { cursor: three })).toEqual([{ run: one }])
    expect(skipToCursor(heads, { cursor: one })).toEqual([])
    expect(skipToCursor(heads, { cursor: createRunId(9) })).toEqual(heads)
  })
})

describe("a query that cannot be understood", () => {
  test.each<[object, string]>([
    [{ agents: "a" }, "agents"],
    [{ root: "x" }, '"x" is not a run id.'],
    [{ cursor: 7 }, '"7" is not a run id.'],
    [{ root: "x".repeat(200) }, `"${"x".repeat(100)}" is not a run id.`],
    [{ limit: -1 }, expect.stringMatching(/`limit`.*whole.*number.*-1.?$/)],
    [{ limit: 1.5 }, expect.stringMatching(/`limit`.*whole.*number.*1\.5.?$/)],
    [{ limit: "3" }, expect.stringMatching(/`limit`.*whole.*number.*"3".?$/)],
    [{ status: "over" }, expect.stringMatching(/`status`.*open or ended.*"over".?$/)],
    [{ order: "down" }, expect.stringMatching(/`order`.*newest or oldest.*"down".?$/)],
    [{ since: "now" }, expect.stringMatching(/`since`.*milliseconds/)],
    [{ before: Number.NaN }, expect.stringMatching(/`before`.*milliseconds/)],
    [{ agent: 7 }, expect.stringMatching(/`agent`.*text.*7.?$/)],
    [{ outcome: 7 }, expect.stringMatching(/`outcome`.*text.*7.?$/)],
    [{ model: 7 }, expect.stringMatching(/`model`.*text.*7.?$/)],
    [{ task: 7 }, expect.stringMatching(/`task`.*text.*7.?$/)],
  ])("%j", (query, message) =>
    expect(() => requireQuery(query)).toThrow(expect.objectContaining({ message: naming(message) })),
  )

  test("is none of these", () => {
    requireQuery({})
    requireQuery({
      root: ids[0]!,
      cursor: ids[1]!,
      limit: 0,
      status: "open",
      order: "oldest",
      since: 0,
      before: 9,
      agent: "",
      outcome: "",
      model: "",
      task: "",
    })
  })
})
