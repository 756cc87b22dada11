import {
  type AgentInput,
  createRuntime,
  defineAgent,
  defineTool,
  type ModelScript,
  memoryStore,
  type RuntimeOptions,
  scriptedModel,
} from "../../src/index.ts"

export const tool = (name: string) =>
  defineTool({ name, description: name, effect: "read", input: { type: "object" }, execute: () => name })

/** A runtime on a script. */
export const runtimeOf = (agents: readonly AgentInput[], script: ModelScript, more: RuntimeOptions = {}) =>
  createRuntime({
    agents: agents.map(defineAgent),
    store: memoryStore(),
    models: { m: scriptedModel(script) },
    // As its own tool for foreign loops starts it.
    delegation: "narrow",
    ...more,
  })

export const delegate = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "x" } }] })
