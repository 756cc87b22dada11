// One side of the part `mcp`: node mcp-worker.mjs SIDE PARAMETERS. Sends the milliseconds of one call to its parent, or the
// reason why the calls were not done.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const server = fileURLToPath(new URL("mcp-echo-server.mjs", import.meta.url))
const sides = { client: callBare, memory: () => callInRun("memory"), files: () => callInRun("files") }

const usage = { inputTokens: 10, outputTokens: 5 }
const { calls, warm, together } = JSON.parse(process.argv[3])
try {
  process.send({ type: "measured", ...(await sides[process.argv[2]]()) })
  process.disconnect()
} catch (error) {
  // A side that broke off may have left its server open.
  process.send({ type: "failed", reason: String(error?.stack ?? error) }, () => process.exit(1))
}

/** The package's own client and transport, as its documentation has them. */
async function callBare() {
  const { Client } = await import("@modelcontextprotocol/client")
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio")
  const client = new Client({ name: "bench", version: "1" })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }))
  await client.listTools()
  const call = async (number) => {
    const { content } = await client.callTool({ name: "echo", arguments: { words: wordsOf(number) } })
    requireEcho(number, content[0].text)
  }
  let meter
  for (let number = 0; number < warm + calls; number += together) {
    if (number >= warm) meter ??= startMeter()
    await Promise.all(Array.from({ length: together }, (_, index) => call(number + index)))
  }
  const figures = meter()
  await client.close()
  return figures
}

/** A whole run: every call is judged, recorded before and after, and read by the model of the next turn. */
async function callInRun(kind) {
  const { createRuntime, defineAgent, jsonlStore, memoryStore } = await import("../../dist/index.mjs")
  const directory = mkdtempSync(join(tmpdir(), "cadre-bench-"))
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  let meter
  let figures
  const model = {
    id: "instant",
    async stream({ turn, messages }) {
      const first = (turn - 1) * together
      checkLast(messages, first - together)
      if (first >= warm) meter ??= startMeter()
      if (first >= warm + calls) {
        figures = meter()
        return { text: "done", calls: [], usage, stop: "end" }
      }
      return {
        text: "",
        calls: Array.from({ length: together }, (_, index) => askFor(first + index)),
        usage,
        stop: "calls",
      }
    },
  }
  const runtime = createRuntime({
    store: kind === "files" ? jsonlStore({ directory }) : memoryStore(),
    agents: [defineAgent({ name: "worker", instructions: "Work.", tools: ["mcp__srv__echo"] })],
    models: { model },
    mcpServers: {
      srv: {
        command: process.execPath,
        args: [server],
        visible: [fileURLToPath(new URL(".", import.meta.url))],
      },
    },
    limits: { maxTurns: 100_000, maxToolCalls: 100_000, maxConcurrency: together },
  })
  const { output, outcome } = await runtime.run("worker", "Go.").done
  await runtime.close()
  if (output !== "done") throw new Error(JSON.stringify(outcome))
  return figures
}

/** Milliseconds of one call, and those of the processor in this process. */
function startMeter() {
  const [started, used] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(used)
    return { msEach: (performance.now() - started) / calls, cpuEach: (user + system) / 1000 / calls }
  }
}

function wordsOf(number) {
  return `words ${number}`
}

function askFor(number) {
  const words = wordsOf(number)
  return { wire: `w${number}`, tool: "mcp__srv__echo", arguments: JSON.stringify({ words }) }
}

/** The model must have read the answers to the calls of its last turn. */
function checkLast(messages, first) {
  if (first < 0) return
  const answers = [...messages].slice(-together)
  for (const [index, { text }] of answers.entries()) requireEcho(first + index, text.split("\n").at(-1))
}

function requireEcho(number, text) {
  if (text !== wordsOf(number)) throw new Error(`Call ${number} was answered with ${JSON.stringify(text)}.`)
}
