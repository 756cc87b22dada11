// Agents against a hand-written loop over fetch: turns, delegation, fan-out and children that wait.
import { fileURLToPath } from "node:url"
import { measureInTurn } from "../lib/measure.mjs"
import { summary } from "../lib/statistics.mjs"

const place = (file) => fileURLToPath(new URL(file, import.meta.url))
const floors = {
  "raw fetch": place("../floors/raw-fetch.mjs"),
  "raw fetch SSE": place("../floors/raw-fetch-stream.mjs"),
}
const ours = { JSON: place("../adapter.mjs"), SSE: place("../adapter-stream.mjs") }
/** Each mode is compared with the floor of the same mode. */
const pairs = [
  ["JSON", "raw fetch"],
  ["SSE", "raw fetch SSE"],
]

export const turnParameters = { turns: 50, warm: 8, repetitions: 7, maxMs: 40_000 }
export const delegateParameters = { count: 200, warm: 400 }
export const fanoutParameters = { count: 1_000, concurrency: 64, warm: 2, probe: 200 }
export const liveParameters = { count: 1_000, delay: 60_000, maxMs: 50_000 }

export async function turns({ rounds, tell }) {
  const adapters = { ...floors, ...ours, JSONL: place("../adapter-jsonl.mjs") }
  const results = await measureInTurn("turns", turnParameters, adapters, rounds, tell)
  const bar = (mine, floor) => ratio(results, mine, floor, "msPerTurn")
  return [
    ["50 turns, JSON, x raw fetch", bar("JSON", "raw fetch"), 1],
    ["50 turns, SSE, x raw fetch SSE", bar("SSE", "raw fetch SSE"), 1],
    ["50 turns, JSONL store, x raw fetch", bar("JSONL", "raw fetch"), 1.3],
  ]
}

export async function delegate({ rounds, tell }) {
  const adapters = { ...floors, ...ours }
  const results = await measureInTurn("delegate", delegateParameters, adapters, rounds, tell)
  return pairs.map(([mode, floor]) => [
    `delegation, ${mode}, x ${floor}`,
    ratio(results, mode, floor, "msEach"),
    1.1,
  ])
}

export async function fanout({ rounds, tell }) {
  const adapters = { ...floors, ...ours }
  const results = await measureInTurn("fanout", fanoutParameters, adapters, fewer(rounds), tell)
  return pairs.map(([mode, floor]) => {
    // More at once than asked for is another race.
    const isLimited = results[mode].every(({ maxOpen }) => maxOpen <= fanoutParameters.concurrency)
    const measured = ratio(results, mode, floor, "wall")
    const shown = isLimited ? measured : { ...measured, value: Number.NaN }
    return [`fan-out 1000, 64 at once, ${mode}, x ${floor}`, shown, 1.1]
  })
}

export async function live({ rounds, tell }) {
  const results = await measureInTurn("live", liveParameters, ours, fewer(rounds), tell)
  const bar = (mode, field) => summary(results[mode].map((round) => round[field]))
  return [
    ["1000 live children, JSON, KB RSS each", bar("JSON", "rssKilobytesEach"), 50],
    ["1000 live children, SSE, KB RSS each", bar("SSE", "rssKilobytesEach"), 50],
    ["1000 live children, JSON, KB heap each", bar("JSON", "heapKilobytesEach"), 20],
    ["1000 live children, SSE, KB heap each", bar("SSE", "heapKilobytesEach"), 20],
  ]
}

/** The median over rounds of ours divided by the floor of the same round. */
function ratio(results, mine, floor, field) {
  return summary(results[mine].map((round, index) => round[field] / results[floor][index][field]))
}

/** These rounds are long and vary little. */
const fewer = (rounds) => Math.max(1, rounds - 1)
