import { execFile, execFileSync, spawn, spawnSync } from "node:child_process"
import { expect, test } from "vitest"
import { started } from "../no-processes.ts"

test.each([
  ["spawn", () => spawn("true")],
  ["execFile", () => execFile("true")],
  ["spawnSync", () => spawnSync("true")],
  ["execFileSync", () => execFileSync("true")],
])("a quick test that starts a process by %s fails, and is told where it belongs", (_, start) => {
  expect(start).toThrow(
    /^A quick test starts no process, and this one starts true\. Move it to .*\.slow\.test\.ts/,
  )
  // What is left here fails the file.
  expect(started.splice(0)).toEqual([expect.stringMatching(/: true$/)])
})
