import fs from "node:fs"
import path from "node:path"
import { afterAll, expect, test } from "vitest"
import type { Claim } from "../../src/run/log/store.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { event, killAll, newRun, temporaryFolder, Worker } from "./harness.ts"

const base = temporaryFolder()
afterAll(async () => {
  await killAll()
  fs.rmSync(base, { recursive: true, force: true })
})

test("of two processes that race for one key one holds it, in every round", async () => {
  const directory = path.join(base, "race")
  const workers = [1, 2].map(() => new Worker({ directory }))
  for (let round = 0; round < 50; round++) {
    const runs = workers.map(newRun)
    const answers = await Promise.all(
      workers.map(async (worker, index) => {
        const answer = await worker.call<"held" | { run: string }>("hold", runs[index], "nightly")
        // The loser may look before the winner has its log, or after: neither lets it in.
        if (answer === "held") await worker.call("create", event(runs[index]!, 0))
        return answer
      }),
    )
    const winner = answers.indexOf("held")
    expect(answers).toEqual(workers.map((_, index) => (index === winner ? "held" : { run: runs[winner] })))
    const claim = await workers[winner]!.call<Claim>("claim", runs[winner])
    await workers[winner]!.call("append", claim, [event(runs[winner]!, 1, { type: "run-end" })])
    await workers[winner]!.call("release", claim)
  }
  await Promise.all(workers.map((worker) => worker.kill()))
})

test("a key dies with the process that never created its run, and outlives one that did", async () => {
  const directory = path.join(base, "dead")
  const store = jsonlStore({ directory })
  const [unborn, next, last] = [newRun(), newRun(), newRun()]
  const first = new Worker({ directory })
  expect(await first.call("hold", unborn, "k")).toBe("held")
  expect(await store.hold(next, "k")).toEqual({ run: unborn })
  await first.kill()
  const second = new Worker({ directory })
  expect(await second.call("hold", next, "k")).toBe("held")
  await second.call("create", event(next, 0))
  await second.kill()
  expect(await store.hold(last, "k")).toEqual({ run: next })
  await store.close()
})

test("a key that is used for years takes a few small files, for this user alone", async () => {
  const directory = path.join(base, "years")
  const store = jsonlStore({ directory })
  for (let round = 0; round < 60; round++) {
    const run = newRun()
    await store.hold(run, "k")
    await store.letGo(run, "k")
  }
  const [folder, ...others] = fs.readdirSync(path.join(directory, "keys"))
  expect(others).toEqual([])
  const files = fs.readdirSync(path.join(directory, "keys", folder!))
  expect(files.sort((left, right) => Number(left) - Number(right))).toEqual(
    Array.from({ length: 16 }, (_, index) => String(105 + index)),
  )
  expect(fs.statSync(path.join(directory, "keys", folder!, "120")).mode & 0o777).toBe(0o600)
  expect(fs.statSync(path.join(directory, "keys", folder!)).mode & 0o777).toBe(0o700)
  await store.close()
})
