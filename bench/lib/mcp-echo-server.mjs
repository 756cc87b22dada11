// An MCP server with one tool, which sends its words back. It does as little as it can, so that clients are measured.
import { createInterface } from "node:readline"

const tool = {
  name: "echo",
  description: "Sends the words back.",
  inputSchema: { type: "object", properties: { words: { type: "string" } }, required: ["words"] },
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === "initialize")
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "echo", version: "1" },
    })
  else if (method === "tools/list") answer(id, { tools: [tool] })
  else if (method === "tools/call") answer(id, { content: [{ type: "text", text: params.arguments.words }] })
  else send({ id, error: { code: -32_601, message: "no such method" } })
})

function answer(id, result) {
  send({ id, result })
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
}
