import { describe, expect, test } from "vitest"
import { runStart } from "../../../test/run-start.ts"
import { memoryStore } from "../../world/stores/memory.ts"
import type { Fact } from "../log/event.ts"
import { createRunId } from "../log/id.ts"
import type { Claim, StoredEvent } from "../log/store.ts"
import { readReport } from "./report.ts"

const root = createRunId(1)

/** The report of a run with these events, each of a run below the root where it says so. */
async function reported(...facts: readonly (Fact & { readonly below?: string })[]) {
  const store = memoryStore()
  await store.create({ ...runStart, agent: "lead", run: root, seq: 0, at: 1, v: 2 } as unknown as StoredEvent)
  const claim = (await store.claim(root)) as Claim
  const next = new Map<string, number>()
  for (const { below = "", ...fact } of facts) {
    const run = `${root}${below}`
    const seq = next.get(run) ?? (below === "" ? 1 : 0)
    next.set(run, seq + 1)
    const stored = { ...fact, run, seq, at: 1, v: 2 } as unknown as StoredEvent
    if (fact.type === "run-start") await store.create(stored)
    else await store.append(claim, [stored])
  }
  return readReport(store, root)
}

const asked = (id: string, tool: string, more: object = {}) =>
  ({
    type: "model-end",
    turn: 1,
    calls: [{ id, wire: id, tool, arguments: "{}", kind: "function", effect: "read", ...more }],
  }) as unknown as Fact
const started = (call: string): Fact => ({ type: "tool-start", call, by: { type: "default" } })
const ended = (call: string, status: string, evidence?: object, more: object = {}) =>
  ({
    type: "tool-end",
    call,
    result: { status, text: status, ...(evidence && { evidence }) },
    ...more,
  }) as unknown as Fact
const ran = (id: string, command: string, exitCode: number): readonly Fact[] => [
  asked(id, "Bash"),
  started(id),
  ended(id, exitCode === 0 ? "ok" : "error", { commands: [{ command, exitCode }] }),
]
const end = (type: string) =>
  ({ type: "run-end", outcome: { type, reason: "x" }, output: "" }) as unknown as Fact

describe("a report", () => {
  test("counts the calls that started, by agent", async () => {
    const report = await reported(
      ...ran("c1", "ls", 0),
      { ...runStart, agent: "tester", below: ".1" } as never,
      { ...asked("c1", "Read"), below: ".1" },
      { ...started("c1"), below: ".1" },
      { ...ended("c1", "ok"), below: ".1" },
      asked("c2", "Read"),
      ended("c2", "skipped"),
    )
    expect(report.agents).toEqual([
      { agent: "lead", runs: 1, calls: { Bash: 1 } },
      { agent: "tester", runs: 1, calls: { Read: 1 } },
    ])
    expect(report.failed).toEqual([])
  })

  test("has what failed, was denied and was invalid, with its cause", async () => {
    const by = { type: "rule", of: "x", rule: "Read" } as const
    const report = await reported(
      asked("c1", "Read"),
      ended("c1", "denied", undefined, { by }),
      asked("c2", "Nope", { problem: "no such tool" }),
      ended("c2", "error"),
      asked("c3", "Write"),
      started("c3"),
      ended("c3", "unknown"),
    )
    expect(report.failed.map(({ call, status, by }) => [call, status, by])).toEqual([
      ["c1", "denied", by],
      ["c2", "invalid", undefined],
      ["c3", "unknown", { type: "default" }],
    ])
  })

  test.each<[string, readonly Fact[], boolean]>([
    [
      "the last run of a command failed, and the run completed",
      [...ran("c1", "t", 0), ...ran("c2", "t", 1), end("completed")],
      true,
    ],
    [
      "a command failed and then succeeded",
      [...ran("c1", "t", 1), ...ran("c2", "t", 0), end("completed")],
      false,
    ],
    [
      "another command succeeded after it",
      [...ran("c1", "t", 1), ...ran("c2", "u", 0), end("completed")],
      true,
    ],
    ["the run did not complete", [...ran("c1", "t", 1), end("failed")], false],
    ["the run has not ended", ran("c1", "t", 1), false],
  ])(
    "is contradicted only where a command's last run failed and the run completed: %s",
    async (_, facts, expected) => {
      expect((await reported(...facts)).contradicted).toBe(expected)
    },
  )

  test("has each command and each file once, with the last exit code", async () => {
    const files = { files: [{ path: "/w/a", hash: "h" }] }
    const report = await reported(
      ...ran("c1", "t", 1),
      ...ran("c2", "t", 0),
      asked("c3", "Write"),
      started("c3"),
      ended("c3", "ok", files),
      asked("c4", "Write"),
      started("c4"),
      ended("c4", "ok", files),
    )
    expect(report.commands).toEqual([
      { run: root, agent: "lead", call: "c2", command: "t", exitCode: 0, times: 2 },
    ])
    expect(report.files).toEqual(["/w/a"])
  })
})
