import { chatLoop } from "./chat-loop.mjs"

export const create = chatLoop(async (baseURL, body) => {
  const answer = await fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer x" },
    body: JSON.stringify(body),
  })
  return (await answer.json()).choices[0].message
})
