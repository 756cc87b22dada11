import { expect, test } from "vitest"
import { asked, turn } from "../../../test/folded.ts"
import { askAndDeny, runStart } from "../../../test/run-start.ts"
import { memoryStore } from "../../world/stores/memory.ts"
import type { Fact } from "../log/event.ts"
import { createRunId } from "../log/id.ts"
import type { Claim, StoredEvent } from "../log/store.ts"
import { readRunStatus } from "./run-status.ts"

test.each<[string, readonly Fact[], object]>([
  ["has begun", [], { status: "open" }],
  [
    "waits for its provider",
    [
      turn(1, [])[0]!,
      {
        type: "model-retry",
        turn: 1,
        attempt: 1,
        notBefore: 9_000,
        host: "h",
        error: { kind: "rate-limit", message: "slow", action: "retry" },
      } as unknown as Fact,
    ],
    { status: "open", waits: { for: "h", reason: "slow", attempt: 1, next: 9_000 } },
  ],
  [
    "waits for a person",
    [...turn(1, [asked(1, { tool: "ask" })]), { type: "approval-start", call: "c1" }],
    { status: "resting" },
  ],
  ["has ended", [{ type: "run-end", outcome: { type: "completed" }, output: "x" }], { status: "ended" }],
])("the status of a run that %s is in its log", async (_, facts, expected) => {
  const store = memoryStore()
  const run = createRunId(1)
  const events = [{ ...runStart, rights: askAndDeny } as Fact, ...facts].map(
    (fact, seq) => ({ ...fact, run, seq, at: seq, v: 1 }) as unknown as StoredEvent,
  )
  await store.create(events[0]!)
  const claim = (await store.claim(run)) as Claim
  if (events.length > 1) await store.append(claim, events.slice(1))
  expect(await readRunStatus(store, run)).toEqual(expected)
})
