// A model server without delay that speaks OpenAI's responses, as JSON and as a stream, with sealed reasoning. It runs
// in a process of its own. The script is the model's name, as ../../shared/bench/lib/mock-server.mjs has it.
import http from "node:http"

const final = "All work is complete. The answer is 42."
const sealed = "gAAAAAB".padEnd(1024, "x")
const stats = { requests: 0, bytesIn: 0 }
let last = 0

const server = http.createServer(async (request, response) => {
  if (request.url === "/__stats") return json(response, stats)
  if (request.url === "/__reset") {
    Object.assign(stats, { requests: 0, bytesIn: 0 })
    return json(response, {})
  }
  const parts = []
  for await (const part of request) parts.push(part)
  const text = Buffer.concat(parts)
  stats.requests++
  stats.bytesIn += text.length
  const { model, input, stream } = JSON.parse(text)
  const turns = Number(/turns=(\d+)/.exec(model)?.[1])
  const output = outputOf(input.filter(({ type }) => type === "function_call").length < turns)
  if (!stream) return json(response, ended(model, output))
  response.writeHead(200, { "content-type": "text/event-stream" }).end(eventsOf(model, output))
})

server.listen({ port: 0, host: "127.0.0.1" }, () => process.send(`http://127.0.0.1:${server.address().port}`))
process.on("disconnect", () => process.exit(0))

function outputOf(isCall) {
  const id = ++last
  const reasoning = { id: `rs_${id}`, type: "reasoning", summary: [], encrypted_content: sealed }
  if (!isCall) {
    const content = [{ type: "output_text", text: final, annotations: [] }]
    return [reasoning, { id: `msg_${id}`, type: "message", status: "completed", role: "assistant", content }]
  }
  const call = { name: "noop", arguments: '{"x":0}', call_id: `call_${id}` }
  return [reasoning, { id: `fc_${id}`, type: "function_call", status: "completed", ...call }]
}

function ended(model, output) {
  const details = {
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  }
  const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110, ...details }
  return { id: `resp_${last}`, object: "response", status: "completed", error: null, model, output, usage }
}

function eventsOf(model, output) {
  const begun = { ...ended(model, []), status: "in_progress", usage: null }
  const events = [{ type: "response.created", response: begun }]
  output.forEach((item, output_index) => {
    const place = { output_index, item_id: item.id }
    events.push({
      type: "response.output_item.added",
      output_index,
      item: { ...item, content: [], arguments: "" },
    })
    if (item.type === "function_call")
      events.push({ type: "response.function_call_arguments.delta", ...place, delta: item.arguments })
    if (item.type === "message")
      for (const word of final.split(/(?<= )/))
        events.push({ type: "response.output_text.delta", ...place, content_index: 0, delta: word })
    events.push({ type: "response.output_item.done", output_index, item })
  })
  events.push({ type: "response.completed", response: ended(model, output) })
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")
}

function json(response, value) {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value))
}
