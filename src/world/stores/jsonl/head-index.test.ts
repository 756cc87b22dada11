import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { claimed, directory, event, filled, listed, truth } from "../../../../test/stores/heads-kit.ts"
import { createRunId } from "../../../run/log/id.ts"
import type { RunHead } from "../../../run/log/store.ts"
import { jsonlStore } from "../jsonl.ts"
import { type Disk, realDisk } from "./disk.ts"
import { addHead, forgetHead, HeadIndex, indexFile, isIndexLeftover } from "./head-index.ts"
import { seal } from "./line.ts"

const logOf = (run: string) => path.join(directory, run, "log.2.jsonl")
const index = () => fs.readFileSync(indexFile(directory), "utf8")
const setIndex = (text: string | Buffer) => fs.writeFileSync(indexFile(directory), text)

test("a list of ended runs reads no log, however many there are, and of open ones only theirs", async () => {
  await filled(40)
  let reads = 0
  const counting: Disk = {
    ...realDisk,
    read: (...given) => {
      reads++
      return realDisk.read(...given)
    },
  }
  const counted = async (query: object) => {
    reads = 0
    const heads = await listed(query, counting)
    return [heads.length, reads]
  }
  expect(await counted({ status: "ended", limit: 20 })).toEqual([20, expect.any(Number)])
  const [[, few], [, many], [opened, ofOpen]] = [
    await counted({ limit: 5 }),
    await counted({ limit: 30 }),
    await counted({ status: "open" }),
  ] as [number[], number[], number[]]
  // The only open run is the newest, so it is in each of these lists.
  expect([many, ofOpen, opened]).toEqual([few, few, 1])
})

test("heads from the index are those that the logs give, and unknown usage stays unknown", async () => {
  await filled(9)
  const heads = await listed()
  expect(heads).toEqual(await truth())
  expect(heads.map(({ usage }) => usage.inclusive).slice(1, 4)).toEqual([
    { tokens: 7, cost: 1 },
    { tokens: 7, cost: 1 },
    {},
  ])
  const indexed = index()
  fs.rmSync(indexFile(directory))
  await listed()
  const sorted = (text: string) => text.split("\n").toSorted()
  expect(sorted(index()).filter(Boolean)).toEqual(sorted(indexed).filter(Boolean))
})

const damages: readonly [string, (runs: readonly string[]) => void][] = [
  ["is missing", () => fs.rmSync(indexFile(directory))],
  ["is empty", () => setIndex("")],
  ["is cut in a line", () => setIndex(index().slice(0, -40))],
  ["is cut, and went on", () => setIndex(`${index().slice(0, -40)}\n${index()}`)],
  ["is of another version", () => setIndex(index().replaceAll('"v":1', '"v":0'))],
  ["has wrong sums", () => setIndex(index().replaceAll("completed", "cancelled"))],
  ["holds no text", () => setIndex(Buffer.alloc(5_000, 0xff))],
  ["has marks that lie", () => setIndex(index().replaceAll(/"log":\[\d+,\d+/g, '"log":[2,1'))],
  [
    "is a folder",
    () => {
      fs.rmSync(indexFile(directory))
      fs.mkdirSync(indexFile(directory))
    },
  ],
  [
    "is of before a log lost its end",
    ([run]) => fs.truncateSync(logOf(run!), fs.statSync(logOf(run!)).size - 200),
  ],
  [
    "is of before a log was damaged",
    ([, run]) =>
      fs.writeFileSync(logOf(run!), fs.readFileSync(logOf(run!), "utf8").replace('"turn":1', '"turn":7')),
  ],
  ["is of before a run was gone", ([, , run]) => fs.rmSync(path.join(directory, run!), { recursive: true })],
]

test.each(damages)("where the index %s, a list is right all the same", async (_, damage) => {
  const runs = await filled(6)
  damage(runs)
  if (fs.statSync(indexFile(directory), { throwIfNoEntry: false })?.isDirectory()) {
    expect(await listed()).toHaveLength(7)
    return
  }
  for (const query of [{ status: "open" }, { status: "ended", limit: 3 }, {}, {}])
    expect(await listed(query)).toEqual(await truth(query))
})

test("a damaged log is listed as such, as its run ended, and in the same way by both lists", async () => {
  const [run] = await filled(2)
  fs.writeFileSync(logOf(run!), fs.readFileSync(logOf(run!), "utf8").replace('"turn":1', '"turn":7'))
  const told = {
    run,
    status: "ended",
    outcome: expect.any(String),
    damage: expect.stringMatching(/lost.*byte.*\d+/),
  }
  const [head] = (await listed()).slice(-1)
  expect(head).toMatchObject(told)
  expect(await listed({ root: run })).toMatchObject([told])
})

test("an ended tree that was taken up again is told from its log, also while its owner works", async () => {
  const [run] = await filled(1)
  const store = jsonlStore({ directory })
  const claim = await claimed(store, run!)
  await store.create(event(`${run}.1`, 0, { type: "run-start", agent: "late" }))
  expect((await listed({ status: "ended" }))[0]?.tree).toEqual({ runs: 2, open: 1 })
  await store.append(claim, [event(`${run}.1`, 1, { type: "run-end", outcome: { type: "failed" } })])
  await store.release(claim)
  await store.close()
  expect((await listed({ status: "ended" }))[0]?.tree).toEqual({ runs: 2, open: 0 })
})

test("an index that is mostly out of date is written anew, once", async () => {
  const runs = await filled(3)
  for (let line = 0; line < 1_100; line++)
    forgetHead({ root: createRunId(line), folder: path.join(directory, "any") } as never)
  for (const run of runs.slice(1)) fs.rmSync(path.join(directory, run), { recursive: true })
  const large = fs.statSync(indexFile(directory)).size
  expect(await listed()).toEqual(await truth())
  expect(fs.statSync(indexFile(directory)).size).toBeLessThan(large / 20)
  expect(await listed()).toEqual(await truth())
  expect(fs.readdirSync(directory).toSorted()).toEqual(
    [runs[0], expect.stringMatching(/^\w{26}$/), "heads.jsonl"].toSorted(),
  )
})

describe("the file itself", () => {
  const runs = Array.from({ length: 4 }, (_, number) => createRunId(1_700_000_000_000 + number))
  const logged = (run: string, text = "a log") => {
    fs.mkdirSync(path.join(directory, run), { recursive: true })
    fs.writeFileSync(path.join(directory, run, "log.1.jsonl"), text)
  }
  const indexed = (run: string, more: object = {}) => {
    const { size, mtimeMs } = fs.statSync(path.join(directory, run, "log.1.jsonl"))
    const head = { run, agent: "a", status: "ended", ...more } as RunHead
    return { head, mark: { epoch: 1, size, modified: mtimeMs } }
  }
  const runsIn = () =>
    index()
      .split("\n")
      .flatMap((line) => /"run":"(\w+)"/.exec(line)?.[1] ?? [])
  const told = (run: string) => {
    const read = new HeadIndex(directory)
    return [read.headOf(run)?.agent, read.isEnded(run)]
  }
  const outdated = (lines: number) => {
    const forgotten = (_: unknown, line: number) => seal(JSON.stringify({ run: createRunId(line), v: 1 }))
    fs.appendFileSync(indexFile(directory), Array.from({ length: lines }, forgotten).join(""))
  }

  test("has lines added, and what was added last of a run counts", () => {
    for (const run of runs) logged(run)
    addHead(directory, indexed(runs[0]!))
    new HeadIndex(directory).save([indexed(runs[1]!), indexed(runs[0]!, { agent: "b" })], runs)
    expect([runsIn(), told(runs[0]!), told(runs[1]!), told(runs[2]!)]).toEqual([
      [runs[0], runs[1], runs[0]],
      ["b", true],
      ["a", true],
      [undefined, false],
    ])
    expect(fs.statSync(indexFile(directory)).mode & 0o777).toBe(0o600)
    expect(index().startsWith("\n")).toBe(true)
  })

  test("is not made for nothing", () => {
    new HeadIndex(directory).save([], runs)
    expect(fs.existsSync(indexFile(directory))).toBe(false)
  })

  test("says nothing of a run that was forgotten, until its log has told again", () => {
    logged(runs[0]!)
    addHead(directory, indexed(runs[0]!))
    forgetHead({ root: runs[0]!, folder: path.join(directory, runs[0]!) } as never)
    expect(told(runs[0]!)).toEqual([undefined, false])
    addHead(directory, indexed(runs[0]!, { agent: "c" }))
    expect(told(runs[0]!)).toEqual(["c", true])
  })

  test.each([
    ["has grown", (run: string) => logged(run, "a log and more")],
    [
      "has grown, and its time did not change",
      (run: string) => {
        const { mtime } = fs.statSync(path.join(directory, run, "log.1.jsonl"))
        logged(run, "a log and more")
        fs.utimesSync(path.join(directory, run, "log.1.jsonl"), mtime, mtime)
      },
    ],
    ["was written again", (run: string) => fs.utimesSync(path.join(directory, run, "log.1.jsonl"), 1, 2)],
    ["is gone", (run: string) => fs.rmSync(path.join(directory, run), { recursive: true })],
  ])("says nothing of a run whose log %s", (_, change) => {
    logged(runs[0]!)
    addHead(directory, indexed(runs[0]!))
    change(runs[0]!)
    expect(told(runs[0]!)).toEqual([undefined, false])
  })

  test("tells no head of a run whose log was taken over", () => {
    logged(runs[0]!)
    addHead(directory, indexed(runs[0]!))
    fs.writeFileSync(path.join(directory, runs[0]!, "log.2.jsonl"), "")
    expect(new HeadIndex(directory).headOf(runs[0]!)).toBeUndefined()
  })

  test("tells no head of a run that has not ended", () => {
    logged(runs[0]!)
    addHead(directory, indexed(runs[0]!, { status: "open" }))
    expect(new HeadIndex(directory).headOf(runs[0]!)).toBeUndefined()
  })

  test("is written anew with one line for each run that there is: the one that was just read, or else the last", () => {
    for (const run of runs) logged(run)
    for (const agent of ["old", "last"]) for (const run of runs) addHead(directory, indexed(run, { agent }))
    // The index has eight lines of these runs. It is rewritten above twice the number of runs plus a thousand.
    const lines = 2 * 3 + 1_000 - 8 + 1
    outdated(lines)
    const there = runs.slice(0, 3)
    new HeadIndex(directory).save([indexed(runs[1]!, { agent: "read" })], there)
    expect([runsIn(), ...runs.map((run) => told(run)[0])]).toEqual([
      [runs[0], runs[2], runs[1]],
      "last",
      "read",
      "last",
      undefined,
    ])
    expect(fs.statSync(indexFile(directory)).mode & 0o777).toBe(0o600)
  })

  test("is not written anew before", () => {
    for (const run of runs) logged(run)
    outdated(2 * 3 + 1_000)
    const before = index()
    new HeadIndex(directory).save([], runs.slice(0, 3))
    expect(index()).toBe(before)
    new HeadIndex(directory).save([indexed(runs[0]!)], runs.slice(0, 3))
    expect(index()).toHaveLength(before.length + 1 + index().split("\n").at(-2)!.length + 1)
  })

  test.each([
    [".heads.0123456789ab", true],
    [".heads.0123456789abc", false],
    [".heads.0123456789a", false],
    [".heads.0123456789AB", false],
    ["x.heads.0123456789ab", false],
    ["heads.jsonl", false],
  ])("is left behind as %s: %s", (name, expected) => expect(isIndexLeftover(name)).toBe(expected))
})
