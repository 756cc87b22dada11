import type { ModelRequest, OfferedTool } from "../../agent/model.ts"

export const addTool: OfferedTool = {
  name: "add",
  description: "Adds.",
  input: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
}

/** A request as a run sends it, for tests of the clients that send it on. */
export const requestWith = (request: Partial<ModelRequest> = {}): ModelRequest => ({
  run: "run",
  agent: "agent",
  turn: 1,
  attempt: 1,
  system: "You add.",
  messages: [{ role: "user", text: "Hello" }],
  tools: [addTool],
  signal: new AbortController().signal,
  ...request,
})
