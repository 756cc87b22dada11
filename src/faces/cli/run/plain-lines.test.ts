import { expect, test } from "vitest"
import type { LiveEvent } from "../../../run/log/event.ts"
import { createLineTeller } from "./plain-lines.ts"

const root = "01m7fefgh6pdsaj8hh8fwd1p3a"
const event = (type: string, more: object = {}, run = root): LiveEvent =>
  ({ run, type, at: 0, seq: 0, v: 2, ...more }) as unknown as LiveEvent

test("tells what began, was called, was tried again, waits or ended, and nothing else", () => {
  const call = { call: "c1" }
  const error = { message: "busy" }
  expect(
    [
      event("run-start", { agent: "lead", task: "Do\nit." }),
      event("model-start", { turn: 1 }),
      event("text-delta", { text: "x" }),
      event("model-retry", { notBefore: 2_000, error }),
      event("model-retry", {
        notBefore: 2_000,
        until: new Date(2026, 0, 1, 14, 5).getTime(),
        host: "api.x.ai",
        attempt: 9,
        error,
      }),
      event("model-fallback", { error }),
      event("model-end", { calls: [{ id: "c1", tool: "Bash", arguments: '{"command":"\u001b[2J"}' }] }),
      event("approval-start", call),
      event("approval-end", { ...call, decision: "allow" }),
      event("tool-start", call),
      event("tool-end", { ...call, result: { status: "ok", text: "fine" } }),
      event("tool-end", { ...call, result: { status: "error", text: "no" } }),
      event("hook-end", { ...call, verdict: { type: "rewrite", arguments: '{"command":"true"}' } }),
      event("tool-start", call),
      event("child-start", { call: "after_tool:c1", agent: "child", hook: { hook: "set: after_tool.0" } }),
      event("run-start", { agent: "child", task: "Help." }, `${root}.1`),
      event("run-resume", {}, `${root}.1`),
      event("run-end", { outcome: { type: "limit", limit: "turns" } }, `${root}.1`),
      event("run-end", { outcome: { type: "completed" } }),
    ].flatMap((one) => tell(one) ?? []),
  ).toEqual([
    "lead started: Do it.",
    "lead retries in 2.0s: busy",
    "lead waits for api.x.ai until 14:05: busy, attempt 9",
    "lead tries the next model: busy",
    'lead needs approval for c1: Bash {"command":"\\u{1b}[2J"}',
    "lead call c1 was approved",
    'lead calls Bash {"command":"\\u{1b}[2J"}',
    'lead error: Bash {"command":"\\u{1b}[2J"}: no',
    "lead calls Bash true",
    "lead starts child for the hook set: after_tool.0",
    "child.1 started: Help.",
    "child.1 resumed",
    "child.1 reached its limit of turns",
    "lead completed",
  ])
})

const tell = createLineTeller()
