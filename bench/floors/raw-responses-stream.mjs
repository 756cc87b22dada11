import { rawResponses } from "./responses-loop.mjs"

export const create = rawResponses({ stream: true, read })

async function read(answer) {
  const decoder = new TextDecoder()
  let rest = ""
  let output = []
  for await (const chunk of answer.body) {
    rest += decoder.decode(chunk, { stream: true })
    const events = rest.split("\n\n")
    rest = events.pop()
    for (const event of events) {
      const value = JSON.parse(event.slice(event.indexOf("data: ") + 6))
      if (value.type === "response.completed") output = value.response.output
    }
  }
  return output
}
