import "./node-version.ts"

export {
  type Agent,
  type AgentInput,
  type AgentMode,
  type AgentSource,
  type Decision,
  defineAgent,
  type ModelBinding,
  type ModelChoice,
  type Origin,
  type Rule,
  type Scope,
  type Template,
  type ToolDefinition,
  type ToolGrant,
  type TypedAgent,
} from "./agent.ts"
export type { GivenAttachment } from "./attachments/given.ts"
export type { Mode } from "./authority/mode.ts"
export { fileCache } from "./cache/file-cache.ts"
export type { Configuration } from "./configuration/configuration.ts"
export type { Confinement } from "./confinement.ts"
export { createRuntime, type RuntimeConfiguration, type RuntimeOptions } from "./create-runtime.ts"
export type { Diagnostic, Fix, Severity, TextEdit } from "./diagnostics/diagnostic.ts"
export type { Position, Range } from "./diagnostics/position.ts"
export {
  type AgentCallOptions,
  type AgentReport,
  type AgentTool,
  type AgentToolOptions,
  createAgentTool,
} from "./embed/agent-tool.ts"
export { type CodingAgent, type CodingAgentOptions, codingAgent } from "./embed/coding-agent.ts"
export { CadreError, type ErrorCode, StartError, type StartPlace, type StartProblem } from "./errors.ts"
export type { ExecutorOptions, ExecutorSettings, Executors } from "./executor.ts"
export { parseJson, parseMarkdown, parseMarkdownFile } from "./formats/parse-markdown.ts"
export { loadSubagentDefinition, type SubagentDefinition } from "./formats/subagent-definition.ts"
export type { ChangedFile, Isolation, IsolationPlan, IsolationReport, Moved, Worktree } from "./isolation.ts"
export type { HookSet } from "./lifecycle/sets.ts"
export { defaultLimits, type Limits } from "./limits.ts"
export type { Attachment, AttachmentData, AttachmentType, Call, Json, Message, Usage } from "./message.ts"
export type {
  Delta,
  GivenModel,
  Model,
  ModelError,
  ModelProtocol,
  ModelReply,
  ModelRequest,
  ModelSettings,
  ModelUse,
  OfferedTool,
  ReplyCall,
  TokenPrices,
} from "./model.ts"
export {
  type AiSdkCall,
  type AiSdkLanguageModel,
  type AiSdkOptions,
  aiSdkModel,
} from "./models/ai-sdk/adapter.ts"
export { type Script, type ScriptedTurn, scriptedModel } from "./models/scripted.ts"
export { type AnthropicOptions, anthropicModel } from "./models/wire/anthropic.ts"
export type { ModelPrice } from "./models/wire/client.ts"
export { type OpenAiOptions, openaiModel } from "./models/wire/openai.ts"
export { type ResponsesOptions, responsesModel } from "./models/wire/responses.ts"
export type { Pipeline, PipelineStep } from "./pipeline.ts"
export { definePipeline, type PipelineInput } from "./pipelines/define.ts"
export type { Postcondition } from "./postcondition.ts"
export type { PromptContext } from "./prompt-context.ts"
export { AgentCapability, AgentType, DefaultAgentCapability } from "./registry/deprecated.ts"
export type { Entry, State } from "./registry/entry.ts"
export {
  type Changes,
  type LoadOptions,
  type RegistryOptions,
  SubagentRegistry,
} from "./registry/registry.ts"
export { openWorkspace, type Workspace, type WorkspaceOptions } from "./registry/workspace.ts"
export type { ResultCaching } from "./result-cache.ts"
export { type Route, type RouteRequest, route } from "./routing/route.ts"
export { apply } from "./run/apply.ts"
export type { Layer } from "./run/compose.ts"
export type { DryRun } from "./run/dry-run.ts"
export type {
  AfterVerdict,
  CheckContext,
  CommandEnd,
  CommandOptions,
  EndedCall,
  Finding,
  GatheredContext,
  Hook,
  HookActions,
  HookedCall,
  HookedRun,
  HookSource,
  HookVerdict,
  Layers,
  PostconditionChecker,
  PromptSource,
  RecordedResult,
  ResultCache,
  ToolInvocation,
  WrittenHook,
} from "./run/environment.ts"
export type {
  CallResult,
  HookSpawn,
  LiveEvent,
  MomentName,
  Outcome,
  PostconditionResult,
  RunEvent,
  TextDelta,
  Tried,
  Unseen,
  Verdict,
} from "./run/event.ts"
export type { ModelWait } from "./run/event-model.ts"
export type { ExplainOptions, Explanation } from "./run/explain.ts"
export type { ExplainedHook } from "./run/explain-hooks.ts"
export type { RunHandle } from "./run/handle.ts"
export type {
  HookedMoment,
  MomentQuestions,
  MomentSpawn,
  MomentVerdict,
  NearLimit,
} from "./run/hooked-moment.ts"
export type { Plan, PlannedCall, Planner } from "./run/plan.ts"
export type { Preview } from "./run/preview.ts"
export type { Approval, Proof, RunResult } from "./run/proof.ts"
export type { Delivery, DryRunOptions, RunOptions, Runtime } from "./run/runtime.ts"
export type { StartProblemOptions } from "./run/start-problems.ts"
export { emptyState, type RunState } from "./run/state.ts"
export type { Charge, Claim, Letter, Refusal, RunHead, Store, Stored } from "./run/store.ts"
export type { JsonSchema, JsonStandardSchema } from "./schema.ts"
export type { Skill } from "./skills/skills.ts"
export { type JsonlOptions, jsonlStore } from "./stores/jsonl.ts"
export { memoryStore } from "./stores/memory.ts"
export {
  type CallableAgent,
  type Control,
  type Delegation,
  defineTool,
  type Effect,
  type Evidence,
  type Forbidden,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "./tool.ts"
export { type AgentToolName, agentTool } from "./tools/agent.ts"
export { type BuiltInToolOptions, builtInTools } from "./tools/built-in.ts"
export { subagentTools } from "./tools/subagents.ts"
export type { NamedWorkflow } from "./workflow/source.ts"
