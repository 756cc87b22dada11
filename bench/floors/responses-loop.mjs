// The floor for responses: fetch, JSON, and a loop that sends back what came, with its reasoning.
import { PROMPT, SYSTEM, script } from "../lib/script.mjs"

const tool = {
  type: "function",
  name: "noop",
  description: "does nothing",
  parameters: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
  strict: false,
}

export const rawResponses =
  ({ stream, read }) =>
  ({ baseURL }) => ({
    agent:
      ({ turns }) =>
      async () => {
        const input = [{ role: "user", content: PROMPT }]
        const fixed = { model: script({ turns }), store: false, stream, instructions: SYSTEM, tools: [tool] }
        for (;;) {
          const answer = await fetch(`${baseURL}/responses`, {
            method: "POST",
            headers: { "content-type": "application/json", authorization: "Bearer x" },
            body: JSON.stringify({ ...fixed, include: ["reasoning.encrypted_content"], input }),
          })
          const output = await read(answer)
          input.push(...output.map(({ id: _, ...item }) => item))
          const calls = output.filter(({ type }) => type === "function_call")
          if (calls.length === 0) return output.at(-1).content[0].text
          for (const { call_id, arguments: given } of calls)
            input.push({ type: "function_call_output", call_id, output: `ok ${JSON.parse(given).x}` })
        }
      },
  })
