import fs from "node:fs"
import net from "node:net"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { ProcessInput } from "./process.ts"
import { runBoxed } from "./run-boxed.ts"
import { buildSystemCallFilter } from "./system-call-filter.ts"

let [base, root, socket] = ["", "", ""]
let server: net.Server
beforeEach(async () => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "boxed-")))
  root = path.join(base, "work")
  socket = path.join(root, "a.sock")
  fs.mkdirSync(root)
  vi.stubEnv("CADRE_STATE_DIR", path.join(base, "state"))
  server = net.createServer()
  await new Promise<void>((resolve) => server.listen(socket, resolve))
})
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  vi.unstubAllEnvs()
  fs.rmSync(base, { recursive: true, force: true })
})

const limits = { output: 10_000, keptOutput: 1_000, fileSize: 10_000, processes: 100, grace: 100 }

/** Runs a shell script in place of bubblewrap. Its first line of numbers counts how often it ran. */
async function box(script: string, more: Partial<ProcessInput> = {}, grace = limits.grace) {
  const program = path.join(base, "program")
  fs.writeFileSync(
    program,
    `#!/bin/sh
echo >> ${base}/runs; runs=$(wc -l < ${base}/runs)
finish() { echo '{ "exit-code": 0 }' >&3; echo "$1"; exit; }
fail() { echo "bwrap: $1" >&2; exit 1; }
${script}`,
    { mode: 0o755 },
  )
  const result = await runBoxed(
    program,
    {
      cwd: root,
      environment: { PATH: "/usr/bin:/bin" },
      bounds: { root, home: base, network: "none" },
      sandbox: "required",
      timeout: 300_000,
      ...more,
    },
    { ...limits, grace },
    ["the", "words"],
  )
  return { result, runs: fs.readFileSync(path.join(base, "runs"), "utf8").length }
}

const nothing = { head: "", tail: "", omitted: 0 }
const finished = { ending: "exit", exitCode: 0, ...nothing, head: "ran\n", errors: nothing }
const refused = (text: string) => ({ refused: expect.stringContaining(text) })

describe("a sandbox that cannot be made", () => {
  test.each([1, 4])("is made anew after a socket was gone %d times", async (times) => {
    const script = `[ $runs -le ${times} ] && fail "no source ${socket}"\nfinish ran`
    expect(await box(script)).toEqual({ result: finished, runs: times + 1 })
  })

  test("is given up when a socket is gone for the fifth time", async () => {
    expect(await box(`fail "no source ${socket}"`)).toEqual({ result: refused(socket), runs: 5 })
  })

  test("is given up at once for any other reason", async () => {
    expect(await box('fail "no namespaces"')).toEqual({ result: refused("(bwrap: no namespaces)"), runs: 1 })
  })
})

describe("a failure is the command's own", () => {
  test("if bubblewrap has reported an exit code", async () => {
    expect(await box(`echo '{ "exit-code": 1 }' >&3; fail "${socket}"`)).toEqual({
      result: { ...finished, head: "", exitCode: 1, errors: { ...nothing, head: `bwrap: ${socket}\n` } },
      runs: 1,
    })
  })

  test("if bubblewrap is not what complains first", async () => {
    expect(await box(`echo other >&2; fail "${socket}"`)).toEqual({
      result: {
        ...finished,
        head: "",
        exitCode: 1,
        errors: { ...nothing, head: `other\nbwrap: ${socket}\n` },
      },
      runs: 1,
    })
  })

  test("if it was stopped meanwhile", async () => {
    const { result } = await box(`echo 'bwrap: slow' >&2; exec sleep 1000`, { timeout: 300 })
    expect(result).toMatchObject({ ending: "timeout", exitCode: 137 })
  })

  test("at once, if nothing runs in the sandbox that could end by itself", async () => {
    const { result } = await box(`exec sleep 100000`, { timeout: 300 }, 10_000_000)
    expect(result).toMatchObject({ ending: "timeout", exitCode: 137 })
  })
})

test("the error of a sandbox that cannot be made is cut where it is long", async () => {
  expect((await box(`fail "$(printf '%03000d' 7)"`)).result).toEqual({
    refused: expect.stringMatching(/ \(bwrap: 0{1993}\)\.$/),
  })
})

test("sockets that the kernel lists by another path are kept from the command in every writable folder", async () => {
  const other = path.join(base, "other")
  const moved = [path.join(root, "moved"), path.join(other, "moved")]
  const servers = await Promise.all(
    moved.map(async (folder) => {
      const first = `${folder}-before`
      fs.mkdirSync(first, { recursive: true })
      const server = net.createServer()
      await new Promise<void>((resolve) => server.listen(path.join(first, "s"), resolve))
      fs.renameSync(first, folder)
      return server
    }),
  )
  const bounds = { root, home: base, network: "none", writable: [other] } as const
  await box(`printf '%s\\n' "$@" > ${base}/words; finish ran`, { bounds })
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  const words = fs.readFileSync(path.join(base, "words"), "utf8")
  for (const folder of moved) expect(words).toContain(`--ro-bind\n/dev/null\n${folder}/s\n`)
})

test("bubblewrap gets the bounds, the sockets, the words and the filter", async () => {
  const { result } = await box(
    `printf '%s\\n' "$@" > ${base}/words; cat <&4 > ${base}/filter; pwd > ${base}/folder; finish ran`,
  )
  expect(result).toEqual(finished)
  const words = fs.readFileSync(path.join(base, "words"), "utf8").trim().split("\n")
  expect(words.slice(words.indexOf("--chdir") - 3)).toEqual([
    ...["--ro-bind", "/dev/null", socket],
    ...["--chdir", root, "--json-status-fd", "3", "--seccomp", "4", "--", "the", "words"],
  ])
  expect(fs.readFileSync(path.join(base, "filter")).equals(buildSystemCallFilter())).toBe(true)
  expect(fs.readFileSync(path.join(base, "folder"), "utf8")).toBe("/\n")
})

describe("an empty file in the place of a socket", () => {
  test.each([
    ["that no user may write is removed", ":", "444", false],
    ["that can be written stays", ":", "644", true],
    ["with content stays", "echo x", "444", true],
  ])("%s", async (_, content, mode, isLeft) => {
    const { result } = await box(`rm ${socket}; ${content} > ${socket}; chmod ${mode} ${socket}; finish ran`)
    expect([result, fs.existsSync(socket)]).toEqual([finished, isLeft])
  })
})

describe("after the command", () => {
  test("a protected link is put back, and the result has the new path of its replacement", async () => {
    fs.mkdirSync(path.join(root, "real"))
    const link = path.join(root, ".git")
    fs.symlinkSync("real", link)
    const { result } = await box(`rm ${link}; echo mine > ${link}; finish ran`, {
      bounds: { root, home: base, network: "none", protected: [".git"] },
    })
    expect(result).toEqual({ ...finished, replaced: [expect.stringContaining(`${link}.replaced-`)] })
    expect(fs.readlinkSync(link)).toBe("real")
  })

  test("a new definition is moved aside, and the result has its new path", async () => {
    const [old, made] = ["old.md", "new.md"].map((name) => path.join(root, name))
    fs.writeFileSync(old!, "old")
    const definitions = async () => [old!, made!].filter((file) => fs.existsSync(file))
    const { result } = await box(`echo new > ${made}; finish ran`, { definitions })
    expect(result).toEqual({ ...finished, refusedDefinitions: [expect.stringContaining(`${made}.refused-`)] })
    expect([old, made].map((file) => fs.existsSync(file!))).toEqual([true, false])
  })

  test("the stand-in of a missing path is gone, which the command has seen", async () => {
    const bounds = { root, home: base, network: "none", protected: [".cadre"] } as const
    expect((await box(`[ -d ${root}/.cadre ] && finish ran`, { bounds })).result).toEqual(finished)
    expect((await box(`[ -d ${root}/.cadre ] && fail seen`, { bounds })).result).toEqual(refused("seen"))
    expect(fs.existsSync(path.join(root, ".cadre"))).toBe(false)
  })
})
