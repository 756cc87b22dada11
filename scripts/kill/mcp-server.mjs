// The MCP server of the tree `mcp`: node mcp-server.mjs LEDGER. Every call takes a while between the two lines that it
// writes into the ledger; its arguments say whose call it is.
import fs from "node:fs"
import { createInterface } from "node:readline"

const ledger = process.argv[2]
/** The hints from which the effect class of a tool follows. */
const tools = {
  read: { readOnlyHint: true },
  idempotent: { readOnlyHint: false, idempotentHint: true },
  opaque: { readOnlyHint: false },
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
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
  setTimeout(() => {
    fs.appendFileSync(ledger, `${run} ${call} ${name} end\n`)
    const text = `did ${name} ${"x".repeat(name === "idempotent" ? 60_000 : 0)}`
    answer(id, { content: [{ type: "text", text }] })
  }, Math.random() * most)
}

function answer(id, result) {
  send({ id, result })
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
}
