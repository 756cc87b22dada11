import { chatLoop } from "./chat-loop.mjs"

export const create = chatLoop(async (baseURL, body) => {
  const answer = await fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer x" },
    body: JSON.stringify({ ...body, stream: true, stream_options: { include_usage: true } }),
  })
  const reply = { content: "", calls: [] }
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of answer.body) {
    text += decoder.decode(chunk, { stream: true })
    let start = 0
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n", start)) {
      add(reply, text.slice(start, end))
      start = end + 2
    }
    text = text.slice(start)
  }
  if (reply.calls.length === 0) return { role: "assistant", content: reply.content }
  return { role: "assistant", content: null, tool_calls: reply.calls }
})

function add(reply, event) {
  if (event === "data: [DONE]") return
  const delta = JSON.parse(event.slice("data: ".length)).choices[0]?.delta
  if (!delta) return
  if (delta.content) reply.content += delta.content
  for (const { index, id, function: part } of delta.tool_calls ?? []) {
    if (id) reply.calls[index] = { id, type: "function", function: { ...part } }
    else reply.calls[index].function.arguments += part.arguments
  }
}
