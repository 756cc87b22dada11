// The MCP server of the tree `mcp`: node mcp-server.mjs LEDGER. Every call takes a while between the two lines that it
// writes into the ledger; its arguments say whose call it is. A call that reads asks for a reply of the model between them.
import fs from "node:fs"
import { createInterface } from "node:readline"

const ledger = process.argv[2]
/** The hints from which the effect class of a tool follows. */
const tools = {
  read: { readOnlyHint: true },
  idempotent: { readOnlyHint: false, idempotentHint: true },
  opaque: { readOnlyHint: false },
}

const waiting = new Map()

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === undefined) return waiting.get(id)?.()
  switch (method) {
    case "initialize":
      return answer(id, {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "ledger", version: "1" },
      })
    case "tools/list":
      return answer(id, { tools: Object.entries(tools).map(describe) })
    case "tools/call":
      return work(id, params)
    default:
      if (id !== undefined) send({ id, error: { code: -32_601, message: "no such method" } })
  }
})

function describe([name, annotations]) {
  return { name, description: name, inputSchema: { type: "object" }, annotations }
}

function work(id, { name, arguments: { run, call, most } }) {
  fs.appendFileSync(ledger, `${run} ${call} ${name} start\n`)
  const end = () => {
    fs.appendFileSync(ledger, `${run} ${call} ${name} end\n`)
    const text = `did ${name} ${"x".repeat(name === "idempotent" ? 60_000 : 0)}`
    answer(id, { content: [{ type: "text", text }] })
  }
  setTimeout(() => (name === "read" ? askModel(run, end) : end()), Math.random() * most)
}

/** Goes on with the reply, and also with an error. */
function askModel(run, next) {
  const id = `s${waiting.size}`
  waiting.set(id, next)
  const messages = [{ role: "user", content: { type: "text", text: `What next for ${run}?` } }]
  send({ id, method: "sampling/createMessage", params: { messages, maxTokens: 50 } })
}

function answer(id, result) {
  send({ id, result })
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
}
