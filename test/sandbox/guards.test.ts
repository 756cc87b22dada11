import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { guardMissing } from "../../src/sandbox/guards.ts"

let [folder, root] = ["", ""]
let children: ChildProcess[]
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-guards-test-")))
  root = path.join(folder, "work")
  for (const name of ["work", "tmp"]) fs.mkdirSync(path.join(folder, name))
  vi.stubEnv("TMPDIR", path.join(folder, "tmp"))
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

test("144: what guards a path stays until the last command of any process has ended", async () => {
  const first = await another()
  const second = await another()
  const free = guardMissing(root, [".git"])
  await first.end()
  expect(isGuarded()).toBe(true)
  free()
  expect(isGuarded()).toBe(true)
  await second.end()
  expect(isGuarded()).toBe(false)
})

/** As if all that is noted had been noted long ago. */
function age(): void {
  for (const entry of fs.readdirSync(path.join(folder, "tmp"), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) fs.utimesSync(path.join(entry.parentPath, entry.name), 1_000, 1_000)
}

test("144: what a process has left that was killed just now is still made by its sandbox, perhaps", async () => {
  await (await another()).kill()
  guardMissing(root, [".git"])()
  expect(isGuarded()).toBe(true)
})

test("144: nobody notes anything while another process takes away, however long that takes", async () => {
  const first = await another()
  const [notes] = fs.readdirSync(path.join(folder, "tmp", fs.readdirSync(path.join(folder, "tmp"))[0]!))
  const lock = path.join(folder, "tmp", fs.readdirSync(path.join(folder, "tmp"))[0]!, notes!, "lock")
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
}, 30_000)

test("144: a line break in the name of the workspace lifts no guard", async () => {
  root = path.join(folder, "work\nspace")
  fs.mkdirSync(root)
  const first = await another()
  guardMissing(root, [".git"])()
  expect(isGuarded()).toBe(true)
  await first.end()
  expect(isGuarded()).toBe(false)
})

test("144: what a killed process left is taken away by the next, and what somebody has filled is not", async () => {
  await (await another()).kill()
  expect(isGuarded()).toBe(true)
  age()
  guardMissing(root, [".git"])()
  expect(isGuarded()).toBe(false)
  await (await another()).kill()
  age()
  fs.writeFileSync(path.join(root, ".git", "config"), "theirs")
  guardMissing(root, [".git"])()
  expect(isGuarded()).toBe(true)
})
