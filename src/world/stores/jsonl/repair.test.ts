import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { directory } from "../../../../test/stores/heads-kit.ts"
import { lineOf, placeOf, torn, wrongBit } from "../../../../test/stores/tree-kit.ts"
import type { LogRepair } from "../../../run/log/event-run.ts"
import { createRunId } from "../../../run/log/id.ts"
import type { StoredEvent } from "../../../run/log/store.ts"
import { writeHeaderLine } from "./folder.ts"
import { LogCopy } from "./log-copy.ts"
import { repairInto } from "./repair.ts"

const root = createRunId(1_700_000_000_000)
const [child, other] = [`${root}.1`, `${root}.2`]

type Lost = StoredEvent & { readonly reason: string; readonly rest?: true }

/** The copy that a repair makes: its events, its last event, and what the caller is told. */
async function repaired(
  lines: readonly (string | Buffer)[],
  damage: Partial<Parameters<typeof repairInto>[2]> = {},
) {
  const file = path.join(directory, "damaged")
  fs.writeFileSync(file, Buffer.concat(lines.map((line) => Buffer.from(line as string))))
  const descriptor = fs.openSync(file, "r")
  const place = placeOf(directory, root)
  const copy = new LogCopy(place, 8, writeHeaderLine({ cadre: 1, epoch: 8, owner: null }))
  try {
    const told = await repairInto(
      copy,
      { ...place, descriptor },
      { from: 0, missing: 0, header: "whole", epoch: 7, ...damage },
    )
    if (told === "lost-root") return { told, events: [] }
    await copy.sync()
    const name = fs.readdirSync(directory).find((entry) => entry.startsWith("temporary."))!
    const [, ...written] = fs.readFileSync(path.join(directory, name), "utf8").trimEnd().split("\n")
    const events = written.map((line) => {
      const { crc: _, ...event } = JSON.parse(line) as StoredEvent & { crc: string }
      return event as Lost
    })
    const report = events.pop() as unknown as LogRepair & StoredEvent
    return { told, report, events: events.map(shown) }
  } finally {
    copy.discard()
    fs.closeSync(descriptor)
  }
}

const nameOf = (run: string) => (run === root ? "root" : run === child ? "child" : "other")
const shown = ({ run, seq, type, at, reason, rest }: Lost): unknown =>
  type === "event-lost" ? [nameOf(run), seq, at, reason, ...(rest ? ["rest"] : [])] : `${nameOf(run)} ${seq}`

const lost = (offset: number) => naming(`${offset}`, "checksum")
const [r0, r1, r2, r3] = [0, 1, 2, 3].map((seq) => lineOf(root, seq)) as [string, string, string, string]
const [c0, c1, c2] = [0, 1, 2].map((seq) => lineOf(child, seq)) as [string, string, string]
const size = (...lines: readonly string[]) => lines.join("").length
const ended = (run: string, seq: number) =>
  lineOf(run, seq, { type: "run-end", outcome: { type: "completed" } })
const garbage = "nothing that could be read\n"
const unread = (offset: number) => naming(`${offset}`, "format")

describe("what a repair keeps of a log", () => {
  test.each<[string, readonly (string | Buffer)[], readonly unknown[]]>([
    ["all that is whole", [r0, c0, r1], ["root 0", "child 0", "root 1"]],
    [
      "an event in place of one that is lost, with the time before it",
      [r0, torn(r1), r2],
      ["root 0", ["root", 1, 0, lost(size(r0))], "root 2"],
    ],
    [
      "one for each, with its own line",
      [r0, torn(r1), torn(r2), r3],
      ["root 0", ["root", 1, 0, lost(size(r0))], ["root", 2, 0, lost(size(r0, torn(r1)))], "root 3"],
    ],
    [
      "one for each run, with the line of that run",
      [r0, c0, torn(r1), torn(c1), c2, r2],
      [
        "root 0",
        "child 0",
        ["child", 1, 0, lost(size(r0, c0, torn(r1)))],
        "child 2",
        ["root", 1, 0, lost(size(r0, c0))],
        "root 2",
      ],
    ],
    ["one whose line is nowhere", [r0, r2], ["root 0", ["root", 1, 0, "its line is missing"], "root 2"]],
    [
      "one whose line tells nothing: the last that was lost",
      [r0, garbage, r2],
      ["root 0", ["root", 1, 0, unread(size(r0))], "root 2"],
    ],
    [
      "the first of another run, with the time after it",
      [r0, torn(c0), c1],
      ["root 0", ["child", 0, 1, lost(size(r0))], "child 1"],
    ],
    [
      "an event that was the last one",
      [r0, c0, torn(r1)],
      ["root 0", "child 0", ["root", 1, 0, lost(size(r0, c0))]],
    ],
    ["a line that was written twice, once", [r0, r1, r0, r1, r2], ["root 0", "root 1", "root 2"]],
    ["no event that is too far ahead to be true", [r0, lineOf(root, 10_002)], ["root 0"]],
    [
      "the end of every open run, where a last line tells nothing",
      [r0, c0, lineOf(other, 0), ended(other, 1), garbage],
      [
        "root 0",
        "child 0",
        "other 0",
        "other 1",
        ["root", 1, 0, unread(size(r0, c0, lineOf(other, 0), ended(other, 1))), "rest"],
        ["child", 1, 0, unread(size(r0, c0, lineOf(other, 0), ended(other, 1))), "rest"],
      ],
    ],
    [
      "the end of the runs that say nothing after two lines that became one",
      [r0, c0, `${torn(r1).slice(0, -3)}${torn(c1)}`, r2],
      [
        "root 0",
        "child 0",
        ["root", 1, 0, lost(size(r0, c0))],
        "root 2",
        ["child", 1, 0, lost(size(r0, c0)), "rest"],
      ],
    ],
  ])("%s", async (_, lines, events) => {
    expect((await repaired(lines)).events).toEqual(events)
  })

  test("a gap of ten thousand is believed", async () => {
    const { events } = await repaired([r0, lineOf(root, 10_001)])
    expect([events.length, events[1], events.at(-1)]).toEqual([
      10_002,
      ["root", 1, 0, "its line is missing"],
      "root 10001",
    ])
  })

  test("the end of every open run, where the log was cut", async () => {
    const { events, report } = await repaired([r0, c0, ended(child, 1)], { missing: 3 })
    expect(events).toEqual([
      "root 0",
      "child 0",
      "child 1",
      ["root", 1, 0, expect.stringContaining("3"), "rest"],
    ])
    expect(report).toMatchObject({ lost: 1, reasons: [expect.stringContaining("3")] })
  })
})

test.each<[string, readonly string[]]>([
  ["nothing can be read", []],
  ["the root is not there", [c0]],
  ["its first event is lost", [torn(r0), r1]],
])("a log is beyond repair where %s", async (_, lines) => {
  expect((await repaired(lines)).told).toBe("lost-root")
})

describe("the report", () => {
  const plain = { run: root, at: 1, v: expect.any(Number), type: "log-repair", kept: "damaged.7.jsonl" }
  test.each<
    [
      string,
      readonly (string | Buffer)[],
      Partial<Parameters<typeof repairInto>[2]>,
      object,
      readonly RegExp[],
    ]
  >([
    [
      "a header that is lost",
      [r0, r1],
      { header: "lost" },
      { seq: 2, restored: 0, lost: 0, reasons: [expect.stringContaining("first line")] },
      [/\b0 lines were/, /\b0 events are/],
    ],
    [
      "a header that was repaired",
      [r0, r1],
      { header: "mended" },
      { seq: 2, restored: 1, lost: 0, reasons: [] },
      [/\b1 line was/, /\b0 events are/],
    ],
    [
      "a header and a line",
      [r0, wrongBit(r1, "test")],
      { header: "mended" },
      { seq: 2, restored: 2, lost: 0, reasons: [] },
      [/\b2 lines were/],
    ],
    [
      "one lost event",
      [r0, torn(r1)],
      {},
      { seq: 2, at: 0, restored: 0, lost: 1, reasons: [lost(size(r0))] },
      [/\b0 lines were/, /\b1 event is/],
    ],
    ["two", [r0, torn(r1), torn(r2), r3], {}, { seq: 4, at: 3, lost: 2 }, [/\b2 events are/]],
  ])("of %s", async (_, lines, damage, expected, words) => {
    const { told, report } = await repaired(lines, damage)
    expect(report).toEqual(expect.objectContaining({ ...plain, ...expected }))
    for (const word of words) expect(told).toMatch(word)
  })

  test("has at most ten reasons", async () => {
    const { report } = await repaired([r0, ...Array.from({ length: 12 }, () => garbage), r1])
    expect(report!.reasons).toHaveLength(10)
  })
})

test("a line whose blob is missing may have been several", async () => {
  const hash = "0".repeat(64)
  const crc = JSON.parse(lineOf(root, 1)) as object
  const { crc: _, ...value } = crc as { crc?: string }
  const { seal } = await import("./line.ts")
  const packed = seal(JSON.stringify({ packed: [[["text"], hash]], value }))
  const { events } = await repaired([r0, c0, packed, r2])
  const reason = naming(`${size(r0, c0)}`, hash)
  expect(events).toEqual([
    "root 0",
    "child 0",
    ["root", 1, 0, reason],
    "root 2",
    ["child", 1, 0, reason, "rest"],
  ])
})
