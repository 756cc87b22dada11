// What the story of a run with 5,000 turns takes, next to starting Node alone.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createRuntime, defineAgent, defineTool, jsonlStore } from "../../dist/index.mjs"
import { summary } from "../lib/statistics.mjs"
import { timeNode } from "../lib/time-node.mjs"

const cli = fileURLToPath(new URL("../../dist/cli.mjs", import.meta.url))
const turns = 5_000
const rounds = 9

export async function log({ tell }) {
  const state = mkdtempSync(join(tmpdir(), "cadre-log-"))
  const options = { env: { ...process.env, CADRE_STATE_DIR: state } }
  try {
    tell(`log: a run of ${turns} turns is recorded`)
    await record(join(state, "runs"))
    requireEveryCall(options)
    const ratios = []
    for (let round = 1; round <= rounds; round++) {
      const floor = timeNode(["-e", "0"], options)
      ratios.push(timeNode([cli, "log", "last"], options) / floor)
      tell(`log, round ${round} of ${rounds}: ${ratios.at(-1).toFixed(2)}`)
    }
    return [[`cadre log last, ${turns} turns, x node -e 0`, summary(ratios), 12]]
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}

async function record(directory) {
  let asked = 0
  const usage = { inputTokens: 900, outputTokens: 100, cost: 0.01 }
  const stream = async () => {
    asked++
    return asked > turns
      ? { text: "Done.", calls: [], usage, stop: "end" }
      : {
          text: "",
          calls: [{ wire: `w${asked}`, tool: "look", arguments: `{"n":${asked}}` }],
          usage,
          stop: "calls",
        }
  }
  const runtime = createRuntime({
    store: jsonlStore({ directory }),
    agents: [
      defineAgent({
        name: "worker",
        instructions: "Work.",
        limits: { maxTurns: turns + 10, maxToolCalls: turns + 10 },
      }),
    ],
    tools: [
      defineTool({
        name: "look",
        description: "Looks.",
        effect: "read",
        input: { type: "object", properties: { n: { type: "number" } } },
        execute: ({ n }) => `seen ${n}`,
      }),
    ],
    models: { model: { id: "instant", stream } },
  })
  const { outcome } = await runtime.run("worker", "Look around.").done
  await runtime.close()
  if (outcome?.type !== "completed") throw new Error(`The run ended as ${JSON.stringify(outcome)}.`)
}

/** A story that leaves calls out is no measurement. */
function requireEveryCall(options) {
  const { stdout } = spawnSync(process.execPath, [cli, "log", "last"], {
    ...options,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  })
  const { length } = stdout.split("\n").filter((line) => line.includes("✓ look"))
  if (length !== turns) throw new Error(`cadre log last shows ${length} calls in place of ${turns}.`)
}
