import fs from "node:fs"
import path from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { directory, event } from "../../../../test/stores/heads-kit.ts"
import { isLinux, lineOf, openFiles, placeOf, putLog } from "../../../../test/stores/tree-kit.ts"
import { createRunId } from "../../../run/log/id.ts"
import type { StoredEvent } from "../../../run/log/store.ts"
import { claimTree } from "./claim-tree.ts"
import { type Disk, realDisk } from "./disk.ts"
import { heldClaims } from "./endpoint.ts"
import { readExtent } from "./extent.ts"
import { findNewestEpoch, logFile, writeReleaseLine } from "./folder.ts"
import { indexFile } from "./head-index.ts"
import { postLetter } from "./inbox.ts"
import { readThisProcess } from "./owner.ts"
import { TreeWriter } from "./tree-writer.ts"

const root = createRunId(1_700_000_000_000)
const owner = { ...readThisProcess(), host: "h", socket: "/s", place: "1:2", nonce: "n" }
const long = "long ".repeat(20_000)

let folder = ""
beforeEach(() => {
  folder = path.join(directory, root)
  heldClaims.delete("n")
})

const next = (seq: number, more: object = {}): StoredEvent => event(root, seq, more)

/** A gate that syncs wait at, until it is opened. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** The owner of a new tree with one event. */
async function writing(disk: Partial<Disk> = {}, onAppend: () => void = () => {}) {
  const calls: string[] = []
  const counting: Disk = {
    ...realDisk,
    ...disk,
    sync: (descriptor) => {
      calls.push("sync")
      return (disk.sync ?? realDisk.sync)(descriptor)
    },
  }
  putLog(folder, 1, [lineOf(root, 0)])
  const claimed = await claimTree(placeOf(folder, root), root, owner, {})
  if (claimed.type !== "taken") throw new Error(claimed.type)
  return { writer: new TreeWriter(placeOf(folder, root, counting), claimed, "n", onAppend), calls }
}

const seqs = () =>
  fs
    .readFileSync(logFile(folder, findNewestEpoch(folder)), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => {
      const { seq, value } = JSON.parse(line)
      return seq ?? value?.seq ?? "mark"
    })
const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
const takeOver = () => putLog(folder, findNewestEpoch(folder) + 1, [])
const stale = { type: "stale", message: expect.any(String) }

test("an append is in the log, in the index and told, all of it at once", async () => {
  let appends = 0
  const { writer, calls } = await writing({}, () => appends++)
  expect(await writer.append([next(1), next(2)], "kernel")).toBe("ok")
  expect([seqs(), appends, writer.index.continuity.next(root), calls]).toEqual([[0, 1, 2], 1, 3, []])
  expect(writer.index.extents(root, 0)).toHaveLength(1)
  expect(await writer.append([next(3)], "disk")).toBe("ok")
  const { size } = fs.statSync(logFile(folder, 2))
  expect([calls, readExtent(folder)]).toEqual([["sync"], { epoch: 2, size }])
  await expect(writer.append([next(9)], "kernel")).rejects.toMatchObject({ code: "STORE_FAILED" })
  expect([seqs(), appends]).toEqual([[0, 1, 2, 3], 2])
  await writer.release("leave")
})

test("a claim tells at once how long the log surely is", async () => {
  const { writer } = await writing()
  expect(readExtent(folder)).toEqual({ epoch: 2, size: fs.statSync(logFile(folder, 2)).size })
  await writer.release("leave")
})

test("appends wait for the texts of those before them", async () => {
  const { opened, open } = gate()
  const { writer } = await writing({ sync: () => opened })
  const both = [writer.append([next(1, { text: long })], "kernel"), writer.append([next(2)], "kernel")]
  await turns()
  expect(seqs()).toEqual([0])
  open()
  expect(await Promise.all(both)).toEqual(["ok", "ok"])
  expect(seqs()).toEqual([0, 1, 2])
  expect(await writer.append([next(3)], "kernel")).toBe("ok")
  await writer.release("leave")
})

test("one sync serves all that asked before it began", async () => {
  const { opened, open } = gate()
  const { writer, calls } = await writing({ sync: () => opened })
  const first = writer.append([next(1)], "disk")
  await turns()
  const others = [2, 3, 4].map((seq) => writer.append([next(seq)], "disk"))
  await turns()
  expect(calls).toEqual(["sync"])
  open()
  expect(await Promise.all([first, ...others])).toEqual(["ok", "ok", "ok", "ok"])
  expect(calls).toEqual(["sync", "sync"])
  await writer.release("leave")
})

describe.runIf(isLinux)("files are closed", () => {
  const names = () => openFiles(folder).map((name) => name.replace(/\.[0-9a-f]{12}.*$/, ""))

  test("when the tree is released, and not before", async () => {
    const { writer } = await writing()
    expect(names().toSorted()).toEqual(["extent", "inbox.jsonl", "temporary.2"])
    expect(await writer.release("leave")).toBe("released")
    await expect.poll(names).toEqual([])
    expect(await writer.release("leave")).toBe("released")
  })

  test("when the tree was taken over", async () => {
    const { writer } = await writing()
    takeOver()
    expect(writer.checkOwned()).toBe(false)
    await expect.poll(names).toEqual([])
  })

  test("only when no sync runs any more", async () => {
    const { opened, open } = gate()
    const { writer } = await writing({ sync: () => opened })
    const appended = writer.append([next(1)], "disk")
    await turns()
    takeOver()
    expect(writer.checkOwned()).toBe(false)
    await turns()
    expect(names()).toContain("temporary.2")
    open()
    expect(await appended).toEqual(stale)
    await expect.poll(names).toEqual([])
  })

  test.each(["extent", "inbox.jsonl"])("when %s cannot be opened", async (name) => {
    fs.mkdirSync(path.join(folder, name), { recursive: true })
    await expect(
      writing().catch((error) => {
        throw error
      }),
    ).rejects.toThrow("EISDIR")
    expect(openFiles(folder)).toEqual([])
  })
})

describe("a tree that was taken over", () => {
  test("stays lost, and its owner is woken", async () => {
    const { writer } = await writing()
    const { rings } = writer.inbox.bell
    takeOver()
    expect([heldClaims.has("n"), writer.checkOwned(), heldClaims.has("n")]).toEqual([true, false, false])
    fs.rmSync(logFile(folder, 3))
    expect([writer.checkOwned(), writer.inbox.bell.rings]).toEqual([false, rings + 1])
    expect(await writer.append([next(1)], "kernel")).toEqual(stale)
    expect(await writer.release("heed")).toBe("released")
  })

  test("takes no append", async () => {
    const { writer } = await writing()
    takeOver()
    expect(await writer.append([next(1)], "kernel")).toEqual(stale)
    expect(writer.index.continuity.next(root)).toBe(1)
  })

  test("while an append was on its way to the disk tells so, and nothing is synced", async () => {
    let hasLost = () => {}
    const { writer, calls } = await writing({}, () => hasLost())
    hasLost = () => {
      takeOver()
      writer.checkOwned()
    }
    expect(await writer.append([next(1, { text: long })], "disk")).toEqual(stale)
    // The only sync is that of the text.
    expect(calls).toEqual(["sync"])
  })

  test("after an append was synced tells so", async () => {
    const { opened, open } = gate()
    const { writer } = await writing({ sync: () => opened })
    const appended = writer.append([next(1)], "disk")
    await turns()
    takeOver()
    open()
    expect(await appended).toEqual(stale)
  })
})

describe("a failure of the disk is final", () => {
  const failing = (name: "write" | "sync") => {
    const state = { isFull: true }
    const disk: Partial<Disk> = {
      [name]: (descriptor: number, bytes: Uint8Array) => {
        if (!state.isFull) return (realDisk[name] as Disk["write"])(descriptor, bytes)
        const error = Object.assign(new Error("ENOSPC: no space left on device"), {
          code: "ENOSPC",
          syscall: name,
        })
        if (name === "sync") return Promise.reject(error)
        throw error
      },
    }
    return { state, disk }
  }
  const failed = { code: "STORE_FAILED", message: expect.stringContaining("ENOSPC") }

  test.each<["write" | "sync", "kernel" | "disk", string]>([
    ["write", "kernel", ""],
    ["sync", "disk", ""],
    ["sync", "kernel", long],
  ])("of %s for %s", async (name, durability, text) => {
    const { state, disk } = failing(name)
    const { writer } = await writing(disk)
    await expect(writer.append([next(1, { text })], durability)).rejects.toMatchObject(failed)
    state.isFull = false
    await expect(writer.append([next(1)], "kernel")).rejects.toMatchObject(failed)
    expect(writer.checkOwned()).toBe(true)
    takeOver()
    expect(writer.checkOwned()).toBe(true)
    await expect(writer.append([next(1)], "kernel")).rejects.toMatchObject(failed)
    expect(await writer.release("heed")).toBe("released")
    expect(writer.checkOwned()).toBe(false)
  })

  test("a failed tree is not marked as released, and heeds no letter", async () => {
    const { disk } = failing("write")
    const { writer } = await writing(disk)
    await expect(writer.append([next(1)], "kernel")).rejects.toMatchObject(failed)
    await postLetter(placeOf(folder, root), { run: root, key: "k", at: 1, body: { type: "cancel" } } as never)
    expect(await writer.release("heed")).toBe("released")
    expect(fs.readFileSync(logFile(folder, 2), "utf8")).not.toContain("released")
  })
})

test.each<[string, (file: string) => void]>([
  ["removed", (file) => fs.rmSync(file)],
  [
    "replaced",
    (file) => {
      fs.writeFileSync(`${file}.new`, fs.readFileSync(file))
      fs.renameSync(`${file}.new`, file)
    },
  ],
])("an event that must be found later is refused where the log was %s", async (_, change) => {
  const { writer } = await writing()
  const file = logFile(folder, 2)
  expect(await writer.append([next(1)], "disk")).toBe("ok")
  change(file)
  expect(await writer.append([next(2)], "kernel")).toBe("ok")
  const lost = { code: "STORE_FAILED", message: expect.stringContaining(file) }
  await expect(writer.append([next(3)], "disk")).rejects.toMatchObject(lost)
  await expect(writer.append([next(4)], "kernel")).rejects.toMatchObject(lost)
  await writer.release("leave")
})

test("a length that cannot be noted is a failure", async () => {
  const { writer } = await writing()
  const { writeSync } = fs
  try {
    fs.writeSync = ((descriptor: number, text: unknown, ...more: unknown[]) => {
      if (typeof text !== "string") return writeSync(descriptor, text as never, ...(more as []))
      throw Object.assign(new Error("EIO: i/o error, write"), { code: "EIO", syscall: "write" })
    }) as typeof fs.writeSync
    await expect(writer.append([next(1)], "disk")).rejects.toMatchObject({ code: "STORE_FAILED" })
  } finally {
    fs.writeSync = writeSync
  }
  await writer.release("leave")
})

describe("a release", () => {
  const letter = (key: string) => ({ run: root, key, at: 1, body: { type: "message" } }) as never

  test.each<["heed" | "leave", "letters" | "released"]>([
    ["heed", "letters"],
    ["leave", "released"],
  ])("that is to %s letters, with one that was not read: %s", async (how, expected) => {
    const { writer } = await writing()
    await postLetter(placeOf(folder, root), letter("k"))
    expect(await writer.release(how)).toBe(expected)
    expect([writer.checkOwned(), heldClaims.has("n")]).toEqual([how === "heed", how === "heed"])
    await writer.release("leave")
  })

  test("is the last line, after all appends", async () => {
    const { opened, open } = gate()
    const { writer } = await writing({ sync: () => opened })
    const appended = writer.append([next(1, { text: long })], "disk")
    const released = writer.release("heed")
    await turns()
    expect(seqs()).toEqual([0])
    open()
    expect([await appended, await released]).toEqual(["ok", "released"])
    expect(seqs()).toEqual([0, 1, "mark"])
    expect(fs.readFileSync(logFile(folder, 2), "utf8").endsWith(writeReleaseLine("n"))).toBe(true)
  })

  test("keeps the head of an ended tree, and of no other", async () => {
    const open = await writing()
    await open.writer.release("leave")
    expect(fs.existsSync(indexFile(directory))).toBe(false)
    fs.rmSync(folder, { recursive: true })
    const { writer } = await writing()
    await writer.append([next(1, { type: "run-end", outcome: { type: "completed" } })], "kernel")
    await writer.release("leave")
    const { size } = fs.statSync(logFile(folder, 2))
    expect(fs.readFileSync(indexFile(directory), "utf8")).toContain(`"log":[2,${size},`)
  })

  test("of a log that cannot be marked is one all the same", async () => {
    const state = { isFull: false }
    const { writer } = await writing({
      write: (descriptor, bytes) => {
        if (state.isFull) throw new Error("ENOSPC")
        return realDisk.write(descriptor, bytes)
      },
    })
    await writer.append([next(1, { type: "run-end", outcome: { type: "completed" } })], "kernel")
    state.isFull = true
    expect(await writer.release("leave")).toBe("released")
    expect(fs.existsSync(indexFile(directory))).toBe(false)
  })
})

test("whoever asks for the claim wakes the reader of letters", async () => {
  const { writer } = await writing()
  const { rings } = writer.inbox.bell
  heldClaims.get("n")!()
  expect(writer.inbox.bell.rings).toBe(rings + 1)
  await writer.release("leave")
})
