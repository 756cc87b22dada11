import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { jsonlStore } from "../dist/index.mjs"
import { createAdapter } from "./_adapter.mjs"

export const create = createAdapter({
  stream: "json",
  store: () => {
    const directory = mkdtempSync(join(tmpdir(), "cadre-bench-"))
    process.on("exit", () => rmSync(directory, { recursive: true, force: true }))
    return jsonlStore({ directory })
  },
})
