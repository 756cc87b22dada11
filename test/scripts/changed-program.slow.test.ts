import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import type { ToolContext } from "../../src/agent/tool.ts"
import { readScriptFile } from "../../src/definitions/scripts/read-script-file.ts"
import { runProgramScript } from "../../src/world/scripts/run-program.ts"
import { openToolWorkspace } from "../../src/world/tools/workspace.ts"
import { temporaryFolder } from "../file-kit.ts"

test.each(["kept", "changed", "removed"])(
  "a program that is %s between its check and its start runs only as it was checked",
  async (state) => {
    const folder = temporaryFolder({ "mark.sh": "#!/bin/sh\necho 1\n" })
    const file = path.join(folder, "mark.sh")
    fs.chmodSync(file, 0o755)
    const reading = readScriptFile(file)
    if (reading.type !== "script") throw new Error(reading.message)
    const context = {
      cwd: folder,
      signal: new AbortController().signal,
      forbidden: () => [],
      // The rules are asked after the script was read, and before it starts.
      permits: () => {
        if (state === "changed") fs.writeFileSync(file, "#!/bin/sh\ntouch marked\necho 2\n")
        if (state === "removed") fs.rmSync(file)
        return true
      },
    } as unknown as ToolContext
    const result = await runProgramScript(
      reading.script,
      {},
      {
        context,
        workspace: openToolWorkspace({ root: folder }),
        command: { root: folder, sandbox: "off" },
        evidence: { read: [], files: [], commands: [] },
      },
    )
    expect(result).toEqual(
      state === "kept"
        ? { error: false, value: 1 }
        : { error: true, code: "LOAD_ERROR", message: expect.stringContaining(file) },
    )
    expect(fs.existsSync(path.join(folder, "marked"))).toBe(false)
  },
)
