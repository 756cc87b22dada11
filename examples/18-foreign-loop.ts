/** The Agent tool in an agent loop that is not cadre's. Here the loop is written by hand and as small as possible. */
import assert from "node:assert/strict"
import { scriptedModel, standaloneAgentTool } from "cadre"
import { SubagentRegistry } from "cadre/files"

const registry = new SubagentRegistry()
registry.register({
  name: "researcher",
  description: "Finds things out.",
  instructions: "Find out.",
  tools: [],
})
const model = scriptedModel({ researcher: [{ text: "The bridge opened in 1932." }] })

// Only the registry is required. Agents that inherit a model get the loop's own.
const tool = standaloneAgentTool({ registry, model })
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
  // The tool never throws: an error is text for the model. Aborting the signal cancels the whole tree.
  messages.push({ role: "tool", text: await tool.execute(reply.call.input, { signal: stop.signal }) })
}
console.log(messages)
// A report is data. It is wrapped in tags that the report itself cannot close.
assert.match(
  messages.at(-1)!.text,
  /^I had it looked up\. <report agent="researcher" .*>\nThe bridge opened in 1932\.\n<\/report>$/,
)

// To tell a failure from a report, ask for the whole result. It also has the evidence that the runtime saw.
const report = await tool.report({ agent: "researcher", prompt: "Again." })
assert.equal(report.result?.proof.turns, 1)
assert.deepEqual(await tool.report({ agent: "reseacher", prompt: "Again." }), {
  text: `Subagent 'reseacher' not found. Available: researcher. Did you mean "researcher"?`,
  isError: true,
})

// A loop that is itself three levels deep can go no deeper.
const deepest = standaloneAgentTool({ registry, model, currentDepth: 3, maxDepth: 3 })
const refused = await deepest.execute({ agent: "researcher", prompt: "Go." })
console.log(refused)
assert.match(
  refused,
  /^Maximum subagent nesting depth \(3\) reached\. Cannot spawn 'researcher' at depth 3\./,
)
await Promise.all([tool.runtime.close(), deepest.runtime.close()])
