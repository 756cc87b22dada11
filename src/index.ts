import "./node-version.ts"

export {
  type Agent,
  type AgentInput,
  type Decision,
  defineAgent,
  type Rule,
  type ToolGrant,
} from "./agent.ts"
export { createRuntime, type RuntimeOptions } from "./create-runtime.ts"
export { CadreError, type ErrorCode } from "./errors.ts"
export { defaultLimits, type Limits } from "./limits.ts"
export type { Call, Json, Message, Usage } from "./message.ts"
export type { Delta, Model, ModelError, ModelReply, ModelRequest, OfferedTool, ReplyCall } from "./model.ts"
export { type OpenAiOptions, openaiModel } from "./models/openai.ts"
export { type Script, type ScriptedTurn, scriptedModel } from "./models/scripted.ts"
export { apply } from "./run/apply.ts"
export type { Layer } from "./run/compose.ts"
export type { Hook, HookedCall, Layers, ToolInvocation } from "./run/environment.ts"
export type { CallResult, LiveEvent, Outcome, RunEvent, TextDelta, Verdict } from "./run/event.ts"
export type { RunHandle } from "./run/handle.ts"
export type { Approval, Proof, RunResult } from "./run/proof.ts"
export type { Delivery, RunOptions, Runtime } from "./run/runtime.ts"
export { emptyState, type RunState } from "./run/state.ts"
export type { Charge, Claim, Letter, Refusal, RunHead, Store, Stored } from "./run/store.ts"
export type { JsonSchema, JsonStandardSchema } from "./schema.ts"
export { type JsonlOptions, jsonlStore } from "./stores/jsonl.ts"
export { memoryStore } from "./stores/memory.ts"
export {
  type Delegation,
  defineTool,
  type Effect,
  type Evidence,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "./tool.ts"
export { agentTool } from "./tools/agent.ts"
