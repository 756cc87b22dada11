import "./ground/node-version.ts"

export {
  type Agent,
  type AgentInput,
  type AgentMode,
  type AgentSource,
  type Decision,
  defineAgent,
  type ModelChoice,
  type Origin,
  type Rule,
  type Scope,
  type Template,
  type ToolDefinition,
  type ToolGrant,
  type TypedAgent,
} from "./agent/agent.ts"
export type { GivenAttachment } from "./agent/attachments/given.ts"
export type { Confinement } from "./agent/confinement.ts"
export type { ExecutorOptions, ExecutorSettings, Executors } from "./agent/executor.ts"
export type {
  ChangedFile,
  Isolation,
  IsolationPlan,
  IsolationReport,
  Moved,
  Worktree,
} from "./agent/isolation.ts"
export type { McpAddress, McpProgram, McpServerSettings, McpServers } from "./agent/mcp-server.ts"
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
} from "./agent/model.ts"
export type { ModelBinding } from "./agent/model-binding.ts"
export type { Pipeline, PipelineStep } from "./agent/pipeline.ts"
export type { Postcondition } from "./agent/postcondition.ts"
export type { PromptContext } from "./agent/prompt-context.ts"
export type { ResultCaching } from "./agent/result-cache.ts"
export { type Route, type RouteRequest, route } from "./agent/routing/route.ts"
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
} from "./agent/tool.ts"
export { createRuntime, type RuntimeConfiguration, type RuntimeOptions } from "./assembly/create-runtime.ts"
export {
  type AgentCallOptions,
  type AgentReport,
  type AgentTool,
  type AgentToolOptions,
  createAgentTool,
} from "./assembly/embed/agent-tool.ts"
export { type CodingAgent, type CodingAgentOptions, codingAgent } from "./assembly/embed/coding-agent.ts"
export {
  type McpTool,
  type McpToolbox,
  type McpToolsOptions,
  mcpTools,
} from "./assembly/embed/mcp-tools.ts"
export type { Mode } from "./definitions/authority/mode.ts"
export type { Configuration } from "./definitions/configuration/configuration.ts"
export { parseJson, parseMarkdown, parseMarkdownFile } from "./definitions/formats/parse-markdown.ts"
export { loadSubagentDefinition, type SubagentDefinition } from "./definitions/formats/subagent-definition.ts"
export type { HookSet } from "./definitions/lifecycle/hook-set.ts"
export { definePipeline, type PipelineInput } from "./definitions/pipelines/define.ts"
export type { Changes } from "./definitions/registry/changes.ts"
export { AgentCapability, AgentType, DefaultAgentCapability } from "./definitions/registry/deprecated.ts"
export type { Entry, State } from "./definitions/registry/entry.ts"
export type { RegistryOptions } from "./definitions/registry/options.ts"
export { type LoadOptions, SubagentRegistry } from "./definitions/registry/registry.ts"
export { openWorkspace, type Workspace, type WorkspaceOptions } from "./definitions/registry/workspace.ts"
export type { Skill } from "./definitions/skills/skills.ts"
export type { NamedWorkflow } from "./definitions/workflow/source.ts"
export type { Diagnostic, Fix, Severity, TextEdit } from "./ground/diagnostics/diagnostic.ts"
export type { Position, Range } from "./ground/diagnostics/position.ts"
export {
  CadreError,
  type ErrorCode,
  StartError,
  type StartPlace,
  type StartProblem,
} from "./ground/errors.ts"
export { defaultLimits, type Limits } from "./ground/limits.ts"
export type {
  Attachment,
  AttachmentData,
  AttachmentType,
  Call,
  Json,
  Message,
  Usage,
} from "./ground/message.ts"
export type { JsonSchema, JsonStandardSchema } from "./ground/schema/schema.ts"
export type { StartProblemOptions } from "./run/begin/start-problems.ts"
export { apply } from "./run/decide/apply.ts"
export type { Approval, Proof, RunResult } from "./run/drive/proof.ts"
export type { DryRun } from "./run/explain/dry-run.ts"
export type { ExplainOptions, Explanation } from "./run/explain/explain.ts"
export type { ExplainedHook } from "./run/explain/explain-hooks.ts"
export type { Preview } from "./run/explain/preview.ts"
export type { RunHandle } from "./run/face/handle.ts"
export type { Delivery, DryRunOptions, RunOptions, Runtime } from "./run/face/runtime.ts"
export type {
  CallResult,
  HookSpawn,
  LiveEvent,
  MomentName,
  RunEvent,
  TextDelta,
  Tried,
  Unseen,
  Verdict,
} from "./run/log/event.ts"
export type { ModelWait } from "./run/log/event-model.ts"
export type { Outcome } from "./run/log/event-outcome.ts"
export type { PostconditionResult } from "./run/log/event-run.ts"
export type { Charge, Claim, Letter, Refusal, RunHead, Store, Stored } from "./run/log/store.ts"
export type { CheckContext, Finding, PostconditionChecker } from "./run/ports/checking.ts"
export type { Layer } from "./run/ports/compose.ts"
export type { GatheredContext, PromptSource } from "./run/ports/context.ts"
export type { AfterVerdict, Hook, HookSource, WrittenHook } from "./run/ports/hook.ts"
export type {
  CommandEnd,
  CommandOptions,
  EndedCall,
  HookActions,
  HookedCall,
  HookedRun,
  HookVerdict,
} from "./run/ports/hooked.ts"
export type {
  HookedMoment,
  MomentQuestions,
  MomentSpawn,
  MomentVerdict,
  NearLimit,
} from "./run/ports/hooked-moment.ts"
export type { Layers, ToolInvocation } from "./run/ports/layers.ts"
export type { Plan, PlannedCall, Planner } from "./run/ports/planner.ts"
export type { RecordedResult, ResultCache } from "./run/ports/recorded-result.ts"
export { emptyState, type RunState } from "./run/state/state.ts"
export { fileCache } from "./world/cache/file-cache.ts"
export { type AiSdkOptions, aiSdkModel } from "./world/models/ai-sdk/adapter.ts"
export type { AiSdkCall, AiSdkLanguageModel } from "./world/models/ai-sdk/language-model.ts"
export { type Script, type ScriptedTurn, scriptedModel } from "./world/models/scripted.ts"
export type { AnthropicOptions } from "./world/models/wire/anthropic/options.ts"
export { anthropicModel } from "./world/models/wire/anthropic.ts"
export type { ModelPrice } from "./world/models/wire/client.ts"
export type { OpenAiOptions } from "./world/models/wire/openai/options.ts"
export { openaiModel } from "./world/models/wire/openai.ts"
export type { ResponsesOptions } from "./world/models/wire/responses/options.ts"
export { responsesModel } from "./world/models/wire/responses.ts"
export { type JsonlOptions, jsonlStore } from "./world/stores/jsonl.ts"
export { memoryStore } from "./world/stores/memory.ts"
export { type AgentToolName, agentTool } from "./world/tools/agent.ts"
export { type BuiltInToolOptions, builtInTools } from "./world/tools/built-in.ts"
export { subagentTools } from "./world/tools/subagents.ts"
