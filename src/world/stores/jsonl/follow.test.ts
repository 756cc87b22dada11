import fs from "node:fs"
import path from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { directory } from "../../../../test/stores/heads-kit.ts"
import { isLinux, lineOf, openFiles, placeOf, putLog, torn } from "../../../../test/stores/tree-kit.ts"
import { createRunId } from "../../../run/log/id.ts"
import { Bell } from "../bell.ts"
import { type Disk, realDisk } from "./disk.ts"
import { logFile } from "./folder.ts"
import { followTree } from "./follow.ts"
import { Followers } from "./followers.ts"
import { Streams } from "./streams.ts"
import { watchPath } from "./watch.ts"

const root = createRunId(1_700_000_000_000)
const child = `${root}.1`

let bell = new Bell()
let stop = new AbortController()
beforeEach(() => {
  bell = new Bell()
  stop = new AbortController()
})

const add = (...lines: readonly string[]) => {
  fs.appendFileSync(logFile(directory, 1), lines.join(""))
  bell.ring()
}
const shown = ({ run, seq }: { run: string; seq: number }) => `${run === root ? "root" : "child"} ${seq}`

/** Follows the tree; each event may cause something to happen. The order of its end is the last item. */
async function followed(
  react: Readonly<Record<string, () => void>> = {},
  from: Readonly<Record<string, number>> = {},
  disk: Disk = realDisk,
): Promise<readonly string[]> {
  const found: string[] = []
  try {
    for await (const event of followTree(placeOf(directory, root, disk), from, bell, stop.signal)) {
      found.push(shown(event))
      react[shown(event)]?.()
    }
    found.push("end")
  } catch (error) {
    found.push((error as { code?: string }).code ?? String(error))
  }
  return found
}

/** Stops once nothing more comes. */
const whenQuiet = (then: () => void) => () => setImmediate(() => setImmediate(() => setImmediate(then)))
const abort = () => {
  stop.abort()
}

describe("a tree is followed", () => {
  test("from its past into its future, until the caller has enough", async () => {
    putLog(directory, 1, [lineOf(root, 0), lineOf(child, 0)])
    const react = {
      "child 0": whenQuiet(() => add(lineOf(root, 1), lineOf(child, 1))),
      "child 1": whenQuiet(abort),
    }
    expect(await followed(react)).toEqual(["root 0", "child 0", "root 1", "child 1", "end"])
  })

  test("from the numbers that the caller names", async () => {
    putLog(directory, 1, [lineOf(root, 0), lineOf(child, 0), lineOf(root, 1), lineOf(child, 1)])
    expect(await followed({ "child 1": whenQuiet(abort) }, { [root]: 1, [child]: 1 })).toEqual([
      "root 1",
      "child 1",
      "end",
    ])
  })

  test("not beyond the event at which the caller stops", async () => {
    putLog(directory, 1, [lineOf(root, 0), lineOf(root, 1)])
    expect(await followed({ "root 0": abort })).toEqual(["root 0", "end"])
    expect(await followed()).toEqual(["end"])
  })

  test("across its owners, each event once", async () => {
    putLog(directory, 1, [lineOf(root, 0)])
    const takeOver = () => {
      putLog(directory, 2, [lineOf(root, 0), lineOf(root, 1), lineOf(root, 2)])
      fs.truncateSync(logFile(directory, 1))
      bell.ring()
    }
    expect(await followed({ "root 0": whenQuiet(takeOver), "root 2": whenQuiet(abort) })).toEqual([
      "root 0",
      "root 1",
      "root 2",
      "end",
    ])
  })

  test("from the log of the next owner, where that takes it over while it is read", async () => {
    putLog(directory, 1, [lineOf(root, 0), lineOf(root, 1)])
    let reads = 0
    const disk: Disk = {
      ...realDisk,
      read: (...given) => {
        const count = realDisk.read(...given)
        // The header and the events were read by then.
        if (++reads === 2) putLog(directory, 2, [lineOf(root, 0), lineOf(root, 1, { type: "other" })])
        return count
      },
    }
    const types: string[] = []
    for await (const event of followTree(placeOf(directory, root, disk), {}, bell, stop.signal)) {
      types.push(event.type)
      if (event.seq === 1) abort()
    }
    expect(types).toEqual(["test", "other"])
  })

  test("to its damage, and what can be read before that", async () => {
    putLog(directory, 1, [lineOf(root, 0), lineOf(child, 0), torn(lineOf(root, 1)), lineOf(child, 1)])
    expect(await followed()).toEqual(["root 0", "child 0", "child 1", "LOG_DAMAGED"])
  })

  test.each<[string, () => void, readonly string[]]>([
    ["has no log", () => {}, ["end"]],
    ["is being removed", () => putLog(directory, 1, [lineOf(root, 0)], { removed: true }), ["end"]],
  ])("to its end, where it %s", async (_, make, expected) => {
    make()
    expect(await followed()).toEqual(expected)
  })

  test("until it is removed", async () => {
    putLog(directory, 1, [lineOf(root, 0)])
    const remove = () => {
      fs.rmSync(logFile(directory, 1))
      bell.ring()
    }
    expect(await followed({ "root 0": whenQuiet(remove) })).toEqual(["root 0", "end"])
  })

  test.runIf(isLinux)("and closed, however it ends", async () => {
    putLog(directory, 1, [lineOf(root, 0), torn(lineOf(root, 1))])
    await followed()
    await followed({ "root 0": abort })
    expect(openFiles(directory)).toEqual([])
  })
})

test("followers of a tree are woken, those of others are not, and those that left are forgotten", () => {
  const followers = new Followers()
  const [one, two, other] = [followers.add("r"), followers.add("r"), followers.add("s")]
  const rings = () => [one.rings, two.rings, other.rings]
  followers.ring("r")
  followers.ring("t")
  expect(rings()).toEqual([1, 1, 0])
  followers.delete("r", one)
  followers.ring("r")
  expect(rings()).toEqual([1, 2, 0])
  followers.delete("r", two)
  followers.delete("r", two)
  followers.ring("r")
  expect(rings()).toEqual([1, 2, 0])
})

describe("a stream of a store", () => {
  test("ends with its own signal, and with its store", () => {
    const streams = new Streams()
    const [own, none] = [new AbortController(), new AbortController()]
    const [one, two] = [streams.open(own.signal), streams.open(none.signal)]
    own.abort()
    expect([one.signal.aborted, two.signal.aborted]).toEqual([true, false])
    streams.end()
    expect(two.signal.aborted).toBe(true)
    expect(streams.open(AbortSignal.abort()).signal.aborted).toBe(true)
  })

  test("that was closed hears nothing any more", () => {
    const streams = new Streams()
    const own = new AbortController()
    const stream = streams.open(own.signal)
    stream.close()
    own.abort()
    streams.end()
    expect(stream.signal.aborted).toBe(false)
  })
})

describe("a path is watched", () => {
  const file = () => path.join(directory, "file")

  test("until it is watched no more", async () => {
    fs.writeFileSync(file(), "")
    let changes = 0
    const unwatch = watchPath(file(), () => changes++)
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => /Timeout|FSEvent|FSWatch/.test(name)).length
    const before = timers()
    fs.appendFileSync(file(), "x")
    await expect.poll(() => changes).toBeGreaterThan(0)
    unwatch()
    await expect.poll(timers).toBeLessThan(before)
  })

  test("where it is not there, by the clock alone", async () => {
    let changes = 0
    const unwatch = watchPath(path.join(directory, "none", "file"), () => changes++)
    await expect.poll(() => changes).toBeGreaterThan(0)
    unwatch()
  })
})
