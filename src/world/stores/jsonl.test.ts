import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { storeCases } from "../../../test/stores/store-cases.ts"
import { isLinux, openFiles } from "../../../test/stores/tree-kit.ts"
import { storeContract } from "../../faces/testing/store-contract.ts"
import { createRunId } from "../../run/log/id.ts"
import type { Claim, Store, StoredEvent } from "../../run/log/store.ts"
import { type Disk, realDisk } from "./jsonl/disk.ts"
import { closeEndpoint, heldClaims, openEndpoint } from "./jsonl/endpoint.ts"
import { jsonlStore } from "./jsonl.ts"

const base = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-jsonl-"))
afterAll(() => fs.rmSync(base, { recursive: true, force: true }))

storeContract({
  name: "jsonl",
  test,
  async open() {
    const directory = path.join(fs.mkdtempSync(path.join(base, "case-")), "not", "there", "yet")
    const opened: Store[] = []
    const again = async () => {
      const store = jsonlStore({ directory })
      opened.push(store)
      return store
    }
    const store = await again()
    const close = store.close.bind(store)
    store.close = async () => {
      for (const other of opened.slice(1)) await other.close()
      await close()
    }
    return { store, again }
  },
})

test("nothing is created before the first use", async () => {
  const directory = path.join(base, "unused")
  const store = jsonlStore({ directory })
  for await (const _ of store.list()) expect.unreachable()
  await store.close()
  expect(fs.existsSync(directory)).toBe(false)
})

const newFolder = () => fs.mkdtempSync(path.join(base, "case-"))
storeCases(() => jsonlStore({ directory: newFolder() }))

describe("a store in files", () => {
  const root = createRunId(1_700_000_000_000)
  const event = (run: string, seq: number, more: object = {}): StoredEvent =>
    ({ run, seq, at: seq, v: 2, type: seq === 0 ? "run-start" : "test", ...more }) as StoredEvent
  const opened = (disk: Partial<Disk> = {}) => {
    const directory = newFolder()
    return { directory, store: jsonlStore({ directory, disk: { ...realDisk, ...disk } }) }
  }
  const turns = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  }

  test.each([
    [{ directory: "runs" }, "OPTION_INVALID"],
    [{ folder: "/runs" }, "OPTION_INVALID"],
  ])("is not made with %j", (options, code) => {
    expect(() => jsonlStore(options as never)).toThrow(expect.objectContaining({ code }))
  })

  test("writes nothing for a run that is there already", async () => {
    let syncs = 0
    const { store } = opened({ sync: (descriptor) => (syncs++, realDisk.sync(descriptor)) })
    await store.create(event(root, 0))
    const before = syncs
    expect(await store.create(event(root, 0, { task: "long ".repeat(20_000) }))).toBe("exists")
    expect(syncs).toBe(before)
    await store.close()
  })

  test("has a long text on the disk before the log that refers to it", async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const { store, directory } = opened({ sync: () => gate })
    const created = store.create(event(root, 0, { task: "long ".repeat(20_000) }))
    await turns()
    expect(fs.readdirSync(path.join(directory, root))).toEqual(["blobs"])
    open()
    expect(await created).toBe("created")
    await store.close()
  })

  test("is asked for a run that is about to begin, until it has begun", async () => {
    const { store } = opened()
    const before = heldClaims.size
    await store.hold(root, "k")
    expect(heldClaims.size).toBe(before + 1)
    await store.create(event(root, 0))
    expect(heldClaims.size).toBe(before)
    await store.claim(root)
    await store.hold(`${root}.1`, "l")
    expect(heldClaims.size).toBe(before + 2)
    await store.create(event(`${root}.1`, 0))
    expect(heldClaims.size).toBe(before + 1)
    await store.close()
    expect(heldClaims.size).toBe(before)
  })

  test("refuses a tree of its own by its name, and knows no run that is not in it", async () => {
    const { store } = opened()
    await store.create(event(root, 0))
    await store.claim(root)
    expect([await store.claim(root), await store.claim(`${root}.7`)]).toEqual([
      { type: "owned", by: expect.stringContaining(`${process.pid}`) },
      { type: "unknown-run" },
    ])
    await store.close()
  })

  test.runIf(isLinux)("closes what it had open of a tree that it takes over from itself", async () => {
    const { store, directory } = opened()
    const before = heldClaims.size
    await store.create(event(root, 0))
    await store.claim(root)
    const open = openFiles(directory).length
    const again = (await store.claim(root, { force: true })) as Claim
    await expect.poll(() => openFiles(directory).length).toBe(open)
    expect([heldClaims.size, await store.append(again, [event(root, 1)])]).toEqual([before + 1, "ok"])
    await store.close()
    await expect.poll(() => openFiles(directory)).toEqual([])
  })

  test("claims nothing that it was about to claim when it was closed", async () => {
    const { store } = opened()
    await store.create(event(root, 0))
    const claiming = store.claim(root)
    const refused = expect(claiming).rejects.toMatchObject({ code: "STORE_FAILED" })
    await store.close()
    await refused
  })

  test("gives up a tree that it was claiming when it was closed", async () => {
    let [open, isSlow] = [() => {}, false]
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const { store, directory } = opened({
      sync: async (descriptor) => {
        if (isSlow) await gate
        await realDisk.sync(descriptor)
      },
    })
    await store.create(event(root, 0))
    isSlow = true
    const claiming = store.claim(root)
    await turns()
    const closing = store.close()
    open()
    await Promise.all([claiming, closing])
    expect(fs.readFileSync(path.join(directory, root, "log.2.jsonl"), "utf8")).toMatch(
      /"released":"[0-9a-f]+"}\n$/,
    )
  })

  test("removes no run that is a part of a tree, and no tree that is not there", async () => {
    const { store } = opened()
    await store.create(event(root, 0))
    const claim = (await store.claim(root)) as Claim
    await store.append(claim, [event(root, 1)])
    await store.create(event(`${root}.1`, 0))
    await store.release(claim)
    expect(await store.remove(`${root}.1`)).toEqual({ type: "unknown-run" })
    expect(await store.remove(createRunId(1_700_000_000_001))).toEqual({ type: "unknown-run" })
    const seqs: number[] = []
    for await (const { seq } of store.read(`${root}.1`)) seqs.push(seq)
    expect(seqs).toEqual([0])
    await store.close()
  })

  test("has no letters for a claim that is not the newest", async () => {
    const { store } = opened()
    await store.create(event(root, 0))
    const old = (await store.claim(root)) as Claim
    await store.release(old)
    await store.claim(root)
    for await (const _ of store.receive(old, AbortSignal.timeout(60_000))) expect.unreachable()
    await store.close()
  })

  test("lets a run hold a key before its tree is there", async () => {
    const { store, directory } = opened()
    const other = jsonlStore({ directory })
    const early = `${createRunId(1_700_000_000_001)}.1`
    expect(await store.hold(early, "k")).toBe("held")
    expect(await other.holder!("k")).toBe(early)
    expect(await other.hold(root, "k")).toEqual({ run: early })
    await store.letGo(early, "k")
    expect(await other.holder!("k")).toBeUndefined()
    await other.close()
    await store.close()
  })

  test("listens no more when it is closed", async () => {
    const { store } = opened()
    await store.create(event(root, 0))
    await store.claim(root)
    const { socket } = await openEndpoint()
    await closeEndpoint()
    expect(fs.existsSync(socket)).toBe(true)
    await store.close()
    await expect.poll(() => fs.existsSync(socket), { timeout: 20_000 }).toBe(false)
  })

  test("watches no file when nobody follows or reads letters", async () => {
    const { store } = opened()
    const watches = () => process.getActiveResourcesInfo().filter((name) => /FSEvent/.test(name)).length
    const before = watches()
    await store.create(event(root, 0))
    const claim = (await store.claim(root)) as Claim
    const stop = new AbortController()
    const both = [store.follow(root, {}, stop.signal), store.receive(claim, stop.signal)].map(
      async (items) => {
        for await (const _ of items);
      },
    )
    await turns()
    expect(watches()).toBeGreaterThan(before)
    stop.abort()
    await Promise.all(both)
    await expect.poll(watches).toBe(before)
    await store.close()
  })
})
