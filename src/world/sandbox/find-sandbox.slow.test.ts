import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { findFolderSandbox, findSandbox, lookForSandbox, searchSandbox } from "./find-sandbox.ts"
import { buildSystemCallFilter, findMissingFilterReason } from "./system-call-filter.ts"

let folder = ""
beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "find-")))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** A program in place of bubblewrap. */
function program(text: string, mode = 0o755): string {
  const file = path.join(folder, `program-${fs.readdirSync(folder).length}`)
  fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode })
  return file
}

const canTry =
  process.platform === "linux" && process.getuid?.() === 0 && findMissingFilterReason() === undefined

describe.runIf(canTry)("a sandbox is tried before it is used", () => {
  test("one that works is the answer", async () => {
    const file = program("exit 0")
    expect(await searchSandbox(["/none", file])).toEqual({ path: file })
  })

  test.each([
    ["its errors", "echo ' no namespaces ' >&2; exit 1", "(no namespaces)"],
    ["its exit code", "exit 3", "(it ended with 3)"],
    ["its signal", "kill -9 $$", "(it ended with SIGKILL)"],
  ])("one that fails is a problem with %s", async (_, text, reason) => {
    const file = program(text)
    expect(await searchSandbox([file])).toEqual({
      problem: expect.stringContaining(`${file} does not work here ${reason}`),
    })
  })

  test("a file that cannot be started is a problem", async () => {
    expect(await searchSandbox([program("exit 0", 0o644)])).toEqual({
      problem: expect.stringContaining("EACCES"),
    })
  })

  test("a missing file is a problem", async () => {
    expect(await searchSandbox(["/none"])).toEqual(lookForSandbox(["/none"]))
  })

  test("it gets namespaces, no capability, the filter, and no environment", async () => {
    const file = program(
      `printf '%s\\n' "$@" > ${folder}/words; cat <&3 > ${folder}/filter; env | grep -v '^\\(PWD\\|_\\|SHLVL\\)=' > ${folder}/environment; exit 0`,
    )
    expect(await searchSandbox([file])).toEqual({ path: file })
    const read = (name: string) => fs.readFileSync(path.join(folder, name))
    const words = read("words").toString().trim().split("\n")
    expect(words.slice(0, 10)).toEqual([
      "--ro-bind",
      "/",
      "/",
      "--unshare-user",
      "--unshare-pid",
      "--unshare-net",
      "--proc",
      "/proc",
      "--dev",
      "/dev",
    ])
    expect(words.slice(-8)).toEqual([
      "--cap-drop",
      "ALL",
      "--seccomp",
      "3",
      "--die-with-parent",
      "/bin/sh",
      "-c",
      "true",
    ])
    expect(read("filter").equals(buildSystemCallFilter())).toBe(true)
    expect(read("environment").toString()).toBe("")
  })
})

test("the sandbox of this machine is looked for once, and serves every folder", async () => {
  expect(findSandbox()).toBe(findSandbox())
  expect(await findSandbox()).toEqual(await searchSandbox(["/usr/bin/bwrap", "/usr/local/bin/bwrap"]))
  expect(await findFolderSandbox(folder)).toEqual(await findSandbox())
})
