/**
 * Many runs at a time in processes that are killed, on a model server that fails, until time is up; then everything that
 * must hold of them is checked: `npm run soak -- [--minutes N] [--runs N] [--at-once N] [--seed S]`. The last line is JSON.
 */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import { startModelServer } from "../src/faces/testing/model-server.ts"
import { createGenerator } from "../src/faces/testing/random.ts"
import { jsonlStore } from "../src/world/stores/jsonl.ts"
import { bundleWorker } from "./bundle-worker.ts"
import { Answers } from "./soak/answers.ts"
import { conduct } from "./soak/conduct.ts"
import { judge } from "./soak/judge.ts"
import { leftOver, trendOf, unswept } from "./soak/left.ts"
import { openSoakRuntime, placesIn, prepare } from "./soak/world.ts"

process.once("SIGINT", () => process.exit(130)).once("SIGTERM", () => process.exit(143))
const options = readOptions()
const random = createGenerator(options.seed)
const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-soak-")))
const answers = new Answers({ work: path.join(base, "work") }, random)
const server = await startModelServer({
  script(request) {
    // The server remembers every request, which is not what is measured here.
    ;(server.requests as unknown[]).length = 0
    return answers.answer(request)
  },
  apiKey: "key",
})
const places = placesIn(base, server.url)
prepare(places)
process.env.TMPDIR = places.temporary
const worker = await bundleWorker("soak/worker.ts", base)

const store = jsonlStore({ directory: places.runs })
const runtime = openSoakRuntime(places, store)
const begun = performance.now()
const conducted = await conduct(worker, places, runtime, { ...options, workers: 4, random })
const seconds = Math.round((performance.now() - begun) / 1000)
const verdict = await judge(store, places, conducted.items)
await runtime.close()
await server.close()
// The watchdogs of the last workers take a moment to tidy up after them.
for (let tries = 0; tries < 50 && leftOver(places).length > 0; tries++) await setTimeout(100)
const left = leftOver(places)
const notSwept = unswept(places).length
const memory = trendOf(conducted.memory)
const lost = [...conducted.faults, ...verdict.lost]
const isFlat =
  memory.end.descriptors <= memory.begin.descriptors + 10 &&
  // A short soak has not come to its level yet.
  (seconds < 200 || (memory.heapPerMinute < 1 && memory.rssPerMinute < 4))

for (const [what, list] of Object.entries({ lost, repeated: verdict.repeatedOpaque, left }))
  for (const line of list.slice(0, 20)) console.log(`${what}: ${line}`)
const isRight = lost.length + verdict.repeatedOpaque.length + left.length === 0 && isFlat
if (isRight) fs.rmSync(base, { recursive: true })
else console.log(`It is kept in ${base}`)
console.log(
  JSON.stringify({
    seconds,
    seed: options.seed,
    runs: conducted.items.length,
    trees: verdict.folded,
    kills: conducted.kills,
    deaths: conducted.items.reduce((sum, { deaths }) => sum + deaths, 0),
    modelFaults: answers.faults,
    approvals: conducted.approvals,
    cancels: conducted.cancels,
    outcomes: verdict.outcomes,
    unknown: verdict.unknown,
    lost: lost.length,
    repeatedOpaque: verdict.repeatedOpaque.length,
    left: left.length,
    unswept: notSwept,
    memory,
  }),
)
process.exit(isRight ? 0 : 1)

function readOptions(): { minutes: number; runs: number; atOnce: number; seed: number } {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: "string", default: "1" },
        runs: { type: "string", default: "1000000" },
        "at-once": { type: "string", default: "100" },
        seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
      },
    })
    const number = (name: keyof typeof values) => {
      const value = Number(values[name])
      if (!(value >= 0 && value < 2 ** 32))
        throw new Error(`--${name} must be a number, not "${values[name]}".`)
      return value
    }
    return {
      minutes: number("minutes"),
      runs: Math.ceil(number("runs")),
      atOnce: Math.ceil(number("at-once")),
      seed: number("seed"),
    }
  } catch (error) {
    console.error(
      `${(error as Error).message}\nUsage: npm run soak -- [--minutes N] [--runs N] [--at-once N] [--seed S]`,
    )
    process.exit(2)
  }
}
