// 1,000 calls of an MCP server's echo tool in a run, against the bare client of the protocol's own package.
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { summary } from "../lib/statistics.mjs"

const worker = fileURLToPath(new URL("../lib/mcp-worker.mjs", import.meta.url))
const sides = ["client", "memory", "files"]
// V8 is still compiling both sides in the first calls.
const mcpParameters = { calls: 1_000, warm: 3_000, together: 50 }

export async function mcp({ rounds, tell }) {
  const ratios = { memory: [], files: [] }
  for (let round = 1; round <= rounds; round++) {
    const each = {}
    for (const side of sides) {
      const result = await measureCalls(side, mcpParameters)
      tell(
        `mcp, round ${round} of ${rounds}, ${side}: ${result.reason ?? `${result.msEach.toFixed(3)} ms a call, ${result.cpuEach.toFixed(3)} of the processor`}`,
      )
      each[side] = result.msEach ?? Number.NaN
    }
    for (const side of ["memory", "files"]) ratios[side].push(each[side] / each.client)
  }
  return [
    ["1,000 MCP calls, memory store, x the bare client", summary(ratios.memory), 1.5],
    ["1,000 MCP calls, JSONL store, x the bare client", summary(ratios.files), 2.5],
  ]
}

/** Every side has a process and a server of its own. */
export async function measureCalls(side, parameters) {
  const child = fork(worker, [side, JSON.stringify(parameters)])
  let result = { type: "failed", reason: "Its process ended without a result." }
  child.on("message", (message) => {
    result = message
  })
  await once(child, "close")
  return result
}
