import fs from "node:fs"
import path from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { directory, event } from "../../../../test/stores/heads-kit.ts"
import { isLinux, openFiles, wrongBit } from "../../../../test/stores/tree-kit.ts"
import { createRunId } from "../../../run/log/id.ts"
import { Blobs } from "./blobs.ts"
import { realDisk } from "./disk.ts"
import { examineTree } from "./examine.ts"
import { Extent } from "./extent.ts"
import { logFile, writeHeaderLine, writeReleaseLine } from "./folder.ts"
import { seal } from "./line.ts"

const root = createRunId(1_700_000_000_000)
const child = `${root}.1`
const header = { cadre: 1, epoch: 1, owner: null } as const

let folder = ""
beforeEach(() => {
  folder = path.join(directory, root)
  fs.mkdirSync(folder)
})

const line = (run: string, seq: number) => seal(JSON.stringify(event(run, seq, {})))
/** A line that is damaged beyond repair. */
const torn = (run: string, seq: number) => line(run, seq).replace('"type":"test"', '"type":"#####"')
const log = (...lines: readonly string[]) => fs.writeFileSync(logFile(folder, 1), lines.join(""))

async function examined(): Promise<readonly unknown[]> {
  const found: unknown[] = []
  const place = { disk: realDisk, root, folder, blobs: new Blobs(realDisk, folder), onDamage: () => {} }
  for await (const piece of examineTree(place))
    found.push(
      piece.type === "event"
        ? `${piece.event.run === root ? "root" : "child"} ${piece.event.seq}${piece.mended ? ", mended" : ""}`
        : [
            piece.reason.replace(/byte \d+/, "byte N"),
            "run" in piece ? piece.seq : undefined,
            piece.owner,
            ...(piece.type === "damage" ? [] : ["of no known type"]),
          ],
    )
  return found
}

const first = writeHeaderLine(header)
const damage = (reason: string, seq?: number, owner?: string) => [reason, seq, owner]
const lost = "the line at byte N is lost: the checksum does not match"

describe("all that can be read of a log, and what is wrong with it", () => {
  test.each<[string, readonly string[], readonly unknown[]]>([
    ["nothing", [first, line(root, 0), line(root, 1), line(child, 0)], ["root 0", "root 1", "child 0"]],
    [
      "one event is missing",
      [first, line(root, 0), line(root, 2)],
      ["root 0", damage("event 1 is missing", 1), "root 2"],
    ],
    [
      "several are",
      [first, line(root, 0), line(root, 4), line(root, 5)],
      ["root 0", damage("events 1 to 3 are missing", 1), "root 4", "root 5"],
    ],
    [
      "a line is lost, and its gap is told once",
      [first, line(root, 0), torn(root, 1), line(root, 2)],
      ["root 0", damage(lost, 1), "root 2"],
    ],
    [
      "a line is lost, and more than that is missing",
      [first, line(root, 0), torn(root, 1), line(root, 3)],
      ["root 0", damage(lost, 1), damage("events 1 to 2 are missing", 1), "root 3"],
    ],
    [
      "two lines are lost, of two runs",
      [
        first,
        line(root, 0),
        line(child, 0),
        torn(root, 1),
        torn(child, 1),
        line(root, 2),
        line(child, 2),
        line(child, 4),
      ],
      [
        "root 0",
        "child 0",
        damage(lost, 1),
        damage(lost, 1),
        "root 2",
        "child 2",
        damage("event 3 is missing", 3),
        "child 4",
      ],
    ],
    [
      "a line is there twice",
      [first, line(root, 0), line(root, 1), line(root, 0), line(root, 2)],
      ["root 0", "root 1", "root 2"],
    ],
    ["its first event is lost", [first, line(child, 0)], ["child 0", damage("its first event is lost", 0)]],
    [
      "its first line is lost",
      [line(root, 0)],
      [damage("its first line is lost", undefined, "lost"), "root 0"],
    ],
    ["all of it is lost", [first], [damage("its first event is lost", 0)]],
    ["it is being removed", [writeHeaderLine({ ...header, removed: true }), line(root, 0)], []],
  ])("%s", async (_, lines, expected) => {
    log(...lines)
    expect(await examined()).toEqual(expected)
  })

  test("one wrong bit is put right", async () => {
    const bytes = Buffer.from(line(root, 1))
    bytes[40]! ^= 1
    log(first, line(root, 0))
    fs.appendFileSync(logFile(folder, 1), bytes)
    expect(await examined()).toEqual([
      "root 0",
      damage(expect.stringContaining("repaired")),
      "root 1, mended",
    ])
  })

  test("a log that was cut", async () => {
    log(first, line(root, 0), line(root, 1))
    const extent = new Extent(folder, 1)
    extent.record(fs.statSync(logFile(folder, 1)).size)
    extent.close()
    expect(await examined()).toEqual(["root 0", "root 1"])
    log(first, line(root, 0))
    expect(await examined()).toEqual(["root 0", damage(naming("last", `${line(root, 1).length}`, "bytes"))])
  })

  test("a wrong bit in the first line, and in one that is no event", async () => {
    log(first, line(root, 0))
    const bytes = Buffer.concat([
      wrongBit(first, "epoch"),
      Buffer.from(line(root, 0)),
      wrongBit(writeReleaseLine("nonce"), "nonce"),
    ])
    fs.writeFileSync(logFile(folder, 1), bytes)
    const repairable = damage(expect.stringMatching(/byte N.*repaired/))
    expect(await examined()).toEqual([repairable, "root 0", repairable])
  })

  test.runIf(isLinux)("and the log is closed", async () => {
    log(first, line(root, 0))
    await examined()
    expect(openFiles(folder)).toEqual([])
  })

  test("a log that was taken over while it was read is not damaged", async () => {
    log(first, line(root, 0), torn(root, 1))
    const disk = {
      ...realDisk,
      read: (...given: Parameters<typeof realDisk.read>) => {
        fs.writeFileSync(logFile(folder, 2), writeHeaderLine({ ...header, epoch: 2 }))
        return realDisk.read(...given)
      },
    }
    const found: string[] = []
    const place = { disk, root, folder, blobs: new Blobs(realDisk, folder), onDamage: () => {} }
    for await (const { type } of examineTree(place)) found.push(type)
    expect(found).toEqual(["event"])
  })

  test("no log", async () => expect(await examined()).toEqual([]))
})
