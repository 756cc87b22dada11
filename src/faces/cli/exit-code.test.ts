import { expect, test } from "vitest"
import type { RunOutcome } from "../../run/log/event-outcome.ts"
import { exitCode, getResultCode } from "./exit-code.ts"

test.each<[RunOutcome, number]>([
  [{ type: "completed" }, 0],
  [{ type: "failed", reason: "x" }, 1],
  [{ type: "no-output" }, 1],
  [{ type: "limit", limit: "turns" }, 3],
  [{ type: "limit", limit: "cost" }, 3],
  [{ type: "timed-out", clock: "timeout" }, 3],
  [{ type: "timed-out", clock: "idleTimeout" }, 3],
  [{ type: "loop", reason: "x" }, 3],
  [{ type: "denied", reason: "x" }, 4],
  [{ type: "cancelled", reason: "x" }, 5],
  [{ type: "uncertain", reason: "x" }, 8],
])("%j exits %i", (outcome, code) => {
  expect(getResultCode({ status: "ended", outcome })).toBe(code)
})

test("a run that rests exits 7, and one that nobody drives 1", () => {
  expect(getResultCode({ status: "resting" })).toBe(7)
  expect(getResultCode({ status: "open" })).toBe(1)
})

test("no two things share a code", () => {
  const codes = Object.values(exitCode)
  expect(codes).toEqual([...new Set(codes)])
})
