// The floor for chat completions: a loop that sends the messages, runs the calls and sends their results back. It
// records nothing and has no limits, rights or tree.
import { limiter, PARENT, PROMPT, SYSTEM, script } from "../lib/script.mjs"

const noop = definition("noop", "does nothing", { x: { type: "number" } })
const delegate = definition("delegate", "delegate to worker", { prompt: { type: "string" } })
const work = { noop: ({ x }) => `ok ${x}` }

/** An adapter around `complete(baseURL, body)`, which sends one request and resolves to the assistant's message. */
export const chatLoop =
  (complete) =>
  ({ baseURL }) => {
    const loop = (model, system, prompt, tools, execute) =>
      converse((body) => complete(baseURL, body), { model, tools }, system, prompt, execute)
    return {
      agent:
        ({ turns }) =>
        () =>
          loop(script({ turns }), SYSTEM, PROMPT, [noop], work),
      delegator({ fan = 1, childTurns = 2, concurrency = Number.POSITIVE_INFINITY, delay = 0 }) {
        const limited = limiter(concurrency)
        const child = script({ turns: childTurns, delay })
        const parent = script({ turns: 1, par: fan, tool: "delegate", args: { prompt: PROMPT } })
        const execute = { delegate: ({ prompt }) => limited(() => loop(child, SYSTEM, prompt, [noop], work)) }
        return () => loop(parent, PARENT, PROMPT, [delegate], execute)
      },
    }
  }

async function converse(complete, fixed, system, prompt, execute) {
  const messages = [
    { role: "system", content: system },
    { role: "user", content: prompt },
  ]
  for (;;) {
    const message = await complete({ ...fixed, messages })
    messages.push(message)
    if (!message.tool_calls?.length) return message.content
    const results = message.tool_calls.map(async ({ id, function: { name, arguments: given } }) => ({
      role: "tool",
      tool_call_id: id,
      content: await execute[name](JSON.parse(given)),
    }))
    messages.push(...(await Promise.all(results)))
  }
}

function definition(name, description, properties) {
  const parameters = { type: "object", properties, required: Object.keys(properties) }
  return { type: "function", function: { name, description, parameters } }
}
