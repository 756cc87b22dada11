/**
 * Shows that the tests write only below their temporary folders and the repository's own build folders: everything else is
 * read-only for them, and every call that meets that is listed. As root: `npm run trace-tests [-- FILE …]`.
 */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { runTraced, type Traced, tracingProblem } from "./trace-tests/run-traced.ts"
import { writableFolders } from "./trace-tests/writable-folders.ts"

const root = path.resolve(import.meta.dirname, "..")
/** They trace by themselves, which takes that nobody else does. */
const tracers = [
  ...[
    "test/authority/hostile.slow.test.ts",
    "test/command-line/dry-run-command.slow.test.ts",
    "test/scripts/trace-tests.slow.test.ts",
  ],
  ...["test/shell/hostile.slow.test.ts", "test/shell/trace-fuzz.slow.test.ts"],
]

const problem = tracingProblem()
if (problem === undefined) process.exitCode = await traceAll(process.argv.slice(2))
else {
  console.error(`The tests cannot be traced: ${problem}.`)
  process.exitCode = 1
}

async function traceAll(files: readonly string[]): Promise<number> {
  const own =
    files.length === 0 ? tracers : tracers.filter((name) => files.some((file) => name.includes(file)))
  const codes = [await trace("trace", files)]
  if (own.length > 0) codes.push(await trace("confine", own))
  return Math.max(...codes)
}

async function trace(way: "trace" | "confine", files: readonly string[]): Promise<number> {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "trace-")))
  try {
    const vitest = path.join(root, "node_modules/vitest/vitest.mjs")
    const words = [process.execPath, vitest, "run", "--testTimeout=180000", "--hookTimeout=180000", ...files]
    const traced = await runTraced(words, {
      cwd: root,
      folder,
      writable: writableFolders(root),
      way,
      shown: "live",
    })
    return report(way, traced)
  } finally {
    // Paths get longer there than Node can name.
    execFileSync("rm", ["-rf", "--", folder])
  }
}

function report(way: string, { code, outside, running, left, processes, calls }: Traced): number {
  const calling = outside.map(({ call, times }) => `${times} × ${call}`)
  list("Changes outside of the temporary folders and the build folders:", calling)
  list("Still running after the tests:", running)
  list("Left in the temporary folder:", left)
  const found = { outside: outside.length, running: running.length, left: left.length }
  console.log(JSON.stringify({ way, code, processes, calls, ...found }))
  return code === 0 && outside.length + running.length + left.length === 0 ? 0 : 1
}

function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log([title, ...lines].join("\n  "))
}
