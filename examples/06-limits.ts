/** Limits apply to a run and its subagents. A run that reaches one names it, and keeps its output so far. */
import assert from "node:assert/strict"
import { CadreError, createRuntime, defineAgent, defineTool, memoryStore, scriptedModel } from "cadre"

const look = defineTool<{ at: number }>({
  name: "look",
  description: "Looks at a page.",
  effect: "read",
  input: { type: "object", properties: { at: { type: "integer" } } },
  execute: ({ at }) => `Page ${at}.`,
})
const curious = defineAgent({
  name: "curious",
  instructions: "Look at every page.",
  tools: ["look"],
  limits: { maxTurns: 3 },
})
const lead = defineAgent({ name: "lead", instructions: "Delegate.", tools: ["Agent", "look"] })
const slow = defineAgent({ name: "slow", instructions: "Think for long." })

const usage = { inputTokens: 900, outputTokens: 100 }
const model = scriptedModel({
  curious: [
    { text: "It begins well.", calls: [{ tool: "look", input: { at: 1 } }], usage },
    { calls: [{ tool: "look", input: { at: 2 } }], usage },
    { text: "I saw two pages.", usage }, // the closing turn: the last one comes without tools
  ],
  lead: [{ text: "I ask.", calls: [{ tool: "Agent", input: { agent: "curious", prompt: "Look." } }], usage }],
  slow: [{ text: "…", delayMs: 60_000 }],
})
const runtime = createRuntime({
  agents: [curious, lead, slow],
  tools: [look],
  models: { model },
  store: memoryStore(),
})

const turns = await runtime.run("curious", "Go.").done
console.log(turns.outcome, turns.output)
assert.deepEqual(turns.outcome, { type: "limit", limit: "turns" })
assert.equal(turns.output, "I saw two pages.")

// Tokens are reserved before each request, and a child's usage counts for every run above it.
const tokens = await runtime.run("lead", "Go.", { limits: { maxTokens: 3_500 } }).done
console.log(tokens.outcome, tokens.output, tokens.proof.usage.inclusive)
assert.deepEqual(tokens.outcome, { type: "limit", limit: "tokens" })
assert.deepEqual(tokens.proof.usage.inclusive.script, { inputTokens: 2_700, outputTokens: 300 })

const late = await runtime.run("slow", "Go.", { timeout: 100 }).done
console.log(late.outcome)
assert.deepEqual(late.outcome, { type: "timed-out", clock: "timeout" })

// Zero is not "unlimited", it is a mistake.
const wrong = await runtime.run("slow", "Go.", { timeout: 0 }).done.catch((error: unknown) => error)
assert.ok(wrong instanceof CadreError && wrong.code === "LIMIT_INVALID")
console.log(wrong.message)
await runtime.close()
