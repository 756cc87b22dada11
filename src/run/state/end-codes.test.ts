import { expect, test } from "vitest"
import { folded } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import { createFailure, createTurnLimit } from "./end-codes.ts"

const run = (format?: string) => folded({ ...runStart, ...(format && { origin: { format } as never }) })

test("an end has the code that the format of its agent has for it", () => {
  const first = run("remora")
  const later = { ...first, turn: 2 }
  expect([
    createFailure({ ...first, turn: 1 }, "model", "no"),
    createFailure(later, "model", "no"),
    createFailure(later, "result-missing", "no"),
    createFailure(later, "result-invalid", "no"),
    createTurnLimit(later),
  ]).toEqual([
    { type: "failed", reason: "AGENT_002: no", fault: { code: "AGENT_002", phase: "model_load" } },
    { type: "failed", reason: "AGENT_002: no", fault: { code: "AGENT_002", phase: "loop" } },
    { type: "failed", reason: "AGENT_003: no", fault: { code: "AGENT_003", phase: "loop" } },
    { type: "failed", reason: "AGENT_003: no", fault: { code: "AGENT_003", phase: "merge" } },
    {
      type: "limit",
      limit: "turns",
      reason: "AGENT_004: Turn limit 5 exceeded",
      fault: { code: "AGENT_004", phase: "loop" },
    },
  ])
})

test("and none where that has none", () => {
  for (const state of [run(), run("claude"), run("nobody's")]) {
    expect(createFailure(state, "model", "no")).toEqual({ type: "failed", reason: "no" })
    expect(createTurnLimit(state)).toEqual({ type: "limit", limit: "turns" })
  }
})
