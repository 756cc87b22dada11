import fs from "node:fs"
import path from "node:path"
import { afterAll, expect, test } from "vitest"
import { type Claim, isRefusal, type StoreRefusal } from "../../src/run/log/store.ts"
import { writeHeaderLine } from "../../src/world/stores/jsonl/folder.ts"
import { seal } from "../../src/world/stores/jsonl/line.ts"
import { type ClaimOwner, readThisProcess } from "../../src/world/stores/jsonl/owner.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import {
  all,
  canUnshare,
  event,
  killAll,
  namespacePrefix,
  newRun,
  owned,
  temporaryFolder,
  Worker,
} from "./harness.ts"

const base = temporaryFolder()
const unshares = canUnshare()
afterAll(async () => {
  await killAll()
  fs.rmSync(base, { recursive: true, force: true })
})

const folderFor = (name: string): string => path.join(base, name)

test("12: of several processes that claim at once exactly one wins, fresh or after a dead owner", async () => {
  const directory = folderFor("race")
  const workers = [1, 2, 3].map(() => new Worker({ directory }))
  const [first, ...others] = workers
  for (let round = 0; round < 12; round++) {
    const root = newRun()
    await first!.call("create", event(root, 0))
    if (round % 3 === 1) await first!.call("release", await first!.call("claim", root))
    const answers = await Promise.all(
      workers.map((worker) => worker.call<Claim | StoreRefusal>("claim", root)),
    )
    const winners = answers.filter((answer) => !isRefusal(answer))
    expect([winners.length, answers.filter(isRefusal).map(({ type }) => type)]).toEqual([
      1,
      ["owned", "owned"],
    ])
    const loser = workers[answers.findIndex(isRefusal)]!
    expect(await loser.call("append", { ...winners[0], epoch: 1 }, [event(root, 1)])).toMatchObject({
      type: "stale",
    })
  }
  const root = newRun()
  const dying = new Worker({ directory })
  await dying.call("create", event(root, 0))
  await dying.call("claim", root)
  expect(await first!.call("claim", root)).toMatchObject({
    type: "owned",
    by: expect.stringContaining(`${dying.child.pid}`),
  })
  await dying.kill()
  const answers = await Promise.all(workers.map((worker) => worker.call<StoreRefusal>("claim", root)))
  expect(answers.filter((answer) => !isRefusal(answer)).length).toBe(1)
  await Promise.all(others.map((worker) => worker.kill()))
})

test("13: a suspended owner is alive and is not taken over", async () => {
  const { directory, root, owner, store } = await ownedElsewhere("frozen")
  owner.child.kill("SIGSTOP")
  expect(await store.claim(root)).toMatchObject({
    type: "owned",
    by: expect.stringContaining("does not answer"),
  })
  expect(await store.send({ run: root, key: "k", at: 1, body: { type: "test" } })).toBe("delivered")
  expect(await store.remove(root)).toMatchObject({ type: "owned" })
  expect(fs.existsSync(path.join(directory, root, "log.3.jsonl"))).toBe(false)
  owner.child.kill("SIGCONT")
  expect(await owner.call("append", { run: root, epoch: 2, covers: "tree" }, [event(root, 1)])).toBe("ok")
  await owner.kill()
  await store.close()
})

test("13: force kills a suspended owner whose identity is certain, and loses nothing it recorded", async () => {
  const { root, owner, claim, store } = await ownedElsewhere("forced")
  await owner.call("append", claim, [event(root, 1), event(root, 2)])
  owner.child.kill("SIGSTOP")
  const next = await owned(store, root, { force: true })
  expect(await owner.exited).toEqual({ code: null, signal: "SIGKILL" })
  expect(await store.append(next, [event(root, 3)])).toBe("ok")
  expect((await all(store.read(root))).map(({ seq }) => seq)).toEqual([0, 1, 2, 3])
  await store.close()
})

test.skipIf(!unshares)(
  "13: a former owner that wakes up after a takeover adds nothing and is told so",
  async () => {
    const { directory, root, owner, claim, store } = await ownedElsewhere("stale")
    await store.close()
    await owner.call("append", claim, [event(root, 1)])
    owner.child.kill("SIGSTOP")
    const other = new Worker({ directory, prefix: namespacePrefix })
    const next = await other.call("claim", root, { force: true })
    expect(next).toMatchObject({ epoch: 3 })
    expect(await other.call("append", next, [event(root, 2, { by: "new owner" })])).toBe("ok")
    owner.child.kill("SIGCONT")
    for (const options of [undefined, { sync: true }])
      expect(await owner.call("append", claim, [event(root, 2, { by: "stale" })], options)).toMatchObject({
        type: "stale",
      })
    expect(await owner.call("release", claim)).toBe("released")
    expect(await other.call("append", next, [event(root, 3)])).toBe("ok")
    const expected = [event(root, 0), event(root, 1), event(root, 2, { by: "new owner" }), event(root, 3)]
    expect(await owner.call("read", root)).toEqual(expected)
    await Promise.all([owner.kill(), other.kill()])
  },
)

test.skipIf(!unshares)(
  "13: what a writing owner was told is recorded survives a forced takeover",
  async () => {
    const directory = folderFor("salvage")
    const other = new Worker({ directory, prefix: namespacePrefix })
    const owner = new Worker({ directory })
    for (let round = 0; round < 10; round++) {
      const root = newRun()
      const ledger = `${base}/salvage.${round}`
      await owner.call("create", event(root, 0))
      const claim = await owner.call("claim", root)
      await owner.call("create", event(`${root}.1`, 0))
      const writing = owner.call("write", claim, ledger)
      while (!fs.existsSync(ledger) || fs.statSync(ledger).size < 50 * (round + 1)) await sleep(1)
      expect(await other.call("claim", root, { force: true })).toMatchObject({ epoch: 3 })
      expect(await writing).toMatchObject({ type: "stale" })
      const acknowledged = fs.readFileSync(ledger, "utf8").split("\n").length - 1
      for (const run of [root, `${root}.1`])
        expect((await other.call<object[]>("read", run)).length - 1).toBeGreaterThanOrEqual(acknowledged)
    }
    await Promise.all([owner.kill(), other.kill()])
  },
)

test("12: after kill -9 the next owner has every acknowledged event, in order", async () => {
  const directory = folderFor("killed")
  for (let round = 0; round < 4; round++) {
    const root = newRun()
    const ledger = `${base}/ledger.${round}`
    const owner = new Worker({ directory })
    await owner.call("create", event(root, 0))
    const claim = await owner.call("claim", root)
    await owner.call("create", event(`${root}.1`, 0))
    owner.call("write", claim, ledger).catch(() => {})
    while (!fs.existsSync(ledger) || fs.statSync(ledger).size < 100 * (round + 1)) await sleep(2)
    await owner.kill()
    const acknowledged = fs.readFileSync(ledger, "utf8").split("\n").length - 1
    const store = jsonlStore({ directory })
    await owned(store, root)
    for (const run of [root, `${root}.1`]) {
      const seqs = (await all(store.read(run))).map(({ seq }) => seq)
      expect(seqs).toEqual(seqs.map((_, index) => index))
      expect(seqs.length - 1).toBeGreaterThanOrEqual(acknowledged)
    }
    await store.close()
  }
})

test.skipIf(!unshares)(
  "12: another process id namespace sees a living, a suspended and a dead owner as what they are",
  async () => {
    const { directory, root, owner, store } = await ownedElsewhere("namespace")
    await store.close()
    const other = new Worker({ directory, prefix: namespacePrefix })
    expect(await other.call("claim", root)).toMatchObject({ type: "owned" })
    owner.child.kill("SIGSTOP")
    expect(await other.call("claim", root)).toMatchObject({ type: "owned" })
    await owner.kill()
    expect(await other.call("claim", root)).toMatchObject({ run: root, epoch: 3 })
    await other.kill()
  },
)

test("14: no jump of the clock makes an owner look dead", async () => {
  const { root, owner, claim, store } = await ownedElsewhere("clock")
  const { now } = Date
  try {
    for (const offset of [3_600_000, -3_600_000, 86_400_000 * 400]) {
      Date.now = () => now() + offset
      await owner.call("setClock", -2 * offset)
      expect(await store.claim(root)).toMatchObject({ type: "owned" })
    }
    expect(await owner.call("append", claim, [event(root, 1)])).toBe("ok")
  } finally {
    Date.now = now
  }
  await owner.kill()
  await owned(store, root)
  await store.close()
  const sources = fs
    .readdirSync("src/world/stores/jsonl")
    // What is swept by hand, after a day, is nobody's, and whether a list is out of date says nothing of owners.
    .filter((name) => !/^sweep|^head-index|^log-mark|\.test\.ts$/.test(name))
    .map((name) => fs.readFileSync(`src/world/stores/jsonl/${name}`, "utf8"))
  for (const source of sources) expect(source).not.toMatch(/Date\b|performance|mtime|hrtime/)
})

test("229: start-up survives kill -9 at any point: locks of dead owners are recovered and nothing is left behind", async () => {
  const directory = folderFor("restart")
  const root = newRun()
  let recorded = -1
  const rounds = 20
  for (let round = 0; round < rounds; round += 2) {
    const workers = [0, 1].map(
      (index) => new Worker({ directory, mode: "restart", root: index === 0 ? root : newRun() }),
    )
    await Promise.all(workers.map((worker) => worker.ready))
    await sleep((round / rounds) * 25)
    // However slow the machine is: the last one is killed after it was told of something.
    while (round === rounds - 2 && !workers[0]!.acknowledged.some((seq) => seq > 0)) await sleep(1)
    if (round % 4 === 0) workers[0]!.child.kill("SIGSTOP")
    await Promise.all(workers.map((worker) => worker.kill()))
    recorded = Math.max(recorded, ...workers[0]!.acknowledged)
    const store = jsonlStore({ directory })
    if ((await all(store.list({ root }))).length > 0) {
      const claim = await owned(store, root)
      const seqs = (await all(store.read(root))).map(({ seq }) => seq)
      expect(seqs).toEqual(seqs.map((_, index) => index))
      expect(seqs.length).toBeGreaterThan(recorded)
      const names = fs.readdirSync(path.join(directory, root))
      expect(names.filter((name) => name.startsWith("temporary"))).toEqual([])
      const full = names.filter(
        (name) => name.startsWith("log.") && fs.statSync(path.join(directory, root, name)).size > 0,
      )
      expect(full).toEqual([`log.${claim.epoch}.jsonl`])
      expect(await store.release(claim)).toBe("released")
    }
    await store.close()
  }
  expect(recorded).toBeGreaterThan(0)
})

test("a process id that was given to another process does not count as the owner", async () => {
  await expectClaim({ pid: 1, start: "1" }, "free")
  await expectClaim({ pid: process.pid, start: "1" }, "free")
  await expectClaim({ pid: 4_194_304, start: "1" }, "free")
})

test("an owner on another machine, or in another container, cannot be told dead", async () => {
  await expectClaim({ boot: "another", machine: "another" }, "owned")
  await expectClaim({ boot: "another", machine: "" }, "owned")
  await expectClaim({ boot: "another" }, "free")
  await expectClaim({ namespace: "pid:[1]", place: "0:0" }, "owned")
  await expectClaim({ namespace: "pid:[1]" }, "free")
})

test("a process that gave a tree up is not its owner, even when it is suspended later", async () => {
  const { root, owner, claim, store } = await ownedElsewhere("released")
  expect(await owner.call("release", claim)).toBe("released")
  owner.child.kill("SIGSTOP")
  expect(await store.send({ run: root, key: "k", at: 1, body: { type: "test" } })).toBe("waiting")
  const next = await owned(store, root)
  expect(next.epoch).toBe(3)
  await owner.kill()
  await store.close()
})

test("holding a tree does not keep a process alive", async () => {
  const worker = new Worker({ directory: folderFor("end"), mode: "end", root: newRun() })
  worker.child.disconnect()
  expect(await worker.exited).toEqual({ code: 0, signal: null })
})

async function ownedElsewhere(name: string) {
  const directory = folderFor(name)
  const root = newRun()
  const owner = new Worker({ directory })
  await owner.call("create", event(root, 0))
  const claim = await owner.call("claim", root)
  return { directory, root, owner, claim, store: jsonlStore({ directory }) }
}

/** Claims a tree whose header names this owner, which no longer has a socket. */
async function expectClaim(forged: Partial<ClaimOwner>, expected: "free" | "owned"): Promise<void> {
  const directory = fs.mkdtempSync(path.join(base, "forged-"))
  const root = newRun()
  const socket = path.join(directory, "gone.sock")
  const { dev, ino } = fs.statSync(directory)
  const owner: ClaimOwner = {
    ...readThisProcess(),
    pid: 4_194_304,
    host: "here",
    socket,
    place: `${dev}:${ino}`,
    nonce: "n",
    ...forged,
  }
  fs.mkdirSync(path.join(directory, root))
  const lines = writeHeaderLine({ cadre: 1, epoch: 1, owner }) + seal(JSON.stringify(event(root, 0)))
  fs.writeFileSync(path.join(directory, root, "log.1.jsonl"), lines)
  const store = jsonlStore({ directory })
  const claim = await store.claim(root)
  expect(isRefusal(claim) ? claim.type : "free", JSON.stringify(forged)).toBe(expected)
  if (expected === "owned") await owned(store, root, { force: true })
  await store.close()
}

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
