// 50 turns of OpenAI's responses against a hand-written loop over fetch: time, and the processor's time.
import { fileURLToPath } from "node:url"
import { measureInTurn } from "../lib/measure.mjs"
import { summary } from "../lib/statistics.mjs"

const place = (file) => fileURLToPath(new URL(file, import.meta.url))
const adapters = {
  "raw fetch": place("../floors/raw-responses.mjs"),
  JSON: place("../adapter-responses.mjs"),
  "raw fetch SSE": place("../floors/raw-responses-stream.mjs"),
  SSE: place("../adapter-responses-stream.mjs"),
}
// V8 is still compiling our client in the first runs; fetch is part of Node. bench/results/benchmarks.md has what 20 of them give.
const parameters = { turns: 50, warm: 60, repetitions: 9, maxMs: 40_000 }
const rounds = 9

export async function responses({ tell }) {
  const results = await measureInTurn("turns", parameters, adapters, rounds, (text) =>
    tell(`responses: ${text}`),
  )
  const bar = (mode, floor, field) =>
    summary(results[mode].map((round, index) => round[field] / results[floor][index][field]))
  return [
    ["50 turns of responses, JSON, x raw fetch", bar("JSON", "raw fetch", "msPerTurn"), 1.05],
    ["50 turns of responses, SSE, x raw fetch SSE", bar("SSE", "raw fetch SSE", "msPerTurn"), 1.05],
    ["50 turns of responses, JSON, CPU, x raw fetch", bar("JSON", "raw fetch", "cpuPerTurn"), 0.9],
    ["50 turns of responses, SSE, CPU, x raw fetch SSE", bar("SSE", "raw fetch SSE", "cpuPerTurn"), 0.9],
  ]
}
