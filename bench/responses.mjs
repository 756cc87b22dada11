// 50 turns of responses, ours divided by the floor of the same round, JSON and SSE, in so many rounds that take turns.
// Each measurement has a process and a server of its own. Prints one JSON line.
import { fork, spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const place = (file) => fileURLToPath(new URL(file, import.meta.url))
const worker = place("../../shared/bench/lib/worker.mjs")
// A client of ours has more code to warm up than fetch, which is part of Node.
const parameters = JSON.stringify({ turns: 50, warm: 20, reps: 9, maxMs: 40_000 })
const rounds = Number(process.argv[2] ?? 9)

const result = { json: { wall: [], cpu: [] }, sse: { wall: [], cpu: [] } }
for (let round = 0; round < rounds; round++)
  for (const [mode, suffix] of [
    ["json", ""],
    ["sse", "-stream"],
  ]) {
    const floor = await measured(`raw-responses${suffix}.mjs`)
    const ours = await measured(`adapter-responses${suffix}.mjs`)
    result[mode].wall.push(ours.msPerTurn / floor.msPerTurn)
    result[mode].cpu.push(ours.cpuPerTurn / floor.cpuPerTurn)
  }
console.log(JSON.stringify(result))

async function measured(adapter) {
  const server = fork(place("responses-server.mjs"))
  const url = await new Promise((resolve) => server.once("message", resolve))
  const words = ["--expose-gc", worker, place(adapter), url, "turns", parameters]
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" })
  server.disconnect()
  const line = stdout.split("\n").find((text) => text.startsWith("@@"))
  const value = line ? JSON.parse(line.slice(2)) : { error: stderr }
  if (!value.ok || value.requestsPerRun !== value.expectRequests) throw new Error(JSON.stringify(value))
  return value
}
