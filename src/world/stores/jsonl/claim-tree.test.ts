import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { isLinux, openFiles } from "../../../../test/stores/tree-kit.ts"
import type { LogRepair } from "../../../run/log/event-run.ts"
import { createRunId } from "../../../run/log/id.ts"
import type { Claim, StoredEvent } from "../../../run/log/store.ts"
import { jsonlStore } from "../jsonl.ts"
import { type Disk, realDisk } from "./disk.ts"
import { heldClaims } from "./endpoint.ts"
import { seal } from "./line.ts"

const base = fs.mkdtempSync(path.join(os.tmpdir(), "claim-"))
afterAll(() => fs.rmSync(base, { recursive: true, force: true }))

const event = (run: string, seq: number, more: object = {}): StoredEvent =>
  ({ type: "test", run, seq, at: 1, v: 1, ...more }) as unknown as StoredEvent

/** A store that records which folders were synced, and which logs each folder held then. */
function opened() {
  const directory = fs.mkdtempSync(path.join(base, "store-"))
  const told: string[] = []
  const disk: Disk = {
    ...realDisk,
    sync: async (descriptor) => {
      await realDisk.sync(descriptor)
      told.push("log")
    },
    syncFolder: async (folder) => {
      await realDisk.syncFolder(folder)
      const logs = fs.readdirSync(folder).filter((name) => name.startsWith("log."))
      told.push([path.relative(directory, folder) || "directory", ...logs].join(" "))
    },
  }
  return { directory, told, disk, store: jsonlStore({ directory, disk }) }
}

const namesOf = (told: readonly string[], run: string) => told.map((text) => text.replaceAll(run, "TREE"))

test("the name of a log is on the disk before anybody hears that it is there", async () => {
  const { store, told } = opened()
  const run = createRunId(1)
  expect(await store.create(event(run, 0))).toBe("created")
  const created = namesOf(told.splice(0), run)
  expect([created[0], ...created.slice(1).toSorted()]).toEqual(["log", "TREE log.1.jsonl", "directory"])
  const claim = (await store.claim(run)) as Claim
  expect(namesOf(told.splice(0), run)).toEqual(["log", "TREE log.1.jsonl log.2.jsonl"])
  expect(claim).toEqual({ run, epoch: 2, covers: "tree" })
  await store.close()
})

test("a text of its own is on the disk with its name before it is told", async () => {
  const { store, told } = opened()
  const run = createRunId(1)
  await store.create(event(run, 0))
  const claim = (await store.claim(run)) as Claim
  told.splice(0)
  await store.append(claim, [event(run, 1, { text: "long ".repeat(20_000) })])
  expect(namesOf(told, run)).toEqual(["log", "TREE/blobs"])
  await store.close()
})

test("what a claim leaves behind is emptied, and what nobody finished is swept", async () => {
  const { store, directory } = opened()
  const run = createRunId(1)
  await store.create(event(run, 0))
  const folder = path.join(directory, run)
  for (const name of ["temporary.1.aa", "temporary.2.bb", "temporary.9.cc"])
    fs.writeFileSync(path.join(folder, name), "x")
  const first = (await store.claim(run)) as Claim
  await store.release(first)
  const second = (await store.claim(run)) as Claim
  const logs = fs.readdirSync(folder).filter((name) => /^(?:log|temporary)\./.test(name))
  expect(logs.toSorted()).toEqual(["log.1.jsonl", "log.2.jsonl", "log.3.jsonl", "temporary.9.cc"])
  const sizes = ["log.1.jsonl", "log.2.jsonl", "log.3.jsonl"].map(
    (name) => fs.statSync(path.join(folder, name)).size > 0,
  )
  expect(sizes).toEqual([false, false, true])
  expect(second.epoch).toBe(3)
  await store.close()
})

test("what an owner adds while its log is taken over is kept, and is no damage", async () => {
  const directory = fs.mkdtempSync(path.join(base, "store-"))
  const run = createRunId(1)
  const first = jsonlStore({ directory })
  await first.create(event(run, 0))
  await first.close()
  const log = path.join(directory, run, "log.1.jsonl")
  let late = 1
  const store = jsonlStore({
    directory,
    disk: {
      ...realDisk,
      read: (descriptor, target, position) => {
        const count = realDisk.read(descriptor, target, position)
        // The end has been read. Now two more lines are appended, one after the other.
        if (count === 0 && late <= 2) fs.appendFileSync(log, seal(JSON.stringify(event(run, late++))))
        return count
      },
    },
  })
  expect(await store.claim(run)).toEqual({ run, epoch: 2, covers: "tree" })
  const seqs: number[] = []
  for await (const { seq } of store.read(run)) seqs.push(seq)
  expect(seqs).toEqual([0, 1, 2])
  await store.close()
})

test("who is refused a tree is not taken for one who holds it", async () => {
  const { store, directory } = opened()
  const run = createRunId(1)
  await store.create(event(run, 0))
  await store.claim(run)
  const held = heldClaims.size
  const other = jsonlStore({ directory })
  expect(await other.claim(run)).toMatchObject({ type: "owned" })
  expect(heldClaims.size).toBe(held)
  await other.close()
  await store.close()
  expect(heldClaims.size).toBe(held - 1)
})

test("logs that were taken over are empty, also those that a crash left full", async () => {
  const { store, directory } = opened()
  const run = createRunId(1)
  await store.create(event(run, 0))
  const log = (epoch: number) => path.join(directory, run, `log.${epoch}.jsonl`)
  const first = fs.readFileSync(log(1))
  await store.release((await store.claim(run)) as Claim)
  fs.writeFileSync(log(1), first)
  await store.claim(run)
  expect([1, 2, 3].map((epoch) => fs.statSync(log(epoch)).size > 0)).toEqual([false, false, true])
  await store.close()
})

test("an event is on the disk before it is confirmed, where that is asked for", async () => {
  const { store, told, directory, disk } = opened()
  const run = createRunId(1)
  await store.create(event(run, 0))
  const claim = (await store.claim(run)) as Claim
  told.splice(0)
  expect(await store.append(claim, [event(run, 1)])).toBe("ok")
  expect(told.splice(0)).toEqual([])
  expect(await store.append(claim, [event(run, 2)], { sync: true })).toBe("ok")
  expect(told.splice(0)).toEqual(["log"])
  await store.close()
  const every = jsonlStore({ directory, disk, sync: "every" })
  const again = (await every.claim(run)) as Claim
  told.splice(0)
  expect(await every.append(again, [event(run, 3)])).toBe("ok")
  expect(told.splice(0)).toEqual(["log"])
  await every.close()
})

describe("a tree whose log is damaged", () => {
  /** Runs `r`, `r.1` and `r.2` with two events each, in one log; the change gets its lines, the header first. */
  async function damaged(change: (lines: string[]) => void) {
    const { store, directory } = opened()
    const run = createRunId(1)
    await store.create(event(run, 0, { type: "run-start" }))
    const claim = (await store.claim(run)) as Claim
    for (const below of [`${run}.1`, `${run}.2`]) await store.create(event(below, 0, { type: "run-start" }))
    for (const one of [`${run}.1`, `${run}.2`, run])
      await store.append(claim, [event(one, 1, { type: "message-add" })])
    await store.close()
    const log = path.join(directory, run, "log.2.jsonl")
    const lines = fs.readFileSync(log, "utf8").split(/(?<=\n)/)
    const offset = (line: number) => Buffer.byteLength(lines.slice(0, line).join(""))
    const offsets = lines.map((_, line) => offset(line))
    change(lines)
    fs.writeFileSync(log, lines.join(""))
    const text = (words: string) =>
      words
        .replaceAll(run, "r")
        .replace(/byte ([0-9]+)/g, (_, byte) => `line ${offsets.indexOf(Number(byte))}`)
    const reopened = () => jsonlStore({ directory })
    return { run, text, reopened }
  }
  const spoil =
    (...numbers: readonly number[]) =>
    (lines: string[]) => {
      for (const number of numbers) lines[number] = lines[number]!.replace("message-add", "message-odd")
    }
  const joined =
    (...numbers: readonly number[]) =>
    (lines: string[]) => {
      for (const number of numbers) lines[number] = lines[number]!.replace("\n", " ")
    }
  const broken = (run: string, ...named: readonly string[]) =>
    naming(`run ${run} is damaged: `, ...named, "`cadre resume r --repair`", "`cadre log r`")
  const lost = (line: number) => `a line was lost at line ${line}: the checksum does not match`
  const rootLost = naming("first event of the root", "cannot be resumed", "`cadre log`")
  const several = (more: "1 more run" | "2 more runs", are: "is" | "are") =>
    broken("r.1", lost(4), `${more} of its tree ${are}`)
  const cases: readonly [string, (lines: string[]) => void, unknown, readonly unknown[] | "damaged"][] = [
    ["a line of one run", spoil(4), broken("r.1", lost(4)), [0, 1, lost(4)]],
    ["lines of two runs", spoil(4, 5), several("1 more run", "is"), [0, 2, lost(4), lost(5)]],
    ["lines of three runs", spoil(4, 5, 6), several("2 more runs", "are"), [0, 3, lost(4), lost(5), lost(6)]],
    ["a newline", joined(5), broken("r.2", lost(5)), [0, 4, lost(5)]],
    ["the last newlines", joined(5, 6), broken("r.2", lost(5)), [0, 4, lost(5)]],
    [
      "the first event of the root",
      (lines) => {
        lines[1] = `${"x".repeat(lines[1]!.length - 1)}\n`
      },
      rootLost,
      "damaged",
    ],
    [
      "the header",
      (lines) => {
        lines[0] = lines[0]!.replace("cadre", "cadra")
      },
      broken("r", "first line"),
      [1, 0],
    ],
  ]

  test.each(cases)("is refused with what is wrong: %s", async (_, change, message) => {
    const { run, text, reopened } = await damaged(change)
    const store = reopened()
    expect(JSON.parse(text(JSON.stringify(await store.claim(run))))).toEqual({ type: "damaged", message })
    await store.close()
  })

  test.each(cases)("is repaired, and its log keeps the reasons: %s", async (_, change, __, expected) => {
    const { run, text, reopened } = await damaged(change)
    const store = reopened()
    const claim = await store.claim(run, { repair: true })
    if ("type" in claim) expect(claim.type).toBe(expected)
    else {
      const events: unknown[] = []
      for await (const one of store.read(run)) events.push(one)
      const { type, restored, lost, reasons } = events.at(-1) as LogRepair
      expect([type, restored, lost, ...reasons.map(text)]).toEqual([
        "log-repair",
        ...(expected as readonly unknown[]),
      ])
    }
    await store.close()
  })
})

describe("what a claim tells of a log that is not whole", () => {
  const torn = async (rest: string, options = {}) => {
    const directory = fs.mkdtempSync(path.join(base, "store-"))
    const run = createRunId(1)
    const damages: string[] = []
    const store = jsonlStore({ directory, onDamage: ({ message }) => damages.push(message) })
    await store.create(event(run, 0))
    fs.appendFileSync(path.join(directory, run, "log.1.jsonl"), rest)
    const claim = await store.claim(run, options)
    const type = "type" in claim ? claim.type : "taken"
    const left = fs.readdirSync(path.join(directory, run)).filter((name) => name.startsWith("temporary."))
    await store.close()
    return { type, damages, left, open: isLinux ? openFiles(directory) : [] }
  }
  const none = { left: [], open: [] }

  test("an append that a crash cut off is told with its length", async () => {
    expect(await torn('{"crc":"')).toEqual({
      type: "taken",
      damages: [expect.stringContaining(" 8 ")],
      ...none,
    })
  })

  test("a whole one is not told", async () => {
    expect(await torn("")).toEqual({ type: "taken", damages: [], ...none })
  })

  test("damage is refused, and nothing is left of the attempt", async () => {
    expect(await torn("garbage that is a line\n")).toEqual({ type: "damaged", damages: [], ...none })
  })

  test("the damaged log is kept for its owner alone", async () => {
    const directory = fs.mkdtempSync(path.join(base, "store-"))
    const run = createRunId(1)
    const store = jsonlStore({ directory })
    await store.create(event(run, 0))
    const log = path.join(directory, run, "log.1.jsonl")
    fs.appendFileSync(log, "garbage that is a line\n")
    fs.chmodSync(log, 0o644)
    const text = fs.readFileSync(log, "utf8")
    await store.claim(run, { repair: true })
    await store.close()
    const kept = path.join(directory, run, "damaged.1.jsonl")
    expect([fs.readFileSync(kept, "utf8"), fs.statSync(kept).mode & 0o777]).toEqual([text, 0o600])
  })

  test("a repair is told once", async () => {
    const { damages, ...rest } = await torn('garbage that is a line\n{"crc":"', { repair: true })
    expect([rest, damages.length]).toEqual([{ type: "taken", ...none }, 1])
  })
})
