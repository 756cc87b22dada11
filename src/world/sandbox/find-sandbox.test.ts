import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, expect, test } from "vitest"
import { findFolderSandbox, lookForSandbox } from "./find-sandbox.ts"
import { findMissingFilterReason } from "./system-call-filter.ts"

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "find-"))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const shell = fs.realpathSync("/bin/sh")

test.skipIf(process.platform !== "linux" || findMissingFilterReason() !== undefined)(
  "a sandbox is a file of root's that nobody else could have changed",
  () => {
    const own = path.join(folder, "bwrap")
    fs.writeFileSync(own, "#!/bin/sh\n")
    const missing = {
      problem: expect.stringMatching(/not installed \(.*\).*package "bubblewrap".?$/),
    }
    expect(lookForSandbox([shell])).toEqual({ path: shell })
    expect(lookForSandbox(["/none", "/usr", shell])).toEqual({ path: shell })
    expect(lookForSandbox(["/usr"])).toEqual(missing)
    expect(lookForSandbox(["/none"])).toEqual(missing)
    for (const mode of [0o777, 0o775, 0o757]) {
      fs.chmodSync(own, mode)
      expect(lookForSandbox([own])).toEqual(missing)
    }
    fs.chmodSync(own, 0o755)
    expect(lookForSandbox([own])).toEqual(process.getuid?.() === 0 ? { path: own } : missing)
  },
)

test.each([
  [{ platform: "darwin", arch: "x64" }, "darwin"],
  [{ platform: "linux", arch: "mips" }, "mips"],
] as const)("on the machine %j there is none, whatever is installed", (machine, name) => {
  expect(lookForSandbox([shell], machine)).toEqual({ problem: expect.stringContaining(name) })
})

test("where the whole system is worked in there is none", async () => {
  expect(await findFolderSandbox("/")).toEqual({ problem: expect.stringContaining("the whole system") })
  const link = path.join(folder, "root")
  fs.symlinkSync("/", link)
  expect(await findFolderSandbox(link)).toEqual({ problem: expect.stringContaining("the whole system") })
})
