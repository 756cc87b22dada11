import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const place = (file) => fileURLToPath(new URL(file, import.meta.url))
const timeoutMs = 240_000
// Peers with telemetry, traces and logs send or print none of them.
const quiet = {
  NODE_ENV: "production",
  DO_NOT_TRACK: "1",
  LANGCHAIN_TRACING_V2: "false",
  LANGSMITH_TRACING: "false",
  LOG_LEVEL: "silent",
  MASTRA_TELEMETRY_DISABLED: "1",
  OPENAI_AGENTS_DISABLE_TRACING: "1",
  OPENAI_API_KEY: "x",
  VOLTAGENT_LOG_LEVEL: "silent",
  VOLTAGENT_TELEMETRY_DISABLED: "1",
}

/**
 * Measures one scenario of one adapter. Every measurement has a process and a model server of its own, so none starts
 * with what another left in memory. Resolves to { type: "measured", … } or { type: "failed", reason }.
 */
export async function measure(adapter, scenario, parameters) {
  const server = fork(place("model-server.mjs"), { stdio: ["ignore", "ignore", "inherit", "ipc"] })
  try {
    const [url] = await once(server, "message")
    return await inWorker(server, [adapter, url, scenario, JSON.stringify(parameters)])
  } finally {
    server.disconnect()
  }
}

/** Measures adapters in turn, round by round, so that whatever else the machine does meets all of them. */
export async function measureInTurn(scenario, parameters, adapters, rounds, tell) {
  const results = Object.fromEntries(Object.keys(adapters).map((name) => [name, []]))
  for (let round = 1; round <= rounds; round++)
    for (const [name, file] of Object.entries(adapters)) {
      const result = await measure(file, scenario, parameters)
      results[name].push(result)
      tell(`${scenario}, round ${round} of ${rounds}, ${name}: ${shown(result)}`)
    }
  return results
}

async function inWorker(server, words) {
  const worker = fork(place("worker.mjs"), words, {
    execArgv: ["--expose-gc"],
    env: { ...process.env, ...quiet },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  })
  let errors = ""
  worker.stderr.on("data", (data) => {
    errors = (errors + data).slice(-2_000)
  })
  let result
  worker.on("message", async (message) => {
    if (message.type !== "question") {
      result = message
      return
    }
    server.send(message.question)
    worker.send((await once(server, "message"))[0])
  })
  const clock = setTimeout(() => worker.kill("SIGKILL"), timeoutMs)
  await once(worker, "close")
  clearTimeout(clock)
  if (result) return result
  const reason = worker.killed
    ? `It took longer than ${timeoutMs / 1000} s.`
    : "Its process ended without a result."
  return { type: "failed", reason: `${reason} ${errors}`.trim() }
}

function shown(result) {
  if (result.type === "failed") return `failed: ${result.reason}`
  return Object.entries(result)
    .filter(([, value]) => typeof value === "number")
    .map(([name, value]) => `${name} ${value.toFixed(2)}`)
    .join(", ")
}
