import { describe, expect, test } from "vitest"
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
    [{ limit: -1 }, "`limit` of a list of runs must be a whole number from 0 on, but it is -1."],
    [{ limit: 1.5 }, "must be a whole number from 0 on, but it is 1.5."],
    [{ limit: "3" }, 'must be a whole number from 0 on, but it is "3".'],
    [{ status: "over" }, '`status` of a list of runs must be open or ended, but it is "over".'],
    [{ order: "down" }, '`order` of a list of runs must be newest or oldest, but it is "down".'],
    [{ since: "now" }, "`since` of a list of runs must be a time in milliseconds since 1970"],
    [{ before: Number.NaN }, "`before` of a list of runs must be a time in milliseconds since 1970"],
    [{ agent: 7 }, "`agent` of a list of runs must be a text, but it is 7."],
    [{ outcome: 7 }, "`outcome` of a list of runs must be a text, but it is 7."],
    [{ model: 7 }, "`model` of a list of runs must be a text, but it is 7."],
    [{ task: 7 }, "`task` of a list of runs must be a text, but it is 7."],
  ])("%j", (query, message) => expect(() => requireQuery(query)).toThrow(message))

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
