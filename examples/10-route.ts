/** Routes a request to an agent: by name, by `/use`, or by its words. No agent is guessed. */
import assert from "node:assert/strict"
import { defineAgent, route } from "cadre"

const agents = [
  defineAgent({ name: "reviewer", instructions: "Review.", keywords: ["review", "lint"] }),
  defineAgent({ name: "test-writer", instructions: "Write tests.", keywords: ["tests", "review"] }),
]
const ask = (text: string) => {
  const answer = route(agents, { text }, { autoRoute: "on" })
  console.log(`${text} -> ${answer.type === "agent" ? answer.agent : "nobody"}: ${answer.reason}`)
  return answer
}

assert.equal(ask("Please lint this file").reason, "matched keyword 'lint'")
assert.equal(ask("/use test-writer for src/").reason, "requested via `/use test-writer`")
// Two agents match equally well, so neither gets the request.
assert.equal(ask("Please review this").reason, "Multiple agents matched: reviewer, test-writer")
// Whole words count: "splint" does not match "lint".
assert.equal(ask("Put a splint on it").type, "nobody")
