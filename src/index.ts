import "./ground/node-version.ts"

export {
  type Agent,
  type AgentInput,
  type AgentMode,
  type AgentOrigin,
  type AgentScope,
  type AgentSource,
  defineAgent,
  type ModelChoice,
  type PermissionRule,
  type PromptTemplate,
  type RuleDecision,
  type ToolDefinition,
  type ToolGrant,
  type TypedAgent,
} from "./agent/agent.ts"
export type { AttachmentInput } from "./agent/attachments/task-attachment.ts"
export type { CommandConfinement } from "./agent/confinement.ts"
export type { ExecutorOptions, ExecutorSettings, Executors } from "./agent/executor.ts"
export type {
  AgentIsolation,
  ChangedFile,
  FolderMove,
  IsolationPlan,
  IsolationReport,
  Worktree,
} from "./agent/isolation.ts"
export type { McpAddress, McpProgram, McpServerSettings, McpServers } from "./agent/mcp-server.ts"
export type {
  Model,
  ModelDelta,
  ModelError,
  ModelInput,
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
export type { Postcondition } from "./agent/postcondition.ts"
export type { PromptContext } from "./agent/prompt-context.ts"
export type { QuestionAnswer, ToolQuestion } from "./agent/question.ts"
export type { ResultCaching } from "./agent/result-cache.ts"
export { type RouteRequest, type RouteResult, route } from "./agent/routing/route.ts"
export type {
  SamplingBounds,
  SamplingMessage,
  SamplingReply,
  SamplingRequest,
  SamplingStop,
} from "./agent/sampling.ts"
export {
  type CallableAgent,
  type Delegation,
  defineTool,
  type ForbiddenPath,
  type JsonOutput,
  type RunControl,
  type Tool,
  type ToolContext,
  type ToolEffect,
  type ToolEvidence,
  type ToolOutput,
  type ToolResult,
} from "./agent/tool.ts"
export { createRuntime, type RuntimeConfiguration, type RuntimeOptions } from "./assembly/create-runtime.ts"
export {
  type AgentCallOptions,
  type AgentReport,
  type StandaloneAgentTool,
  type StandaloneAgentToolOptions,
  standaloneAgentTool,
} from "./assembly/embed/agent-tool.ts"
export { type ApprovalDecision, answerApprovals } from "./assembly/embed/answer-approvals.ts"
export type { McpTool, McpToolbox, McpToolsOptions } from "./assembly/embed/mcp-toolbox.ts"
export { mcpTools } from "./assembly/embed/mcp-tools.ts"
export type { PermissionMode } from "./definitions/authority/mode.ts"
export type { Configuration } from "./definitions/configuration/configuration.ts"
export type { NamedWorkflow } from "./definitions/workflow/source.ts"
export {
  CadreError,
  type ErrorCode,
  StartError,
  type StartPlace,
  type StartProblem,
} from "./ground/errors.ts"
export { defaultLimits, type RunLimits } from "./ground/limits.ts"
export type {
  Attachment,
  AttachmentData,
  AttachmentType,
  Json,
  Message,
  TokenUsage,
  ToolCall,
} from "./ground/message.ts"
export type { FormField } from "./ground/question-form.ts"
export type { JsonSchema, JsonStandardSchema } from "./ground/schema/schema.ts"
export type { StartProblemOptions } from "./run/begin/start-problems.ts"
export { applyRunEvent } from "./run/decide/apply.ts"
export type { PendingApproval, RunProof, RunResult } from "./run/drive/proof.ts"
export type { DryRun } from "./run/explain/dry-run.ts"
export type { AgentExplanation, ExplainOptions } from "./run/explain/explain.ts"
export type { RunPreview } from "./run/explain/preview.ts"
export type { RunHandle } from "./run/face/handle.ts"
export type { DryRunOptions, LetterDelivery, RunOptions, Runtime } from "./run/face/runtime.ts"
export type {
  AgentAttempt,
  CallResult,
  LiveEvent,
  RunEvent,
  TextDelta,
  UnseenAttachment,
} from "./run/log/event.ts"
export type { ModelWait } from "./run/log/event-model.ts"
export type { RunOutcome } from "./run/log/event-outcome.ts"
export type { PostconditionResult } from "./run/log/event-run.ts"
export type { CheckContext, PostconditionChecker, PostconditionFinding } from "./run/ports/checking.ts"
export type { Layer } from "./run/ports/compose.ts"
export type { GatheredContext, PromptSource } from "./run/ports/context.ts"
export type { Layers, ToolInvocation } from "./run/ports/layers.ts"
export type { RecordedResult, ResultCache } from "./run/ports/recorded-result.ts"
export { emptyRunState, type RunState } from "./run/state/state.ts"
export { fileCache } from "./world/cache/file-cache.ts"
export { type AiSdkOptions, aiSdkModel } from "./world/models/ai-sdk/adapter.ts"
export type { AiSdkCall, AiSdkLanguageModel } from "./world/models/ai-sdk/language-model.ts"
export { type ModelScript, type ScriptedTurn, scriptedModel } from "./world/models/scripted.ts"
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
export { agentControlTools } from "./world/tools/subagents.ts"
export { type WebSearchOptions, webSearchTool } from "./world/tools/web-search.ts"
