import fs from "node:fs"
import path from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { directory } from "../../../../test/stores/heads-kit.ts"
import { isLinux, lineOf, openFiles, placeOf, putLog, torn } from "../../../../test/stores/tree-kit.ts"
import { createRunId } from "../../../run/log/id.ts"
import { type Disk, realDisk } from "./disk.ts"
import { closeEndpoint, heldClaims, openEndpoint } from "./endpoint.ts"
import { writeReleaseLine } from "./folder.ts"
import { listNames } from "./list-names.ts"
import { notifyOwner } from "./notify-owner.ts"
import { readThisProcess } from "./owner.ts"
import { finishRemovals, removeTree } from "./remove.ts"
import { listStandInFolders } from "./stand-in-folders.ts"

const root = createRunId(1_700_000_000_000)
const child = `${root}.1`
const gone = { ...readThisProcess(), pid: 2 ** 22 + 5, host: "h", socket: "/none", place: "", nonce: "n" }
const far = { ...gone, machine: "another", boot: "another" }
const ended = (run: string, seq: number) =>
  lineOf(run, seq, { type: "run-end", outcome: { type: "completed" } })

let folder = ""
beforeEach(() => {
  folder = path.join(directory, root)
})
const remove = (options: { ended?: true } = {}, disk?: Disk) =>
  removeTree(placeOf(folder, root, disk), options)

describe("a tree", () => {
  test.each<[string, () => void]>([
    ["that was never claimed", () => putLog(folder, 1, [lineOf(root, 0)])],
    ["whose owner is dead", () => putLog(folder, 3, [lineOf(root, 0)], { owner: gone })],
    ["that was given up", () => putLog(folder, 3, [lineOf(root, 0), writeReleaseLine("n")], { owner: far })],
    ["whose removal had begun", () => putLog(folder, 3, [], { removed: true, owner: far })],
  ])("%s is removed with all that it has", async (_, make) => {
    make()
    fs.writeFileSync(path.join(folder, "inbox.jsonl"), "")
    expect(await remove()).toBe("removed")
    expect(fs.readdirSync(directory)).toEqual([])
    if (isLinux) expect(openFiles(directory)).toEqual([])
  })

  test.each<[string, () => void, object]>([
    ["is not there", () => {}, { type: "unknown-run" }],
    [
      "has an owner that may be alive",
      () => putLog(folder, 1, [lineOf(root, 0)], { owner: far }),
      { type: "owned", by: expect.stringContaining("another machine") },
    ],
    [
      "has lost its header",
      () => {
        fs.mkdirSync(folder)
        fs.writeFileSync(path.join(folder, "log.1.jsonl"), lineOf(root, 0))
      },
      { type: "damaged", message: expect.any(String) },
    ],
  ])("that %s stays", async (_, make, refusal) => {
    make()
    const before = fs.existsSync(folder) ? fs.readdirSync(folder) : []
    expect(await remove()).toEqual(refusal)
    expect(fs.existsSync(folder) ? fs.readdirSync(folder) : []).toEqual(before)
    if (isLinux) expect(openFiles(directory)).toEqual([])
  })

  test("that another process takes while it is removed is that process's", async () => {
    putLog(folder, 1, [lineOf(root, 0)])
    const disk: Disk = {
      ...realDisk,
      sync: async () => putLog(folder, 2, [lineOf(root, 0)]),
    }
    expect(await remove({}, disk)).toEqual({ type: "owned", by: expect.any(String) })
    expect(fs.readdirSync(folder).toSorted()).toEqual(["log.1.jsonl", "log.2.jsonl"])
  })
})

describe("a tree that is to have ended", () => {
  test.each<[string, readonly string[], object | string]>([
    ["has", [lineOf(root, 0), lineOf(child, 0), ended(child, 1), ended(root, 1)], "removed"],
    ["has not", [lineOf(root, 0)], { type: "open", run: root }],
    [
      "has, and a child has not",
      [lineOf(root, 0), lineOf(child, 0), ended(root, 1)],
      { type: "open", run: child },
    ],
    [
      "has, and is damaged",
      [lineOf(root, 0), torn(lineOf(root, 1)), ended(root, 2)],
      { type: "damaged", message: expect.stringContaining("checksum") },
    ],
  ])("%s", async (_, lines, expected) => {
    putLog(folder, 1, lines)
    expect(await remove({ ended: true })).toEqual(expected)
    expect(fs.existsSync(folder)).toBe(expected !== "removed")
  })

  test.each<[string, () => void]>([
    ["was taken over", () => putLog(folder, 2, [lineOf(root, 0), ended(root, 1)])],
    ["was removed", () => fs.rmSync(folder, { recursive: true })],
  ])("%s while it was checked", async (_, change) => {
    putLog(folder, 1, [lineOf(root, 0), ended(root, 1)])
    let isFirst = true
    const disk: Disk = {
      ...realDisk,
      read: (...given) => {
        const count = realDisk.read(...given)
        if (isFirst) change()
        isFirst = false
        return count
      },
    }
    expect(await remove({ ended: true }, disk)).toEqual({ type: "owned", by: "another process" })
  })
})

describe("removals that were killed", () => {
  const other = createRunId(1_700_000_000_001)

  test("are finished, and nothing else is touched", () => {
    putLog(folder, 2, [lineOf(root, 0)], { removed: true })
    putLog(path.join(directory, other), 1, [lineOf(other, 0)])
    putLog(path.join(directory, "notes"), 1, [], { removed: true })
    putLog(path.join(directory, ".removed.0123456789ab"), 1, [])
    expect(finishRemovals(directory)).toBe(2)
    expect(fs.readdirSync(directory).toSorted()).toEqual([other, "notes"].toSorted())
    expect(finishRemovals(directory)).toBe(0)
    expect(finishRemovals(path.join(directory, "none"))).toBe(0)
  })

  test("of runs that were just listed are not looked for", () => {
    putLog(folder, 2, [lineOf(root, 0)], { removed: true })
    expect(finishRemovals(directory, new Set([root]))).toBe(0)
    expect(finishRemovals(directory, new Set([other]))).toBe(1)
  })

  test("of a newer format, or that cannot be read, stay", () => {
    putLog(folder, 2, [], { removed: true, cadre: 9 })
    fs.mkdirSync(path.join(directory, other, "log.1.jsonl"), { recursive: true })
    expect(finishRemovals(directory)).toBe(0)
    expect(fs.readdirSync(directory)).toHaveLength(2)
  })
})

test("names in a folder, of one that is not there and of what is none", () => {
  fs.writeFileSync(path.join(directory, "file"), "")
  expect([
    listNames(directory),
    listNames(path.join(directory, "none")),
    listNames(path.join(directory, "file")),
  ]).toEqual([["file"], [], []])
  expect(() => listNames("a\0b")).toThrow()
})

test("files in workspaces are recorded beside the runs, or else in the folder for temporary files", () => {
  const [first, second, ...more] = listStandInFolders({ CADRE_STATE_DIR: "/state" })
  expect([first, second, more]).toEqual([
    "/state/stand-ins",
    expect.stringMatching(/cadre-stand-ins-(?:\d+|user)$/),
    [],
  ])
})

describe("the owner of a tree is told of a letter", () => {
  test("where it holds the claim, and is woken", async () => {
    const { socket, place } = await openEndpoint()
    let rings = 0
    heldClaims.set("n", () => rings++)
    try {
      putLog(folder, 1, [lineOf(root, 0)], {
        owner: { ...readThisProcess(), host: "h", socket, place, nonce: "n" },
      })
      expect([await notifyOwner(realDisk, placeOf(folder, root)), rings]).toEqual(["delivered", 1])
    } finally {
      heldClaims.delete("n")
      await closeEndpoint()
    }
  })

  test.each<[string, () => void]>([
    ["there is no log", () => {}],
    ["nobody owns it", () => putLog(folder, 1, [lineOf(root, 0)])],
    ["it was given up", () => putLog(folder, 1, [lineOf(root, 0), writeReleaseLine("n")], { owner: far })],
    ["its owner is dead", () => putLog(folder, 1, [lineOf(root, 0)], { owner: gone })],
    ["nobody knows whether its owner lives", () => putLog(folder, 1, [lineOf(root, 0)], { owner: far })],
    [
      "its header is damaged",
      () => {
        fs.mkdirSync(folder)
        fs.writeFileSync(path.join(folder, "log.1.jsonl"), lineOf(root, 0))
      },
    ],
  ])("not where %s", async (_, make) => {
    make()
    expect(await notifyOwner(realDisk, placeOf(folder, root))).toBe("waiting")
  })
})
