import childProcess, { ChildProcess } from "node:child_process"
import { syncBuiltinESMExports } from "node:module"
import { afterAll, expect } from "vitest"

/**
 * For quick tests: whatever starts a process fails, and so does the file, also where the code under test takes that for a
 * program that is missing.
 */
export const started: string[] = []

const refuse = (program: unknown): never => {
  const test = expect.getState().currentTestName ?? "before the first test"
  started.push(`${test}: ${program}`)
  throw new Error(
    `A quick test starts no process, and this one starts ${program}. Move it to a file named *.slow.test.ts.`,
  )
}

// `spawn`, `exec`, `execFile` and `fork` come to this.
const processes = ChildProcess.prototype as unknown as { spawn: unknown }
processes.spawn = ({ file }: { readonly file: string }) => refuse(file)
Object.assign(childProcess, { spawnSync: refuse, execSync: refuse, execFileSync: refuse })
syncBuiltinESMExports()

afterAll(() => {
  expect(started, "These belong in a file named *.slow.test.ts: see CONTRIBUTING.md.").toEqual([])
})
