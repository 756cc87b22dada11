// What the model server says in OpenAI's responses, with sealed reasoning as a real provider sends it.
import { FINAL, newId } from "./reply-words.mjs"

const sealed = "gAAAAAB".padEnd(1024, "x")

export function responsesTurnsDone({ input }) {
  return input.filter(({ type }) => type === "function_call").length
}

/** The body of the answer: JSON, or events where the request asks for a stream. One call a turn. */
export function responsesReply({ model, stream }, { tool, argumentsText = '{"x":0}' }, kind) {
  const id = newId()
  const reasoning = { id: `rs_${id}`, type: "reasoning", summary: [], encrypted_content: sealed }
  const call = { name: tool, arguments: argumentsText, call_id: `call_${id}` }
  const content = [{ type: "output_text", text: FINAL, annotations: [] }]
  const last =
    kind === "calls"
      ? { id: `fc_${id}`, type: "function_call", status: "completed", ...call }
      : { id: `msg_${id}`, type: "message", status: "completed", role: "assistant", content }
  const response = completed(`resp_${id}`, model, [reasoning, last])
  return stream ? events(response) : JSON.stringify(response)
}

function completed(id, model, output) {
  const details = {
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  }
  const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110, ...details }
  return { id, object: "response", status: "completed", error: null, model, output, usage }
}

function events(response) {
  const started = { ...response, output: [], status: "in_progress", usage: null }
  const events = [{ type: "response.created", response: started }]
  response.output.forEach((item, output_index) => {
    const place = { output_index, item_id: item.id }
    const empty = { ...item, content: [], arguments: "" }
    events.push({ type: "response.output_item.added", output_index, item: empty })
    if (item.type === "function_call")
      events.push({ type: "response.function_call_arguments.delta", ...place, delta: item.arguments })
    if (item.type === "message")
      for (const delta of FINAL.split(/(?<= )/))
        events.push({ type: "response.output_text.delta", ...place, content_index: 0, delta })
    events.push({ type: "response.output_item.done", output_index, item })
  })
  events.push({ type: "response.completed", response })
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")
}
