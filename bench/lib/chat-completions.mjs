// What the model server says in OpenAI's chat completions.
import { FINAL, newId } from "./reply-words.mjs"

const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
const created = 1_700_000_000

/** How many turns with calls the history has since the last message of the user. */
export function chatTurnsDone({ messages }) {
  let turns = 0
  for (let index = messages.length - 1; index >= 0; index--) {
    const { role, tool_calls } = messages[index]
    if (role === "assistant" && tool_calls?.length > 0) turns++
    // Some libraries split the user's message into several.
    if (role === "user" && turns > 0) break
  }
  return turns
}

/** The body of the answer: JSON, or events where the request asks for a stream. */
export function chatReply({ model, stream, stream_options }, script, kind) {
  const head = { id: `chatcmpl-${newId()}`, created, model }
  const calls = kind === "calls" ? callsOf(script) : []
  if (stream) return events(head, calls, stream_options)
  const message =
    kind === "calls"
      ? { role: "assistant", content: null, tool_calls: calls }
      : { role: "assistant", content: FINAL }
  const finish_reason = kind === "calls" ? "tool_calls" : "stop"
  const choices = [{ index: 0, finish_reason, logprobs: null, message }]
  return JSON.stringify({ ...head, object: "chat.completion", usage, choices })
}

function callsOf({ calls, tool, argumentsText }) {
  return Array.from({ length: calls }, (_, x) => ({
    id: `call_${newId()}`,
    type: "function",
    function: { name: tool, arguments: argumentsText ?? `{"x":${x}}` },
  }))
}

function events(head, calls, options) {
  const object = "chat.completion.chunk"
  const event = (value) => `data: ${JSON.stringify({ ...head, object, ...value })}\n\n`
  const delta = (delta, finish_reason = null) => event({ choices: [{ index: 0, delta, finish_reason }] })
  const hasCalls = calls.length > 0
  let text = delta({ role: "assistant", content: hasCalls ? null : "" })
  calls.forEach(({ id, type, function: { name, arguments: given } }, index) => {
    text += delta({ tool_calls: [{ index, id, type, function: { name, arguments: "" } }] })
    text += delta({ tool_calls: [{ index, function: { arguments: given } }] })
  })
  if (!hasCalls) for (const word of FINAL.split(/(?<= )/)) text += delta({ content: word })
  text += delta({}, hasCalls ? "tool_calls" : "stop")
  if (options?.include_usage) text += event({ choices: [], usage })
  return `${text}data: [DONE]\n\n`
}
