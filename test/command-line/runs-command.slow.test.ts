import { spawn } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"

import { idsOf, json, made, state } from "./runs-kit.ts"

test("removals that are killed leave no damaged run, and the next prune finishes them", async () => {
  for (let index = 0; index < 12; index++) await made(40 + index)
  const program = path.join(state, "remove.mts")
  fs.writeFileSync(
    program,
    `import { jsonlStore } from ${JSON.stringify(path.resolve(import.meta.dirname, "../../src/world/stores/jsonl.ts"))}
const store = jsonlStore({ directory: ${JSON.stringify(path.join(state, "runs"))} })
for await (const { run } of store.list()) {
  process.stdout.write(".")
  await store.remove(run, { ended: true })
}`,
  )
  for (let round = 0; round < 4; round++) {
    const child = spawn(process.execPath, ["--import", "tsx", program], {
      cwd: path.resolve(import.meta.dirname, "../.."),
      stdio: ["ignore", "pipe", "inherit"],
    })
    await new Promise((resolve) => child.stdout.once("data", resolve))
    for (let moment = 0; moment < 3 * round; moment++) await new Promise((resolve) => setImmediate(resolve))
    child.kill("SIGKILL")
    await new Promise((resolve) => child.once("close", resolve))
    for (const run of (await json()).runs) expect(run).toMatchObject({ outcome: "completed", turns: 1 })
  }
  // As it is left by a process that died between its claim and the removal of the folder.
  const half = idsOf((await json()).runs)[0]!
  const { linkRemoval } = await import("../../src/world/stores/jsonl/claim-tree.ts")
  const { realDisk } = await import("../../src/world/stores/jsonl/disk.ts")
  const folder = path.join(state, "runs", half)
  await linkRemoval({ disk: realDisk, root: half, folder } as never, 2)
  expect(idsOf((await json()).runs)).not.toContain(half)
  await json("prune", "--older-than", "30d")
  expect(fs.readdirSync(path.join(state, "runs"))).toEqual(["heads.jsonl"])
})
