import { expect, test } from "vitest"
import { folded } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import { failedBy, outOfTurns } from "./end-codes.ts"

const run = (format?: string) => folded({ ...runStart, ...(format && { origin: { format } as never }) })

test("an end has the code that the format of its agent has for it", () => {
  expect([failedBy(run("remora"), "model", "no"), failedBy(run("remora"), "result", "no")]).toEqual([
    { type: "failed", reason: "AGENT_002: no" },
    { type: "failed", reason: "AGENT_003: no" },
  ])
  expect(outOfTurns(run("remora"))).toEqual({
    type: "limit",
    limit: "turns",
    reason: "AGENT_004: Turn limit 5 exceeded",
  })
})

test("and none where that has none", () => {
  for (const state of [run(), run("claude"), run("nobody's")]) {
    expect(failedBy(state, "model", "no")).toEqual({ type: "failed", reason: "no" })
    expect(outOfTurns(state)).toEqual({ type: "limit", limit: "turns" })
  }
})
