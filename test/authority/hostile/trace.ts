import { spawn, spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { text } from "node:stream/consumers"
import type { HostileRepository } from "./repository.ts"

const strace = "strace"
const found = spawnSync(strace, ["-qq", "-e", "trace=none", "true"]).status === 0

/** Why nothing is traced here; on CI that is a failure. */
export const traceMissing = found ? undefined : "strace is not installed or does not work"
if (traceMissing !== undefined) {
  if (process.env.CI && !process.env.CADRE_NO_STRACE)
    throw new Error(`What a hostile repository gets to do must be tested on CI, but ${traceMissing}.`)
  console.warn(`SKIPPED: what a hostile repository gets to do is not traced, because ${traceMissing}.`)
}

export interface Traced {
  readonly code: number | null
  readonly output: string
  readonly errors: string
  /** Programs that were run, beside the one that was asked for. */
  readonly run: readonly string[]
  /** Addresses that were connected to, sent to or listened on. */
  readonly reached: readonly string[]
  /** What was opened for writing, made, moved or removed, outside the state folder. */
  readonly changed: readonly string[]
  readonly isHung: boolean
}

const calls = [
  ...["execve", "execveat", "connect", "bind", "sendto", "sendmsg", "open", "openat", "openat2", "creat"],
  ...["unlink", "unlinkat", "rename", "renameat", "renameat2", "mkdir", "mkdirat", "rmdir", "link", "linkat"],
  ...[
    "symlink",
    "symlinkat",
    "mknod",
    "mknodat",
    "truncate",
    "chmod",
    "fchmodat",
    "chown",
    "fchownat",
    "utimensat",
  ],
]

/** A command of cadre, as a process of its own in the repository, with every call of the kernel that matters. */
export async function traced(
  repository: Pick<HostileRepository, "base" | "root" | "state" | "environment">,
  words: readonly string[],
): Promise<Traced> {
  const log = path.join(repository.base, "trace")
  const cadre = path.resolve(import.meta.dirname, "../../../dist/cli.mjs")
  const child = spawn(
    strace,
    [
      "-f",
      "-qq",
      "-s",
      "8192",
      "-o",
      log,
      "-e",
      `trace=${calls.join(",")}`,
      process.execPath,
      cadre,
      ...words,
    ],
    {
      cwd: repository.root,
      env: repository.environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    },
  )
  let isHung = false
  const timer = setTimeout(() => {
    isHung = true
    process.kill(-child.pid!, "SIGKILL")
  }, patience)
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ])
  clearTimeout(timer)
  const made = fs.readFileSync(log, "utf8").split("\n").flatMap(parsed)
  fs.rmSync(log)
  const named = (names: RegExp) => made.filter(({ name }) => names.test(name)).map(({ line }) => line)
  return {
    code,
    output,
    errors,
    isHung,
    run: named(/^exec/).filter((line, index) => index > 0 || !line.includes(`execve("${process.execPath}"`)),
    reached: named(/^(?:connect|bind|send)/),
    changed: made.filter((call) => changes(call) && !isOurs(call, repository.state)).map(({ line }) => line),
  }
}

/** Milliseconds. Under strace a command takes about one second. */
const patience = 30_000

interface Made {
  readonly name: string
  readonly line: string
}

function parsed(line: string): readonly Made[] {
  const name = /^\d+ +(\w+)\(/.exec(line)?.[1]
  // A signal, an end, or the second part of a call that another one interrupted.
  return name === undefined ? [] : [{ name, line }]
}

const changes = ({ name, line }: Made): boolean =>
  !/^(?:exec|connect|bind|send)/.test(name) &&
  (!/^open/.test(name) || /O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)/.test(line))

/** Every path that the call names lies in the state folder, or is nowhere. */
function isOurs({ line }: Made, state: string): boolean {
  const paths = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, name]) => name!)
  return (
    paths.length > 0 &&
    paths.every(
      (name) =>
        name === state ||
        (name.startsWith(`${state}/`) && !name.includes("..")) ||
        name === "/dev/null" ||
        name === "/dev/tty",
    )
  )
}
