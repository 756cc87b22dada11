// A model server without delay, in a process of its own. It speaks OpenAI's chat completions and responses, as JSON and
// as a stream. It keeps nothing between requests: the model's name says what to answer (lib/script.mjs), and the
// request itself says how many turns are done. It counts requests, so that a library that skips work is found out.
import http from "node:http"
import { chatReply, chatTurnsDone } from "./chat-completions.mjs"
import { responsesReply, responsesTurnsDone } from "./responses.mjs"

const stats = { requests: 0, bytesIn: 0, open: 0, maxOpen: 0 }
const scripts = new Map()

const server = http.createServer((request, response) => {
  const parts = []
  request.on("data", (part) => parts.push(part))
  request.on("end", () => {
    const text = Buffer.concat(parts)
    stats.requests++
    stats.bytesIn += text.length
    stats.open++
    stats.maxOpen = Math.max(stats.maxOpen, stats.open)
    response.on("close", () => stats.open--)
    answer(request.url, text, response)
  })
})
server.keepAliveTimeout = 120_000
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () =>
  process.send(`http://127.0.0.1:${server.address().port}`),
)
process.on("message", (question) => {
  if (question === "reset") Object.assign(stats, { requests: 0, bytesIn: 0, maxOpen: stats.open })
  process.send(stats)
})
process.on("disconnect", () => process.exit(0))

function answer(url, text, response) {
  const protocol = protocolOf(url)
  const body = parsed(text)
  if (!protocol || !body?.model?.startsWith("bench:")) {
    response.writeHead(400, { "content-type": "application/json" })
    return response.end(JSON.stringify({ error: { message: `The bench has no answer to ${url}.` } }))
  }
  const script = scriptOf(body.model)
  const send = () => {
    const reply = protocol.reply(body, script, protocol.turnsDone(body) < script.turns ? "calls" : "text")
    if (!body.stream) return sendJson(response, reply)
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
    response.end(reply)
  }
  if (script.delay > 0) return setTimeout(send, script.delay)
  send()
}

function protocolOf(url) {
  if (url.endsWith("/chat/completions")) return { reply: chatReply, turnsDone: chatTurnsDone }
  if (url.endsWith("/responses")) return { reply: responsesReply, turnsDone: responsesTurnsDone }
  return undefined
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function scriptOf(model) {
  const known = scripts.get(model)
  if (known) return known
  const pairs = Object.fromEntries(
    model
      .slice("bench:".length)
      .split(",")
      .map((pair) => pair.split("=")),
  )
  const script = {
    turns: Number(pairs.turns ?? 0),
    calls: Number(pairs.par ?? 1),
    tool: pairs.tool ?? "noop",
    delay: Number(pairs.delay ?? 0),
    argumentsText: pairs.args && Buffer.from(pairs.args, "base64url").toString(),
  }
  scripts.set(model, script)
  return script
}

function sendJson(response, text) {
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  })
  response.end(text)
}
