import { type ChildProcess, spawn } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createRunId } from "../../../run/log/id.ts"
import { isRefusal, type RunHead, type Store, type Stored } from "../../../run/log/store.ts"
import { jsonlStore } from "../jsonl.ts"
import { type Disk, realDisk } from "./disk.ts"
import { forgetHead, indexFile } from "./head-index.ts"

let directory = ""
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-heads-"))
})
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }))

const event = (run: string, seq: number, extra: object): Stored => ({
  run,
  seq,
  at: seq,
  v: 2,
  type: "test",
  ...extra,
})

async function claimed(store: Store, run: string) {
  const claim = await store.claim(run)
  if (isRefusal(claim)) throw new Error(JSON.stringify(claim))
  return claim
}

async function endedRun(store: Store, index: number): Promise<string> {
  const run = createRunId(1_700_000_000_000 + index)
  await store.create(event(run, 0, { type: "run-start", agent: `agent ${index % 2}`, task: `Part ${index}` }))
  const claim = await claimed(store, run)
  await store.append(claim, [
    event(run, 1, { type: "model-start", turn: 1, model: "m" }),
    event(run, 2, {
      type: "model-end",
      turn: 1,
      usage: index % 3 ? { inputTokens: 3, outputTokens: 4, cost: 1 } : {},
    }),
    event(run, 3, { type: "run-end", outcome: { type: "completed" } }),
  ])
  await store.release(claim)
  return run
}

async function listed(query = {}, disk: Disk = realDisk): Promise<RunHead[]> {
  const store = jsonlStore({ directory, disk })
  const heads: RunHead[] = []
  for await (const head of store.list(query)) heads.push(head)
  await store.close()
  return heads
}

/** What the logs say, without any index. */
async function truth(query = {}): Promise<RunHead[]> {
  const before = fs.existsSync(indexFile(directory)) ? fs.readFileSync(indexFile(directory)) : undefined
  fs.rmSync(indexFile(directory), { force: true })
  const heads = await listed(query)
  fs.rmSync(indexFile(directory), { force: true })
  if (before) fs.writeFileSync(indexFile(directory), before)
  return heads
}

async function filled(count: number): Promise<string[]> {
  const store = jsonlStore({ directory })
  const runs: string[] = []
  for (let index = 0; index < count; index++) runs.push(await endedRun(store, index))
  await store.create(event(createRunId(1_700_000_001_000), 0, { type: "run-start", agent: "open" }))
  await store.close()
  return runs
}

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
    damage: expect.stringMatching(/^a line was lost at byte \d+/),
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

test("processes that list, end and take up runs at once, and are killed at any moment, leave a right list", async () => {
  await filled(12)
  const program = path.join(directory, "..", `${path.basename(directory)}.mts`)
  fs.writeFileSync(program, workerText)
  try {
    for (let round = 0; round < 4; round++) {
      const workers = [0, 1, 2].map(() =>
        spawn(process.execPath, ["--import", "tsx", program, directory], {
          cwd: path.resolve(import.meta.dirname, "../../../.."),
          stdio: ["ignore", "pipe", "inherit"],
        }),
      )
      await Promise.all(workers.map(working))
      for (let moment = 0; moment < 20 * round; moment++)
        await new Promise((resolve) => setImmediate(resolve))
      for (const worker of workers) worker.kill("SIGKILL")
      await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once("close", resolve))))
      for (const query of [{ status: "open" }, { status: "ended", limit: 5 }, {}])
        expect(await listed(query)).toEqual(await truth(query))
    }
  } finally {
    fs.rmSync(program)
  }
}, 120_000)

const working = (worker: ChildProcess) => new Promise((resolve) => worker.stdout!.once("data", resolve))

const workerText = `
import { jsonlStore } from ${JSON.stringify(path.resolve(import.meta.dirname, "../jsonl.ts"))}
import { createRunId } from ${JSON.stringify(path.resolve(import.meta.dirname, "../../../run/log/id.ts"))}
import { appendFileSync } from "node:fs"
const [, , directory] = process.argv
const store = jsonlStore({ directory })
for (let number = 0; ; number++) {
  const run = createRunId(Date.now())
  await store.create({ run, seq: 0, at: 1, v: 2, type: "run-start", agent: "new" })
  const claim = await store.claim(run)
  await store.append(claim, [{ run, seq: 1, at: 2, v: 2, type: "run-end", outcome: { type: "completed" } }])
  await store.release(claim)
  const heads = []
  for await (const head of store.list({ status: "ended" })) heads.push(head)
  const again = await store.claim(heads[number % heads.length].run)
  if (again.epoch) await store.release(again)
  if (number % 3 === 0) appendFileSync(directory + "/heads.jsonl", '{"crc":"0000')
  process.stdout.write(".")
}
`
