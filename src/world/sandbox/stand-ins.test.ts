import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { makeStandIns, sweepStandIns } from "./stand-ins.ts"

let [base, root] = ["", ""]
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "stand-ins-")))
  root = at("work")
  for (const name of ["work", "other", "tmp"]) fs.mkdirSync(at(name))
  vi.stubEnv("CADRE_STATE_DIR", at("state"))
  vi.stubEnv("TMPDIR", at("tmp"))
})
afterEach(() => {
  vi.unstubAllEnvs()
  fs.rmSync(base, { recursive: true, force: true })
})

const at = (name: string) => path.join(base, name)

const guard = (names: readonly string[], writable: readonly string[] = []) =>
  makeStandIns({ root, writable, names })

/** The files and folders below a folder; a stand-in has an asterisk. */
const tree = (folder: string): readonly string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => ((fs.lstatSync(path.join(folder, name)).mode & 0o1000) !== 0 ? `${name}*` : name))
    .sort()

const notes = () => tree(at("state/stand-ins")).filter((name) => name.includes("/"))

const noteFolder = () => path.join(at("state/stand-ins"), fs.readdirSync(at("state/stand-ins"))[0]!)

describe("a stand-in is made", () => {
  test("for each missing path, as an empty folder, until the command has ended", async () => {
    const { places, free } = await guard([".git", ".cadre"])
    expect(places).toEqual([at("work/.git"), at("work/.cadre")])
    expect(tree(root)).toEqual([".cadre*", ".git*"])
    expect(fs.statSync(at("work/.git")).mode & 0o7777).toBe(0o1755)
    expect(notes()).toHaveLength(1)
    await free()
    expect([tree(root), fs.existsSync(at("state/stand-ins"))]).toEqual([[], false])
  })

  test("not for a path that exists, of whatever kind", async () => {
    fs.mkdirSync(at("work/.git"))
    fs.writeFileSync(at("work/.npmrc"), "")
    fs.symlinkSync("nowhere", at("work/.cadre"))
    const { places, free } = await guard([".git", ".npmrc", ".cadre"])
    expect(places).toEqual([at("work/.git"), at("work/.npmrc"), at("work/.cadre")])
    expect([tree(root), fs.existsSync(at("state/stand-ins"))]).toEqual([[".cadre", ".git", ".npmrc"], false])
    await free()
    expect(tree(root)).toEqual([".cadre", ".git", ".npmrc"])
  })

  test("in every folder that can be written, and in no other", async () => {
    const names = [".git", at("other/.git"), at("tmp/.git")]
    const { places, free } = await guard(names, [at("missing"), at("other")])
    expect(places).toEqual([at("work/.git"), at("other/.git"), at("tmp/.git")])
    expect([tree(root), tree(at("other")), tree(at("tmp"))]).toEqual([[".git*"], [".git*"], []])
    await free()
    expect([tree(root), tree(at("other"))]).toEqual([[], []])
  })

  test("once for the missing folder above several paths", async () => {
    const { places, free } = await guard(["a/b/.git", "a/c", "a"])
    expect([places, tree(root)]).toEqual([[at("work/a")], ["a*"]])
    await free()
    expect(tree(root)).toEqual([])
  })

  test("where a link leads, if that can be written", async () => {
    fs.mkdirSync(at("work/real"))
    fs.symlinkSync("real", at("work/link"))
    fs.symlinkSync("../other", at("work/out"))
    const { places, free } = await guard(["link/.git", "out/.git"])
    expect(places).toEqual([at("work/real/.git"), at("other/.git")])
    expect([tree(at("work/real")), tree(at("other"))]).toEqual([[".git*"], []])
    await free()
    expect(tree(at("work/real"))).toEqual([])
  })

  test("nowhere below a file, so that this path needs no guard", async () => {
    fs.writeFileSync(at("work/file"), "")
    const { places, free } = await guard(["file/x", "file/y/z", ".git"])
    expect([places, tree(root)]).toEqual([[at("work/.git")], [".git*", "file"]])
    await free()
    expect(tree(root)).toEqual(["file"])
  })
})

describe("a stand-in that two commands need", () => {
  test.each([[[0, 1]], [[1, 0]]])("is removed after the last, in the order %j", async (order) => {
    const guards = [await guard([".git", ".a"]), await guard([".git", ".b"])]
    expect(tree(root)).toEqual([".a*", ".b*", ".git*"])
    await guards[order[0]!]!.free()
    expect(tree(root)).toEqual([order[0] === 0 ? ".b*" : ".a*", ".git*"])
    await guards[order[1]!]!.free()
    expect([tree(root), fs.existsSync(at("state/stand-ins"))]).toEqual([[], false])
  })
})

test("a path below the stand-in of another command needs no other, and keeps it", async () => {
  const first = await guard(["a"])
  const second = await guard(["a/b/.git"])
  expect([second.places, tree(root)]).toEqual([[at("work/a")], ["a*"]])
  await first.free()
  expect(tree(root)).toEqual(["a*"])
  await second.free()
  expect([tree(root), fs.existsSync(at("state/stand-ins"))]).toEqual([[], false])
})

test("a note is kept young while its command runs, and no longer", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  try {
    const { free } = await guard([".git"])
    const note = path.join(at("state/stand-ins"), notes()[0]!)
    fs.utimesSync(note, 1, 1)
    vi.advanceTimersByTime(60_000)
    expect(fs.statSync(note).mtimeMs).toBeGreaterThan(1_000)
    fs.rmSync(note)
    vi.advanceTimersByTime(60_000)
    await free()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

describe("a stand-in is no longer one", () => {
  test("once it has content: then it stays, as an ordinary folder", async () => {
    const { free } = await guard([".git"])
    fs.writeFileSync(at("work/.git/config"), "")
    await free()
    expect(tree(root)).toEqual([".git", ".git/config"])
    expect(fs.statSync(at("work/.git")).mode & 0o7777).toBe(0o755)
  })

  test("if the folder above it is a file by now", async () => {
    fs.mkdirSync(at("work/a"))
    const { free } = await guard(["a/.git"])
    fs.rmSync(at("work/a"), { recursive: true })
    fs.writeFileSync(at("work/a"), "")
    await free()
    expect([tree(root), fs.existsSync(at("state/stand-ins"))]).toEqual([["a"], false])
  })

  test.each(["file", "folder"])("if a %s has its place", async (kind) => {
    const { free } = await guard([".git"])
    // The other inode keeps the number of the first one from being used again.
    fs.renameSync(at("work/.git"), at("moved"))
    if (kind === "file") fs.writeFileSync(at("work/.git"), "")
    else fs.mkdirSync(at("work/.git"))
    await free()
    expect(tree(root)).toEqual([".git"])
  })
})

describe("the note of a dead process", () => {
  /** Leaves a stand-in, with a note whose owner no longer exists. */
  async function leave(name: string, change: (text: string) => string = (text) => text): Promise<void> {
    await guard([name])
    for (const file of fs.readdirSync(noteFolder()).map((note) => path.join(noteFolder(), note))) {
      const [owner, ...lines] = fs.readFileSync(file, "utf8").split("\n")
      const dead = JSON.stringify({ ...JSON.parse(owner!), pid: 2 ** 22 + 5 })
      // The mark is that of no process.
      fs.writeFileSync(path.join(noteFolder(), "dead.1"), change([dead, ...lines].join("\n")))
      fs.rmSync(file)
    }
  }

  test("is removed with its stand-ins by the next command", async () => {
    await leave(".git")
    const { free } = await guard([".cadre"])
    expect(tree(root)).toEqual([".cadre*"])
    await free()
    expect(fs.existsSync(at("state/stand-ins"))).toBe(false)
  })

  test("is removed without a stand-in that another command needs", async () => {
    await leave(".git")
    const note = fs.readFileSync(path.join(noteFolder(), "dead.1"))
    const { free } = await guard([".git"])
    const folder = noteFolder()
    fs.writeFileSync(path.join(folder, "dead.2"), note)
    await sweepStandIns()
    expect([tree(root), notes().length]).toEqual([[".git*"], 1])
    await free()
    expect(tree(root)).toEqual([])
  })

  test("is removed by a sweep of these folders alone", async () => {
    await leave(".git")
    await sweepStandIns([at("tmp")])
    expect(tree(root)).toEqual([".git*"])
    await sweepStandIns([at("missing"), at("state/stand-ins")])
    expect([tree(root), fs.existsSync(at("state/stand-ins"))]).toEqual([[], false])
  })

  test("also counts for stand-ins that it could not record", async () => {
    await leave(".git", (text) => text.replace(/^made.*\n/m, ""))
    fs.mkdirSync(at("work/.cadre"))
    fs.appendFileSync(
      path.join(noteFolder(), "dead.1"),
      `intend ${at("work/.cadre")}\nintend ${at("work/none")}\n`,
    )
    await sweepStandIns()
    expect(tree(root)).toEqual([".cadre"])
  })
})

describe("the lock", () => {
  test("of a dead process does not count", async () => {
    await (await guard([".git"])).free()
    const { free } = await guard([".git"])
    fs.symlinkSync(String(2 ** 22 + 5), path.join(noteFolder(), ".lock"))
    await free()
    expect([tree(root), fs.existsSync(at("state/stand-ins"))]).toEqual([[], false])
  })

  test("of a live process is waited for", async () => {
    const { free } = await guard([".git"])
    const lock = path.join(noteFolder(), ".lock")
    fs.symlinkSync(String(process.ppid), lock)
    const order: string[] = []
    const freed = free().then(() => order.push("freed"))
    await new Promise((resolve) => setTimeout(resolve, 20))
    order.push(fs.existsSync(at("work/.git")) ? "released" : "too early")
    fs.rmSync(lock)
    await freed
    expect(order).toEqual(["released", "freed"])
  })
})

describe("a folder of notes that cannot be made", () => {
  test("is an error after a few attempts", async () => {
    const { free } = await guard([".git"])
    fs.rmSync(at("state/stand-ins"), { recursive: true })
    fs.writeFileSync(at("state/stand-ins"), "")
    await expect(free()).rejects.toThrow(/ENOTDIR|EEXIST/)
  })

  test("is not tried where the folders have a file", async () => {
    const { free } = await guard([".git"])
    fs.writeFileSync(at("state/stand-ins/file"), "")
    await sweepStandIns()
    expect(tree(root)).toEqual([".git*"])
    await free()
    expect([tree(root), tree(at("state/stand-ins"))]).toEqual([[], ["file"]])
  })
})

describe("notes are", () => {
  test("in the temporary folder if the state folder cannot be written", async () => {
    fs.writeFileSync(at("state"), "")
    const { free } = await guard([".git"])
    expect(fs.readdirSync(at("tmp"))).toEqual([`cadre-stand-ins-${process.getuid?.()}`])
    await free()
    expect([tree(root), fs.readdirSync(at("tmp"))]).toEqual([[], []])
  })

  test.runIf(process.getuid?.() === 0)("never in a folder of another user", async () => {
    fs.mkdirSync(at("state/stand-ins"), { recursive: true })
    fs.chownSync(at("state/stand-ins"), 12_345, 12_345)
    const { free } = await guard([".git"])
    expect(fs.readdirSync(at("tmp"))).toHaveLength(1)
    await free()
    fs.mkdirSync(at(`tmp/cadre-stand-ins-0`))
    fs.chownSync(at(`tmp/cadre-stand-ins-0`), 12_345, 12_345)
    await expect(guard([".git"])).rejects.toThrow("belongs to another user")
  })

  test("nowhere, and nothing is guarded, if neither folder can be written", async () => {
    fs.writeFileSync(at("state"), "")
    fs.writeFileSync(at(`tmp/cadre-stand-ins-${process.getuid?.()}`), "")
    await expect(guard([".git"])).rejects.toThrow(/ENOTDIR|EEXIST/)
    expect(tree(root)).toEqual([])
  })

  test("private to the user", async () => {
    const { free } = await guard([".git"])
    expect(fs.statSync(noteFolder()).mode & 0o777).toBe(0o700)
    await free()
  })
})
