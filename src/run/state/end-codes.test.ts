import { expect, test } from "vitest"
import { folded } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import { createFailure, createTurnLimit } from "./end-codes.ts"

const run = (format?: string) => folded({ ...runStart, ...(format && { origin: { format } as never }) })

test("an end has the code that the format of its agent has for it", () => {
  expect([createFailure(run("remora"), "model", "no"), createFailure(run("remora"), "result", "no")]).toEqual(
    [
      { type: "failed", reason: "AGENT_002: no" },
      { type: "failed", reason: "AGENT_003: no" },
    ],
  )
  expect(createTurnLimit(run("remora"))).toEqual({
    type: "limit",
    limit: "turns",
    reason: "AGENT_004: Turn limit 5 exceeded",
  })
})

test("and none where that has none", () => {
  for (const state of [run(), run("claude"), run("nobody's")]) {
    expect(createFailure(state, "model", "no")).toEqual({ type: "failed", reason: "no" })
    expect(createTurnLimit(state)).toEqual({ type: "limit", limit: "turns" })
  }
})
