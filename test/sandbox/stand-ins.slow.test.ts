import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { makeStandIns, sweepStandIns } from "../../src/world/sandbox/stand-ins.ts"

let [folder, root] = ["", ""]
let children: ChildProcess[]
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-guards-test-")))
  root = path.join(folder, "work")
  fs.mkdirSync(root)
  vi.stubEnv("CADRE_STATE_DIR", path.join(folder, "state"))
  children = []
})
afterEach(() => {
  vi.unstubAllEnvs()
  for (const child of children) child.kill("SIGKILL")
  fs.rmSync(folder, { recursive: true, force: true })
})

const isGuarded = () => fs.existsSync(path.join(root, ".git"))

async function another(): Promise<{ end(): Promise<void>; kill(): Promise<void> }> {
  const worker = fileURLToPath(new URL("guard-worker.ts", import.meta.url))
  const child = spawn(process.execPath, ["--import", "tsx", worker, root], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  children.push(child)
  await once(child.stdout!, "data")
  const gone = once(child, "exit")
  return {
    end: async () => void (child.stdin!.end(), await gone),
    kill: async () => void (child.kill("SIGKILL"), await gone),
  }
}

const guard = (names: readonly string[] = [".git"]) => makeStandIns({ root, writable: [], names })

/** Every note that is there, in the state folder. */
const notes = () =>
  fs
    .readdirSync(path.join(folder, "state/stand-ins"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))

test("a note names what it shares once, however many commands are at work", async () => {
  const guards = await Promise.all(Array.from({ length: 12 }, () => guard([".git", ".npmrc"])))
  const shared = notes().map((file) => fs.readFileSync(file, "utf8").match(/^made /gm)?.length)
  expect(shared).toEqual(guards.map(() => 2))
  await Promise.all(guards.map(({ free }) => free()))
  expect(isGuarded()).toBe(false)
})

test("144: what guards a path stays until the last command of any process has ended", async () => {
  const first = await another()
  const second = await another()
  const { free } = await guard()
  await first.end()
  expect(isGuarded()).toBe(true)
  await free()
  expect(isGuarded()).toBe(true)
  await second.end()
  expect(isGuarded()).toBe(false)
  expect(fs.existsSync(path.join(folder, "state/stand-ins"))).toBe(false)
})

test("144: nobody notes anything while another process takes away, however long that takes", async () => {
  const first = await another()
  const lock = path.join(path.dirname(notes()[0]!), ".lock")
  fs.symlinkSync(String(process.pid), lock)
  let isHeld = false
  const second = another().then((worker) => {
    isHeld = true
    return worker
  })
  await setTimeout(4_000)
  expect(isHeld).toBe(false)
  fs.rmSync(lock)
  await (await second).end()
  await first.end()
  expect(isGuarded()).toBe(false)
})

test("a process that waits for another to take away goes on with everything else", async () => {
  const first = await another()
  const lock = path.join(path.dirname(notes()[0]!), ".lock")
  fs.symlinkSync(String(process.ppid), lock)
  let isHeld = false
  const second = guard().then((held) => {
    isHeld = true
    return held
  })
  await setTimeout(100)
  expect(isHeld).toBe(false)
  fs.rmSync(lock)
  const { free } = await second
  await first.end()
  expect(isGuarded()).toBe(true)
  await free()
  expect(isGuarded()).toBe(false)
})

test("commands that need the same folder share what stands for it, whichever ends first", async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const guards = [await guard(["a/b/.claude"]), await guard(["a/b/.claude", "a/c"])]
    expect(guards.map(({ places }) => places)).toEqual([[path.join(root, "a")], [path.join(root, "a")]])
    await guards[order[0]!]!.free()
    expect(fs.readdirSync(root)).toEqual(["a"])
    await guards[order[1]!]!.free()
    expect(fs.readdirSync(root)).toEqual([])
  }
})

test.each(["work\nspace", 'work"space"', "work space"])(
  "144: the name %j of a workspace lifts no guard",
  async (name) => {
    root = path.join(folder, name)
    fs.mkdirSync(root)
    const first = await another()
    await (await guard()).free()
    expect(isGuarded()).toBe(true)
    await first.end()
    expect(isGuarded()).toBe(false)
  },
)

describe("what a killed process left", () => {
  const left = async () => (await another()).kill()

  test("is removed by the next command", async () => {
    await left()
    expect(isGuarded()).toBe(true)
    await (await guard([])).free()
    expect(isGuarded()).toBe(false)
  })

  test("is removed by a sweep", async () => {
    await left()
    await sweepStandIns()
    expect([isGuarded(), fs.existsSync(path.join(folder, "state/stand-ins"))]).toEqual([false, false])
  })

  test("stays when somebody has put something into it", async () => {
    await left()
    fs.writeFileSync(path.join(root, ".git", "config"), "theirs")
    await sweepStandIns()
    expect(fs.readdirSync(path.join(root, ".git"))).toEqual(["config"])
    expect(fs.statSync(path.join(root, ".git")).mode & 0o7000).toBe(0)
  })

  test("stays when it is another empty folder by now, even with the same inode", async () => {
    await left()
    const place = path.join(root, ".git")
    const { ino } = fs.lstatSync(place)
    fs.rmdirSync(place)
    fs.mkdirSync(place)
    for (const note of notes())
      fs.writeFileSync(
        note,
        fs.readFileSync(note, "utf8").replaceAll(String(ino), String(fs.lstatSync(place).ino)),
      )
    await sweepStandIns()
    expect(isGuarded()).toBe(true)
  })

  test("is removed when it was killed before it could note the inode", async () => {
    await left()
    for (const note of notes())
      fs.writeFileSync(note, fs.readFileSync(note, "utf8").replace(/^(?:made.*|complete)\n/gm, ""))
    await sweepStandIns()
    expect(isGuarded()).toBe(false)
  })

  test.each(["folder", "file"])("does not count as such when it is an empty %s of the user", async (kind) => {
    await left()
    const place = path.join(root, ".git")
    for (const note of notes())
      fs.writeFileSync(note, fs.readFileSync(note, "utf8").replace(/^(?:made.*|complete)\n/gm, ""))
    fs.rmdirSync(place)
    if (kind === "folder") fs.mkdirSync(place)
    else fs.writeFileSync(place, "")
    await sweepStandIns()
    expect(isGuarded()).toBe(true)
  })

  test("is nothing when it was killed while it wrote its note", async () => {
    await left()
    fs.rmdirSync(path.join(root, ".git"))
    fs.mkdirSync(path.join(root, ".git"))
    for (const note of notes()) fs.truncateSync(note, 10)
    await sweepStandIns()
    expect([isGuarded(), fs.existsSync(path.join(folder, "state/stand-ins"))]).toEqual([true, false])
  })
})

describe("a process that cannot be seen, because it is in another container,", () => {
  const unseen = () => {
    for (const note of notes()) {
      const [first, ...rest] = fs.readFileSync(note, "utf8").split("\n")
      const owner = { ...JSON.parse(first!), namespace: "pid:[1]", machine: "another" }
      fs.writeFileSync(note, [JSON.stringify(owner), ...rest].join("\n"))
    }
  }

  test("is at work while its note is young", async () => {
    await (await another()).kill()
    unseen()
    await sweepStandIns()
    expect(isGuarded()).toBe(true)
  })

  test("is dead when it has said nothing for minutes", async () => {
    await (await another()).kill()
    unseen()
    for (const note of notes()) fs.utimesSync(note, 1_000, 1_000)
    await sweepStandIns()
    expect(isGuarded()).toBe(false)
  })
})

test("a missing folder that something protected would lie in is guarded as a whole, and removed as a whole", async () => {
  const { places, free } = await guard(["a/b/.claude", "sub/x"])
  expect(places).toEqual([path.join(root, "a"), path.join(root, "sub")])
  expect(fs.readdirSync(root)).toEqual(["a", "sub"])
  await free()
  expect(fs.readdirSync(root)).toEqual([])
})

test("nothing is made behind a link that leads out of the workspace", async () => {
  fs.mkdirSync(path.join(folder, "outside"))
  fs.symlinkSync("../outside", path.join(root, "leads"))
  const { places, free } = await guard(["leads/.claude"])
  expect([places, fs.readdirSync(path.join(folder, "outside"))]).toEqual([
    [path.join(folder, "outside/.claude")],
    [],
  ])
  await free()
})

test("where the state folder cannot be written, notes are taken in the temporary folder", async () => {
  fs.writeFileSync(path.join(folder, "state"), "no folder")
  fs.mkdirSync(path.join(folder, "tmp"))
  vi.stubEnv("TMPDIR", path.join(folder, "tmp"))
  const { free } = await guard()
  expect(isGuarded()).toBe(true)
  await free()
  expect([isGuarded(), fs.readdirSync(path.join(folder, "tmp"))]).toEqual([false, []])
})
