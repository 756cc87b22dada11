import { expect, test } from "vitest"
import type { RunEvent } from "../../run/log/event.ts"
import { createActivity } from "./activity.ts"

const told = (...events: readonly object[]): string => {
  const activity = createActivity()
  for (const event of events) activity.see(event as RunEvent)
  return activity.text()
}

const [lead, child] = ["01m7qma50kbnh0ghj10cexzy10", "01m7qma50kbnh0ghj10cexzy10.1"]
const begins = { type: "run-start", run: lead, agent: "lead" }
const asks = { type: "model-start", run: lead }
const calls = { type: "model-end", run: lead, calls: [{ id: "c1", tool: "Bash" }] }
const below = { type: "run-start", run: child, agent: "tester" }

const cases: readonly (readonly [string, readonly object[], string])[] = [
  ["nothing yet", [], "The run is starting (model requests: 0)"],
  ["a request", [begins, asks], "lead asks its model (model requests: 1)"],
  [
    "a call by its tool",
    [begins, asks, calls, { type: "tool-start", run: lead, call: "c1" }],
    "lead runs Bash (model requests: 1)",
  ],
  [
    "a call of an unknown tool",
    [begins, { type: "tool-start", run: lead, call: "c9" }],
    "lead runs call c9 (model requests: 0)",
  ],
  [
    "a call that waits",
    [begins, calls, { type: "approval-start", run: lead, call: "c1" }],
    "lead waits for approval of Bash (model requests: 0)",
  ],
  ["the subagent that works", [begins, below], "tester starts (model requests: 0, open runs: 2 of 2)"],
  [
    "an end below",
    [begins, below, { type: "run-end", run: child, outcome: { type: "failed" } }],
    "tester has ended: failed (model requests: 0, open runs: 1 of 2)",
  ],
  [
    "a name with control characters on one line",
    [{ ...begins, agent: "a\u001b[31m\nb" }],
    "a [31m b starts (model requests: 0)",
  ],
]

test.each(cases)("tells %s", (_, events, text) => {
  expect(told(...events)).toBe(text)
})
