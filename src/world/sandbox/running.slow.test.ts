import { getEventListeners } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { listStandInFolders } from "../stores/jsonl/stand-in-folders.ts"
import { buildChildEnvironment, hostName } from "./child-environment.ts"
import { hostValue } from "./host.ts"
import type { ProcessInput } from "./process.ts"
import { capProcesses } from "./process-limit.ts"
import { runCommand } from "./run-command.ts"
import { runBoundedProgram } from "./run-program.ts"

let root = ""
beforeAll(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "running-")))
})
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

let calls = 0

const input = (more: Partial<ProcessInput> = {}): ProcessInput => ({
  cwd: root,
  environment: buildChildEnvironment(process.env, { root, marker: `running-${process.pid}:${calls++}` }),
  bounds: { root, home: root, network: "none" },
  sandbox: "off",
  timeout: 300_000,
  ...more,
})

const command = (text: string, more?: Partial<ProcessInput>) => runCommand({ ...input(more), command: text })
const shell = (text: string, more?: Partial<ProcessInput>) =>
  runBoundedProgram({ ...input(more), words: ["/bin/sh", "-c", text] })

const nothing = { head: "", tail: "", omitted: 0 }
const unsandboxed = "it was switched off"

describe("a command that ended", () => {
  test("leaves no listener at the signal of its run", async () => {
    const { signal } = new AbortController()
    await command("true", { signal })
    expect(getEventListeners(signal, "abort")).toEqual([])
  })

  test("and one that could not be started is an error of its caller", async () => {
    await expect(command("true", { cwd: path.join(root, "none") })).rejects.toThrow("ENOENT")
  })
})

describe("the result of a command", () => {
  test("has its exit code, and its output and errors in their order", async () => {
    expect(await command("echo one; echo two >&2; echo three; exit 3")).toEqual({
      ending: "exit",
      exitCode: 3,
      head: "one\ntwo\nthree\n",
      tail: "",
      omitted: 0,
      errors: nothing,
      unsandboxed,
    })
  })

  test("keeps the errors of a program apart", async () => {
    expect(await shell("echo one; echo two >&2")).toEqual({
      ending: "exit",
      exitCode: 0,
      ...nothing,
      head: "one\n",
      errors: { ...nothing, head: "two\n" },
      unsandboxed,
    })
  })

  test.each(Object.entries({ HUP: 129, INT: 130, USR1: 138, SEGV: 139, TERM: 143, KILL: 137 }))(
    "has 128 plus the number of the signal %s",
    async (signal, exitCode) => {
      expect(await shell(`kill -${signal} $$`)).toMatchObject({ ending: "exit", exitCode })
    },
  )

  test("keeps half of the bytes from the beginning and half from the end", async () => {
    expect(await command("printf 0123456789abcdef", { limits: { keptOutput: 8 } })).toMatchObject({
      ending: "exit",
      head: "0123",
      tail: "cdef",
      omitted: 8,
    })
  })

  test.each([
    ["printf 0123456789", "exit"],
    ["printf 01234567890", "output-limit"],
    ["printf 01234; printf 56789 >&2", "exit"],
    ["printf 012345; printf 67890 >&2; sleep 1000", "output-limit"],
  ])("counts output and errors together: %s", async (text, ending) => {
    expect(await shell(text, { limits: { output: 10 } })).toMatchObject({ ending })
  })
})

describe("a command has", () => {
  test("the mark of its host and the environment that it was given", async () => {
    const environment = { ...input().environment, GIVEN: "value" }
    expect(await command('echo "$CADRE_HOST $GIVEN"', { environment })).toMatchObject({
      head: `${hostValue} value\n`,
    })
  })

  test("the text of its input, or an empty one", async () => {
    expect(await command("cat", { input: "given" })).toMatchObject({ head: "given", exitCode: 0 })
    expect(await command("cat")).toMatchObject({ head: "", exitCode: 0 })
  })

  test("a session of its own, in its folder", async () => {
    const { head } = (await command('pwd; ps -o sid= -p "$$"; echo "$$"')) as { readonly head: string }
    const [folder, session, id] = head.split("\n").map((line) => line.trim())
    expect([folder, session]).toEqual([root, id])
  })

  test("limits for files and memory dumps", async () => {
    expect(await command("ulimit -c; ulimit -f")).toMatchObject({ head: "0\n1048576\n" })
    expect(await command("ulimit -f", { limits: { fileSize: 4096 } })).toMatchObject({ head: "4\n" })
    expect(await shell("ulimit -f", { limits: { fileSize: 4096 } })).toMatchObject({ head: "8\n" })
  })

  test.runIf(process.platform === "linux")(
    "a watchdog beside its host, which knows the mark and the folders",
    async () => {
      await command("true")
      const watchdogs = fs.readdirSync("/proc").flatMap((id) => {
        try {
          const parent = fs.readFileSync(`/proc/${id}/stat`, "latin1").split(") ")[1]!.split(" ")[1]
          const [, words] = fs.readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0cadre-watchdog\0")
          return parent === String(process.pid) && words !== undefined ? [words.split("\0").slice(0, -1)] : []
        } catch {
          return []
        }
      })
      expect(watchdogs).toEqual([[hostName, hostValue, ...listStandInFolders(process.env)]])
    },
  )
})

describe("a command is ended", () => {
  test("with SIGTERM when its time is over", async () => {
    expect(await shell("exec sleep 1000", { timeout: 50 })).toMatchObject({
      ending: "timeout",
      exitCode: 143,
    })
  })

  test("with SIGKILL when it ignores SIGTERM", async () => {
    expect(
      await shell("trap '' TERM; while :; do sleep 0.05; done", { timeout: 50, limits: { grace: 50 } }),
    ).toMatchObject({ ending: "timeout", exitCode: 137 })
  })

  test("when its caller aborts it", async () => {
    const controller = new AbortController()
    const result = shell("echo started; exec sleep 1000", {
      signal: controller.signal,
      talk: { onStart: () => {}, onOutput: () => controller.abort() },
    })
    expect(await result).toMatchObject({ ending: "aborted", exitCode: 143 })
  })

  test("not before a time that no timer can hold", async () => {
    expect(await command("sleep 0.2; echo whole", { timeout: 2 ** 40 })).toMatchObject({
      ending: "exit",
      head: "whole\n",
    })
  })

  test("with the processes that it has left behind, whatever their mark or session", async () => {
    const name = `1000.${process.pid}`
    await command(`env -i sleep ${name} & setsid sleep ${name} & echo started`)
    const isLeft = (id: string) => {
      try {
        return fs.readFileSync(`/proc/${id}/cmdline`, "latin1").startsWith(`sleep\0${name}`)
      } catch {
        return false
      }
    }
    await expect.poll(() => fs.readdirSync("/proc").filter(isLeft)).toEqual([])
  })

  const group = capProcesses(1)
  group?.remove()
  test.runIf(group !== undefined)("when root starts more processes than are allowed", async () => {
    const text = "for i in $(seq 60); do sleep 1000 & done; wait; sleep 1000"
    expect(await command(text, { limits: { processes: 20 } })).toMatchObject({ ending: "process-limit" })
    expect(
      await command("for i in $(seq 10); do true & done; wait", { limits: { processes: 20 } }),
    ).toMatchObject({ ending: "exit", exitCode: 0 })
  })
})

test("a talk hears all output, and keeps only the errors", async () => {
  const chunks: Buffer[] = []
  const result = await shell("cat; echo wrong >&2", {
    limits: { output: 3 },
    talk: {
      onStart: (stream) => void stream.end("a long message"),
      onOutput: (chunk) => void chunks.push(chunk),
    },
  })
  expect(Buffer.concat(chunks).toString()).toBe("a long message")
  expect(result).toEqual({
    ending: "exit",
    exitCode: 0,
    ...nothing,
    errors: { ...nothing, head: "wrong\n" },
    unsandboxed,
  })
})

describe("without a sandbox", () => {
  const availableSandbox = { problem: "there is none" }

  test("a command that requires one is refused", async () => {
    expect(await command("touch made", { sandbox: "required", availableSandbox })).toEqual({
      refused: expect.stringContaining("a sandbox is required, but there is none"),
    })
    expect(fs.existsSync(path.join(root, "made"))).toBe(false)
  })

  test("a command that prefers one runs, and its result has the reason", async () => {
    expect(await command("echo ran", { sandbox: "preferred", availableSandbox })).toMatchObject({
      head: "ran\n",
      unsandboxed: "there is none",
    })
  })
})

describe("refused before it runs is", () => {
  test("a command whose caller has aborted it", async () => {
    expect(await command("true", { signal: AbortSignal.abort() })).toEqual({
      refused: expect.stringContaining("stopping"),
    })
  })

  test.each([
    [120_000, false],
    [120_001, true],
  ])("a command or an argument of %d bytes: %s", async (length, isRefused) => {
    // Characters of two bytes: bytes are counted, not characters.
    const text = `: ${"\u00e4".repeat(50_000)}`
    const exact = text + "x".repeat(length - Buffer.byteLength(text))
    expect("refused" in (await command(exact))).toBe(isRefused)
    expect("refused" in (await shell(exact))).toBe(isRefused)
  })

  test("a command or an argument with a NUL character", async () => {
    for (const run of [command, shell])
      expect(await run("echo a\0b")).toEqual({ refused: expect.stringContaining("NUL") })
  })
})
