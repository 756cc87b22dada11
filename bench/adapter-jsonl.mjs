import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { jsonlStore } from "../dist/index.mjs"
import { createAdapter } from "./_adapter.mjs"

// Only the price of durable turns has a bar.
// biome-ignore format: the bench finds this line by the semicolon at its end
export const meta = { name: "cadre (JSON, JSONL store)", peer: null, packages: [], mode: "json", notes: "", skip: ["delegate", "fanout", "live"] };

export const create = createAdapter({
  stream: "json",
  store: () => {
    const directory = mkdtempSync(join(tmpdir(), "cadre-bench-"))
    process.on("exit", () => rmSync(directory, { recursive: true, force: true }))
    return jsonlStore({ directory })
  },
})
