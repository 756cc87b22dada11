import fs from "node:fs"
import path from "node:path"
import { afterAll, expect, test } from "vitest"
import type { Claim } from "../../src/run/log/store.ts"
import { type Disk, realDisk } from "../../src/world/stores/jsonl/disk.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import {
  all,
  canUnshare,
  event,
  killAll,
  newRun,
  owned,
  readable,
  smallDisk,
  temporaryFolder,
  Worker,
} from "./harness.ts"

const base = temporaryFolder()
const unshares = canUnshare()
afterAll(async () => {
  await killAll()
  fs.rmSync(base, { recursive: true, force: true })
})

test.skipIf(!unshares)(
  "21, 227: a full disk stops the tree with nothing acknowledged lost, and it resumes when there is room",
  async () => {
    const directory = fs.mkdtempSync(path.join(base, "full-"))
    const worker = new Worker({ directory, prefix: smallDisk(directory, "size=1m") })
    const root = newRun()
    await worker.call("create", event(root, 0))
    const claim = await worker.call("claim", root)
    const ballast = path.join(directory, "ballast")
    await worker.call("writeFile", ballast, 700_000)
    const full = await worker.call<{ next: number; code: string; message: string }>("fill", claim, 1)
    expect(full).toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("ENOSPC") })
    expect(full.next).toBeGreaterThan(50)
    await worker.call("removeFile", ballast)
    // The end of the file is unknown to this owner: it must not go on behind it.
    await expect(worker.call("append", claim, [event(root, full.next)])).rejects.toMatchObject({
      code: "STORE_FAILED",
    })
    expect(await worker.call("release", claim)).toBe("released")
    const next = await worker.call("claim", root)
    expect(next).toMatchObject({ epoch: 3 })
    expect((await worker.call<object[]>("read", root)).length).toBe(full.next)
    expect(await worker.call("append", next, [event(root, full.next)], { sync: true })).toBe("ok")
    await worker.kill()
  },
)

test("21: a write that breaks off in the middle poisons the tree; the next owner drops the torn part", async () => {
  const { directory, disk, root, store, claim } = await treeOn()
  expect(await store.append(claim, [event(root, 1)])).toBe("ok")
  disk.write = (descriptor, bytes) => {
    disk.write = () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "write" })
    }
    return realDisk.write(descriptor, bytes.subarray(0, bytes.length - 20))
  }
  const failed = { code: "STORE_FAILED", message: expect.stringContaining("ENOSPC") }
  await expect(store.append(claim, [event(root, 2), event(root, 3)])).rejects.toMatchObject(failed)
  disk.write = realDisk.write
  await expect(store.append(claim, [event(root, 2)])).rejects.toMatchObject(failed)
  await store.send({ run: root, key: "k", at: 1, body: { type: "test" } })
  expect(await store.release(claim)).toBe("released")
  const damage: string[] = []
  const other = jsonlStore({ directory, onDamage: ({ message }) => damage.push(message) })
  const next = await owned(other, root)
  expect(await readable(other, root)).toEqual({ seqs: [0, 1] })
  expect(damage.length).toBe(1)
  expect(await other.append(next, [event(root, 2)])).toBe("ok")
  await Promise.all([store.close(), other.close()])
})

test("short writes are looped until all is written", async () => {
  const { disk, root, store, claim } = await treeOn()
  disk.write = (descriptor, bytes) => realDisk.write(descriptor, bytes.subarray(0, 7))
  expect(await store.append(claim, [event(root, 1), event(root, 2)])).toBe("ok")
  expect(await readable(store, root)).toEqual({ seqs: [0, 1, 2] })
  await store.close()
})

test("22: a failed sync is final: nothing it covered counts as durable, nothing more is appended", async () => {
  const { disk, root, store, claim } = await treeOn()
  let syncs = 0
  disk.sync = async () => {
    syncs++
    throw Object.assign(new Error("input/output error"), { code: "EIO", syscall: "fdatasync" })
  }
  const failed = { code: "STORE_FAILED", message: expect.stringContaining("EIO") }
  const appends = [1, 2, 3].map((seq) => store.append(claim, [event(root, seq)], { sync: true }))
  for (const append of appends) await expect(append).rejects.toMatchObject(failed)
  disk.sync = realDisk.sync
  await expect(store.append(claim, [event(root, 4)])).rejects.toMatchObject(failed)
  await expect(store.append(claim, [event(root, 4)], { sync: true })).rejects.toMatchObject(failed)
  expect(syncs).toBe(1)
  await store.close()
})

test("one sync answers everybody who waits", async () => {
  const { disk, root, store, claim } = await treeOn()
  const runs = Array.from({ length: 50 }, (_, index) => `${root}.${index + 1}`)
  await Promise.all(runs.map((run) => store.create(event(run, 0))))
  let syncs = 0
  disk.sync = (descriptor) => {
    syncs++
    return realDisk.sync(descriptor)
  }
  await Promise.all(runs.map((run) => store.append(claim, [event(run, 1)], { sync: true })))
  expect(syncs).toBe(1)
  await Promise.all(
    runs.map(async (run) => {
      for (let seq = 2; seq < 10; seq++) await store.append(claim, [event(run, seq)], { sync: true })
    }),
  )
  expect(syncs).toBeLessThan(50)
  await store.close()
})

test("a blob is on the disk before the line that names it, and later appends stay behind it", async () => {
  const { disk, root, store, claim } = await treeOn()
  const order: string[] = []
  disk.write = (descriptor, bytes) => {
    order.push(bytes.length > 50_000 ? "write blob" : "write line")
    return realDisk.write(descriptor, bytes)
  }
  disk.sync = async (descriptor) => {
    await realDisk.sync(descriptor)
    order.push("sync")
  }
  const text = "long ".repeat(20_000)
  await Promise.all([store.append(claim, [event(root, 1, { text })]), store.append(claim, [event(root, 2)])])
  expect(order).toEqual(["write blob", "sync", "write line", "write line"])
  expect((await all(store.read(root))).slice(1)).toEqual([event(root, 1, { text }), event(root, 2)])
  await store.close()
})

test("23: a state directory that cannot be written is named, with what to do", async () => {
  const file = path.join(base, "a-file")
  fs.writeFileSync(file, "")
  const store = jsonlStore({ directory: path.join(file, "runs") })
  const refused = { code: "STORE_FAILED", message: expect.stringMatching(/a-file.*CADRE_STATE_DIR/s) }
  await expect(store.create(event(newRun(), 0))).rejects.toMatchObject(refused)
  await expect(store.putBlob(newRun(), "text")).rejects.toMatchObject(refused)
  expect(await all(store.list())).toEqual([])
  await store.close()
})

test.skipIf(!unshares)("23: a read-only state directory is refused", async () => {
  const directory = fs.mkdtempSync(path.join(base, "read-only-"))
  const worker = new Worker({ directory, prefix: smallDisk(directory, "size=400k,ro") })
  await expect(worker.call("create", event(newRun(), 0))).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.stringMatching(/EROFS.*read-only-.*CADRE_STATE_DIR/s),
  })
  await worker.kill()
})

test("folders and files are for their user alone", async () => {
  const { directory, root, store, claim } = await treeOn()
  await store.append(claim, [event(root, 1, { text: "long ".repeat(20_000) })])
  await store.send({ run: root, key: "k", at: 1, body: { type: "test" } })
  const folder = path.join(directory, root)
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const mode = fs.statSync(path.join(entry.parentPath, entry.name)).mode & 0o777
    expect([entry.name, mode]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600])
  }
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
  await store.close()
})

test("39: a tree of 1,000 runs and 100,000 events is read in proportion to its size", async () => {
  const { directory, disk, root, store, claim } = await treeOn()
  const runs = Array.from({ length: 1000 }, (_, index) => `${root}.${index + 1}`)
  for (const run of runs) await store.create(event(run, 0))
  for (let seq = 1; seq < 100; seq++)
    await store.append(
      claim,
      runs.map((run) => event(run, seq)),
    )
  await store.append(claim, [event(root, 1)])
  await store.release(claim)
  const size = fs.statSync(path.join(directory, root, "log.2.jsonl")).size
  let bytes = 0
  disk.read = (descriptor, target, position) => {
    const count = realDisk.read(descriptor, target, position)
    bytes += count
    return count
  }
  let events = 0
  const readEverything = async () => {
    for (const run of runs) for await (const _ of store.read(run)) events++
  }
  await owned(store, root)
  expect(bytes).toBeLessThan(1.1 * size)
  await readEverything()
  expect(events).toBe(100_000)
  expect(bytes).toBeLessThan(2.2 * size)
  const other = jsonlStore({ directory, disk })
  const before = bytes
  for await (const head of other.list()) expect(head.run).toBe(root)
  const listed = bytes
  // What an open tree has used is in its log alone, each line of which is looked at once.
  expect(listed - before).toBeLessThan(1.1 * size)
  expect((await all(other.list({ root }))).length).toBe(1001)
  for (const run of runs.slice(0, 100)) for await (const _ of other.read(run)) events++
  // The list has looked at each line once: what is left are the events that are read, and one header per read.
  expect(bytes - listed).toBeLessThan(0.3 * size)
  await Promise.all([store.close(), other.close()])
})

async function treeOn(): Promise<{
  directory: string
  disk: Disk
  root: string
  store: ReturnType<typeof jsonlStore>
  claim: Claim
}> {
  const directory = fs.mkdtempSync(path.join(base, "disk-"))
  const disk = { ...realDisk }
  const store = jsonlStore({ directory, disk })
  const root = newRun()
  await store.create(event(root, 0))
  return { directory, disk, root, store, claim: await owned(store, root) }
}
