import type { ModelRequest, OfferedTool } from "../../agent/model.ts"

export const addTool: OfferedTool = {
  name: "add",
  description: "Adds.",
  input: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
}

/** A request in the form that a run sends, for tests of model clients. */
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
