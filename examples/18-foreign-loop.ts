/** The Agent tool in a loop that is not cadre's: written by hand here, and as small as a loop can be. */
import assert from "node:assert/strict"
import { createAgentTool, SubagentRegistry, scriptedModel } from "cadre"

const registry = new SubagentRegistry()
registry.register({
  name: "researcher",
  description: "Finds things out.",
  instructions: "Find out.",
  tools: [],
})
const model = scriptedModel({ researcher: [{ text: "The bridge opened in 1932." }] })

// Only the registry is required. The model is the loop's own, for agents that inherit one.
const tool = createAgentTool({ registry, model })
console.log(tool.description)

/** Stands for any model: it sees the tools and the messages so far, and answers with a call or a text. */
type Message = { role: string; text: string }
const answer = (messages: readonly Message[]) =>
  messages.at(-1)!.role === "tool"
    ? { text: `I had it looked up. ${messages.at(-1)!.text}` }
    : { call: { name: tool.name, input: { agent: "researcher", prompt: "When did the bridge open?" } } }

const messages: Message[] = [{ role: "user", text: "How old is the bridge?" }]
const stop = new AbortController()
for (let reply = answer(messages); ; reply = answer(messages)) {
  if (reply.text !== undefined) {
    messages.push({ role: "assistant", text: reply.text })
    break
  }
  // It never throws: what went wrong is text for the model. Aborting the signal cancels the whole tree.
  messages.push({ role: "tool", text: await tool.execute(reply.call.input, { signal: stop.signal }) })
}
console.log(messages)
// A report is data: it comes in an envelope that it cannot close.
assert.match(
  messages.at(-1)!.text,
  /^I had it looked up\. <report agent="researcher" .*>\nThe bridge opened in 1932\.\n<\/report>$/,
)

// Who wants to tell a failure from a report asks for both, and for what the runtime saw.
const report = await tool.report({ agent: "researcher", prompt: "Again." })
assert.equal(report.result?.proof.turns, 1)
assert.deepEqual(await tool.report({ agent: "reseacher", prompt: "Again." }), {
  text: `Subagent 'reseacher' not found. Available: researcher. Did you mean "researcher"?`,
  isError: true,
})

// A loop that is itself three levels deep can go no deeper.
const deepest = createAgentTool({ registry, model, currentDepth: 3, maxDepth: 3 })
const refused = await deepest.execute({ agent: "researcher", prompt: "Go." })
console.log(refused)
assert.match(
  refused,
  /^Maximum subagent nesting depth \(3\) reached\. Cannot spawn 'researcher' at depth 3\./,
)
await Promise.all([tool.runtime.close(), deepest.runtime.close()])
