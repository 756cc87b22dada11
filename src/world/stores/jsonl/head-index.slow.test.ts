import { type ChildProcess, spawn } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { directory, filled, listed, truth } from "../../../../test/stores/heads-kit.ts"

test("processes that list, end and take up runs at once, and are killed at any moment, leave a right list", async () => {
  await filled(12)
  const program = path.join(directory, "..", `${path.basename(directory)}.mts`)
  fs.writeFileSync(program, workerText)
  try {
    for (let round = 0; round < 4; round++) {
      const workers = [0, 1, 2].map(() =>
        spawn(process.execPath, ["--import", "tsx", program, directory], {
          cwd: path.resolve(import.meta.dirname, "../../../.."),
          stdio: ["ignore", "pipe", "inherit"],
        }),
      )
      await Promise.all(workers.map(working))
      for (let moment = 0; moment < 20 * round; moment++)
        await new Promise((resolve) => setImmediate(resolve))
      for (const worker of workers) worker.kill("SIGKILL")
      await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once("close", resolve))))
      for (const query of [{ status: "open" }, { status: "ended", limit: 5 }, {}])
        expect(await listed(query)).toEqual(await truth(query))
    }
  } finally {
    fs.rmSync(program)
  }
})

const working = (worker: ChildProcess) => new Promise((resolve) => worker.stdout!.once("data", resolve))

const workerText = `
import { jsonlStore } from ${JSON.stringify(path.resolve(import.meta.dirname, "../jsonl.ts"))}
import { createRunId } from ${JSON.stringify(path.resolve(import.meta.dirname, "../../../run/log/id.ts"))}
import { appendFileSync } from "node:fs"
const [, , directory] = process.argv
const store = jsonlStore({ directory })
for (let number = 0; ; number++) {
  const run = createRunId(Date.now())
  await store.create({ run, seq: 0, at: 1, v: 2, type: "run-start", agent: "new" })
  const claim = await store.claim(run)
  await store.append(claim, [{ run, seq: 1, at: 2, v: 2, type: "run-end", outcome: { type: "completed" } }])
  await store.release(claim)
  const heads = []
  for await (const head of store.list({ status: "ended" })) heads.push(head)
  const again = await store.claim(heads[number % heads.length].run)
  if (again.epoch) await store.release(again)
  if (number % 3 === 0) appendFileSync(directory + "/heads.jsonl", '{"crc":"0000')
  process.stdout.write(".")
}
`
