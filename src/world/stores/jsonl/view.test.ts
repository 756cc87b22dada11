import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { directory, event } from "../../../../test/stores/heads-kit.ts"
import { isLinux, lineOf, openFiles, placeOf, putLog, torn } from "../../../../test/stores/tree-kit.ts"
import { createRunId } from "../../../run/log/id.ts"
import { type Disk, realDisk } from "./disk.ts"
import { Extent } from "./extent.ts"
import { logFile } from "./folder.ts"
import { seal } from "./line.ts"
import { RecentViews } from "./recent-views.ts"
import { LogView, readRun } from "./view.ts"

const root = createRunId(1_700_000_000_000)
const child = `${root}.1`

const add = (epoch: number, ...lines: readonly string[]) =>
  fs.appendFileSync(logFile(directory, epoch), lines.join(""))
const sizeOf = (epoch: number) => fs.statSync(logFile(directory, epoch)).size
const lines = (...seqs: readonly number[]) => seqs.map((seq) => lineOf(root, seq))

/** A disk that notes where it was read, and does something before a read. */
function watched(before: (reads: number) => void = () => {}) {
  const offsets: number[] = []
  const disk: Disk = {
    ...realDisk,
    read: (descriptor, target, position) => {
      before(offsets.length)
      offsets.push(position)
      return realDisk.read(descriptor, target, position)
    },
  }
  return { disk, offsets }
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

describe("a log of another owner", () => {
  test("is read once, and then from where it ended", async () => {
    putLog(directory, 1, lines(0, 1))
    const { disk, offsets } = watched()
    const view = new LogView(placeOf(directory, root, disk))
    const first = await view.refresh()
    const end = sizeOf(1)
    add(1, lineOf(root, 2))
    offsets.splice(0)
    const second = await view.refresh()
    expect(second?.index).toBe(first?.index)
    // The header is read each time.
    expect([offsets.filter((offset) => offset > 0).slice(0, 1), second?.epoch]).toEqual([[end], 1])
    expect(second?.index.continuity.next(root)).toBe(3)
  })

  test("has a mark, unless it changed while it was read", async () => {
    putLog(directory, 1, lines(0))
    const { mtimeMs } = fs.statSync(logFile(directory, 1))
    const view = new LogView(placeOf(directory, root))
    expect((await view.refresh())?.mark).toEqual({ epoch: 1, size: sizeOf(1), modified: mtimeMs })
    let isGrowing = true
    const { disk } = watched(() => {
      if (isGrowing) add(1, lineOf(root, 1))
      isGrowing = false
    })
    // The header is read before the size is noted, so the growth must come later than that.
    let reads = 0
    const late: Disk = {
      ...disk,
      read: (...given) => (++reads > 1 ? disk : realDisk).read(...given),
    }
    expect(await new LogView(placeOf(directory, root, late)).refresh()).not.toHaveProperty("mark")
  })

  test("is that of the newest owner", async () => {
    putLog(directory, 1, lines(0, 1))
    const view = new LogView(placeOf(directory, root))
    const first = await view.refresh()
    putLog(directory, 2, lines(0))
    const second = await view.refresh()
    expect([second?.epoch, second?.index.continuity.next(root), second?.index === first?.index]).toEqual([
      2,
      1,
      false,
    ])
  })

  test("is read again where it was taken over meanwhile", async () => {
    putLog(directory, 1, lines(0))
    const { disk } = watched((reads) => {
      if (reads === 1) putLog(directory, 2, lines(0, 1))
    })
    const log = await new LogView(placeOf(directory, root, disk)).refresh()
    expect([log?.epoch, log?.index.continuity.next(root)]).toEqual([2, 2])
  })

  test("is read from its beginning where it could not be read to its end", async () => {
    const hash = "0".repeat(64)
    const value = event(child, 0, { task: null })
    putLog(directory, 1, [lineOf(root, 0), seal(JSON.stringify({ packed: [[["task"], hash]], value }))])
    const blob = path.join(directory, "blobs", hash)
    fs.mkdirSync(blob, { recursive: true })
    const view = new LogView(placeOf(directory, root))
    await expect(view.refresh()).rejects.toThrow("EISDIR")
    fs.rmdirSync(blob)
    fs.writeFileSync(blob, "altered")
    const log = await view.refresh()
    expect([[...log!.index.continuity.damage], log!.index.has(child)]).toEqual([[], true])
  })

  test("is read again as a whole where new lines could not be read to their end", async () => {
    const hash = "0".repeat(64)
    const value = event(child, 0, { task: null })
    putLog(directory, 1, lines(0))
    const view = new LogView(placeOf(directory, root))
    await view.refresh()
    add(1, lineOf(root, 1), seal(JSON.stringify({ packed: [[["task"], hash]], value })))
    const blob = path.join(directory, "blobs", hash)
    fs.mkdirSync(blob, { recursive: true })
    await expect(view.refresh()).rejects.toThrow("EISDIR")
    fs.rmdirSync(blob)
    fs.writeFileSync(blob, "altered")
    const log = await view.refresh()
    expect([[...log!.index.continuity.damage], log!.index.extents(root, 0).length]).toEqual([[], 1])
    expect((await collect(readRun(placeOf(directory, root), root, 0, () => view.refresh()))).length).toBe(2)
  })

  test("tells how its runs ended, also behind a damage", async () => {
    const end = lineOf(root, 2, { type: "run-end", outcome: { type: "completed" } })
    putLog(directory, 1, [lineOf(root, 0), torn(lineOf(root, 1)), end])
    const log = await new LogView(placeOf(directory, root)).refresh()
    expect(log?.index.rootHead()).toMatchObject({ status: "ended", damage: expect.any(String) })
  })

  test("that was cut is damaged", async () => {
    putLog(directory, 1, lines(0))
    const extent = new Extent(directory, 1)
    extent.record(sizeOf(1) + 5)
    extent.close()
    const log = await new LogView(placeOf(directory, root)).refresh()
    expect([...log!.index.continuity.damage.values()]).toEqual([expect.stringContaining("5")])
  })

  test("that is not there, or is being removed, is none", async () => {
    const view = new LogView(placeOf(directory, root))
    expect(await view.refresh()).toBeUndefined()
    putLog(directory, 1, lines(0), { removed: true })
    expect(await view.refresh()).toBeUndefined()
  })

  test.runIf(isLinux)("is closed again", async () => {
    putLog(directory, 1, lines(0))
    const view = new LogView(placeOf(directory, root))
    await view.refresh()
    await collect(readRun(placeOf(directory, root), root, 0, () => view.refresh()))
    const failing: Disk = {
      ...realDisk,
      read: () => {
        throw new Error("EIO")
      },
    }
    await expect(new LogView(placeOf(directory, root, failing)).refresh()).rejects.toThrow("EIO")
    expect(openFiles(directory)).toEqual([])
  })
})

describe("the events of one run", () => {
  const mixed = [lineOf(root, 0), lineOf(root, 1), lineOf(child, 0), lineOf(root, 2), lineOf(root, 3)]
  const seqs = async (
    from = 0,
    run = root,
    disk: Disk = realDisk,
    views = new LogView(placeOf(directory, root, disk)),
  ) => {
    const found: unknown[] = []
    try {
      for await (const { seq } of readRun(placeOf(directory, root, disk), run, from, () => views.refresh()))
        found.push(seq)
    } catch (error) {
      found.push((error as { code?: string }).code, (error as Error).message)
    }
    return found
  }

  test.each<[string, number, readonly number[]]>([
    [root, 0, [0, 1, 2, 3]],
    [root, 1, [1, 2, 3]],
    [root, 3, [3]],
    [root, 4, []],
    [child, 0, [0]],
    [`${root}.2`, 0, []],
  ])("%s from %d", async (run, from, expected) => {
    putLog(directory, 1, mixed)
    expect(await seqs(from, run)).toEqual(expected)
  })

  test("of a tree that is not there are none", async () => expect(await seqs()).toEqual([]))

  test("come once each, where the tree gets another owner in between", async () => {
    putLog(directory, 1, mixed)
    const view = new LogView(placeOf(directory, root))
    await view.refresh()
    const log = (await view.refresh())!
    const found: number[] = []
    let looks = 0
    const look = async () => (looks++ === 0 ? log : view.refresh())
    for await (const { seq } of readRun(placeOf(directory, root), root, 0, look)) {
      found.push(seq)
      if (seq !== 1) continue
      putLog(directory, 2, mixed)
      fs.truncateSync(logFile(directory, 1))
    }
    expect([found, looks]).toEqual([[0, 1, 2, 3], 2])
  })

  test("end with the damage, and what can be read before it is read", async () => {
    putLog(directory, 1, [lineOf(root, 0), lineOf(root, 1), torn(lineOf(root, 2)), lineOf(root, 3)])
    expect(await seqs()).toEqual([0, 1, "LOG_DAMAGED", expect.stringMatching(/event 2.*checksum.*--repair/s)])
    expect((await seqs(0, child)).at(0)).toBeUndefined()
  })

  test("without the first say so", async () => {
    putLog(directory, 1, [lineOf(child, 0)])
    expect(await seqs()).toEqual(["LOG_DAMAGED", expect.stringMatching(/event 0.*first event/s)])
    expect(await seqs(0, child)).toEqual([0])
  })

  test("that do not fit the index are damaged, when a second look is the same", async () => {
    putLog(directory, 1, mixed)
    const view = new LogView(placeOf(directory, root))
    const log = (await view.refresh())!
    let looks = 0
    const look = async () => {
      looks++
      return log
    }
    fs.writeFileSync(logFile(directory, 1), "x".repeat(sizeOf(1)))
    const reading = collect(readRun(placeOf(directory, root), root, 0, look))
    await expect(reading).rejects.toMatchObject({ code: "LOG_DAMAGED" })
    expect(looks).toBe(2)
  })

  test("are not those of another run in its place", async () => {
    putLog(directory, 1, [lineOf(child, 0), lineOf(root, 0)])
    const view = new LogView(placeOf(directory, root))
    const log = (await view.refresh())!
    putLog(directory, 1, [lineOf(root, 0), lineOf(child, 0)])
    const reading = collect(readRun(placeOf(directory, root), child, 0, async () => log))
    await expect(reading).rejects.toMatchObject({ code: "LOG_DAMAGED" })
  })

  test("let other work go on", async () => {
    putLog(
      directory,
      1,
      Array.from({ length: 3_000 }, (_, seq) => lineOf(root, seq)),
    )
    const log = (await new LogView(placeOf(directory, root)).refresh())!
    let rounds = 0
    let isOver = false
    const count = () => {
      rounds++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const all = await collect(readRun(placeOf(directory, root), root, 0, async () => log))
    isOver = true
    expect([all.length, rounds >= 2]).toEqual([3_000, true])
  })
})

describe("logs that were read lately", () => {
  const make = (index: number) => {
    const run = createRunId(1_700_000_000_000 + index)
    const folder = path.join(directory, run)
    putLog(folder, 1, [lineOf(run, 0)])
    return placeOf(folder, run)
  }

  test("are kept, the last sixteen of them", async () => {
    const views = new RecentViews()
    const places = Array.from({ length: 17 }, (_, index) => make(index))
    const first = []
    for (const place of places.slice(0, 16)) first.push(await views.read(place))
    // The first one is read again, so the second is the oldest now.
    expect((await views.read(places[0]!))?.index).toBe(first[0]?.index)
    await views.read(places[16]!)
    expect((await views.read(places[0]!))?.index).toBe(first[0]?.index)
    expect((await views.read(places[2]!))?.index).toBe(first[2]?.index)
    expect((await views.read(places[1]!))?.index).not.toBe(first[1]?.index)
  })

  test("are forgotten one by one, and all at once", async () => {
    const views = new RecentViews()
    const places = [make(1), make(2)] as const
    const read = async () => [(await views.read(places[0]))?.index, (await views.read(places[1]))?.index]
    const [one, two] = await read()
    views.delete(places[0].root)
    const [other, same] = await read()
    expect([other === one, same === two]).toEqual([false, true])
    views.clear()
    expect((await read()).map((index, number) => index === [other, same][number])).toEqual([false, false])
  })
})
