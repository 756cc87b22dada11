/**
 * Compares what `findShellAccesses` says about commands with what bash makes of them: made-up commands that are clear to the
 * checker run in bash, in a sandbox where every program only notes how it was called. No program may run, and no file
 * appear, that was not listed. `tsx scripts/shell-fuzz.ts --count N [--seed S]`; the last line is JSON.
 */
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import type { Access } from "../src/agent/tool.ts"
import { createGenerator } from "../src/faces/testing/random.ts"
import { parseCommand } from "../src/world/shell/parse.ts"
import { quoteWords } from "../src/world/shell/quote.ts"
import { resolveWord } from "../src/world/shell/resolve-word.ts"
import { findShellAccesses } from "../src/world/shell/shell-accesses.ts"
import { commandMaker, programs } from "./shell-fuzz/make-command.ts"

export interface ShellFuzzResult {
  readonly count: number
  readonly seed: number
  /** Clear to the checker, and run in bash. */
  readonly clear: number
  /** Calls of programs and of what bash does itself that were seen. */
  readonly calls: number
  readonly faults: readonly string[]
}

const batchSize = 500
const wrappers = ["bash", "dash", "env", "timeout", "nice", "nohup", "setsid", "stdbuf", "sleep", "mkdir"]
const stubs = [...programs, "sudo", "cp", "[", "a b"]

export async function shellFuzz(count: number, seed: number): Promise<ShellFuzzResult> {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-shell-fuzz-")))
  try {
    prepare(folder)
    const make = commandMaker(createGenerator(seed))
    const result = { count, seed, clear: 0, calls: 0, faults: [] as string[] }
    for (let done = 0; done < count && result.faults.length < 20; done += batchSize) {
      const cases: Case[] = []
      for (let index = done; index < Math.min(count, done + batchSize); index++) {
        const command = make()
        const cwd = path.join(folder, "w", String(index))
        const accesses = await findShellAccesses(command, { cwd, home: "/home/u" })
        if (accesses.every(({ type }) => type !== "unclear" && type !== "dangerous"))
          cases.push({ index, command, cwd, accesses })
      }
      result.clear += cases.length
      result.calls += runBatch(folder, cases, result.faults)
    }
    return result
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

interface Case {
  readonly index: number
  readonly command: string
  readonly cwd: string
  readonly accesses: readonly Access[]
}

function prepare(folder: string): void {
  for (const name of ["bin", "log", "w"]) fs.mkdirSync(path.join(folder, name))
  for (const name of wrappers) fs.copyFileSync(`/usr/bin/${name}`, path.join(folder, "bin", name))
  fs.symlinkSync("dash", path.join(folder, "bin/sh"))
  const note = `#!/usr/bin/dash\nprintf '%s\\0' "\${0##*/}" "$@" > ${folder}/log/\${FUZZ_CASE:-none}.$$\n`
  for (const name of stubs) fs.writeFileSync(path.join(folder, "bin", name), note, { mode: 0o755 })
  const drive = `while IFS= read -r -d '' id && IFS= read -r -d '' command; do
  cd ${folder}/w/$id
  FUZZ_CASE=$id BASH_XTRACEFD=8 timeout -s KILL 3 bash --noprofile --norc -x -c "$command" 8>${folder}/log/$id.trace </dev/null >/dev/null 2>&1
done 2>/dev/null <${folder}/commands
sleep 0.3\n`
  fs.writeFileSync(path.join(folder, "drive"), drive)
}

/** Runs the commands in bash and returns the number of calls that were seen. */
function runBatch(folder: string, cases: readonly Case[], faults: string[]): number {
  fs.writeFileSync(
    path.join(folder, "commands"),
    cases.map(({ index, command }) => `${index}\0${command}\0`).join(""),
  )
  for (const { cwd } of cases) fs.mkdirSync(path.join(cwd, "sub"), { recursive: true })
  const ended = spawnSync("/usr/bin/bwrap", sandbox(folder), {
    encoding: "utf8",
    timeout: 300_000,
    stdio: ["ignore", "pipe", "pipe"],
  })
  if (ended.status !== 0) throw new Error(`The batch did not run to its end: ${ended.stderr}`)
  const logs = fs.readdirSync(path.join(folder, "log"))
  const byCase = new Map<string, string[]>()
  for (const name of logs) {
    const index = name.slice(0, name.indexOf("."))
    byCase.set(index, [...(byCase.get(index) ?? []), name])
  }
  let calls = 0
  for (const one of cases) {
    // A word with such a line in it would look like one of the trace.
    const traced = !one.command.includes("\n+")
    const names = (byCase.get(String(one.index)) ?? []).filter((name) => traced || !name.endsWith(".trace"))
    const seen = names.flatMap((name) => readLog(path.join(folder, "log", name)))
    calls += seen.length
    judge(one, seen, faults)
    fs.rmSync(one.cwd, { recursive: true, force: true })
  }
  for (const name of logs) fs.rmSync(path.join(folder, "log", name))
  return calls
}

function sandbox(folder: string): string[] {
  const system = ["/usr/lib", "/usr/lib64"]
    .filter((place) => fs.existsSync(place))
    .flatMap((place) => ["--ro-bind", place, place])
  return [
    ...[
      "--unshare-all",
      "--die-with-parent",
      "--new-session",
      "--clearenv",
      "--dev",
      "/dev",
      "--proc",
      "/proc",
    ],
    ...system,
    ...["--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin", "/bin"],
    ...["--bind", folder, folder, "--ro-bind", path.join(folder, "bin"), "/usr/bin", "--dir", "/home/u"],
    ...["--setenv", "PATH", "/usr/bin", "--setenv", "HOME", "/home/u", "--setenv", "LANG", "C.UTF-8"],
    ...["/usr/bin/bash", "--noprofile", "--norc", path.join(folder, "drive")],
  ]
}

/** The calls in a log: one of a program, or those that bash traced. */
function readLog(file: string): readonly (readonly string[])[] {
  const text = fs.readFileSync(file, "utf8")
  if (!file.endsWith(".trace")) return text === "" ? [] : [text.split("\0").slice(0, -1)]
  return text.split("\n").flatMap((line) => {
    const traced = /^\++ (.*)$/s.exec(line)?.[1]
    if (traced === undefined || /^(?:[A-Za-z_]\w*\+?=|for )/.test(traced)) return []
    const [chain] = parseCommand(traced, "bash").list
    const command = chain?.first.commands[0]
    if (command?.type !== "simple") return []
    return [
      command.words.map(
        (word) =>
          resolveWord(word, { dialect: "bash", folders: undefined, variables: new Map() }).value ?? "?",
      ),
    ]
  })
}

function judge(
  { command, cwd, accesses }: Case,
  seen: readonly (readonly string[])[],
  faults: string[],
): void {
  const listed = new Set(accesses.flatMap((access) => (access.type === "command" ? [access.text] : [])))
  const loose = [...listed].filter((text) => /[*?[]|\$[?$#]/.test(text))
  const fault = (what: string) =>
    faults.push(`${what} in ${JSON.stringify(command)}; listed: ${JSON.stringify(accesses)}`)
  for (const [program = "", ...words] of seen) {
    const name = (program.startsWith("/") ? program.replace(/\/+/g, "/") : program).replace(
      /^(?:\/usr)?\/bin\/([^/]+)$/,
      "$1",
    )
    const text = quoteWords([name, ...words])
    if (!listed.has(text) && !loose.some((known) => known.startsWith(`${quoteWords([name])} `)))
      fault(`ran ${text}`)
  }
  const written = new Set(accesses.flatMap((access) => (access.type === "write" ? [access.path] : [])))
  for (const name of fs.readdirSync(cwd, { recursive: true, encoding: "utf8" })) {
    const file = path.join(cwd, name)
    if (fs.statSync(file).isFile() && !written.has(file)) fault(`wrote ${JSON.stringify(name)}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const option = (name: string, otherwise: number) => {
    const place = process.argv.indexOf(`--${name}`)
    return place < 0 ? otherwise : Number(process.argv[place + 1])
  }
  const result = await shellFuzz(option("count", 2_000), option("seed", 164))
  console.log(JSON.stringify(result, undefined, 2))
  console.log(JSON.stringify({ ...result, faults: result.faults.length }))
  if (result.faults.length > 0) process.exitCode = 1
}
