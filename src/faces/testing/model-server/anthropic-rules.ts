import type { Json } from "../../../ground/message.ts"
import {
  blockProblem,
  blockValues,
  findAnthropicKeyProblem,
  findResultsProblem,
  findTextProblem,
  listMessageBlocks,
  makeTextBlock,
} from "./anthropic-blocks.ts"
import { findAnthropicStrictProblem } from "./anthropic-strict-problem.ts"
import { findFirstProblem, findModelKeyProblem, findToolSchemaProblem, isRecord } from "./protocol.ts"
import type { RefusalRule } from "./rule.ts"

type Body = Record<string, Json>

const types = {
  source: "the types of `@anthropic-ai/sdk` 1.8.0, resources/messages/messages.d.ts",
  read: "2026-11-16",
  status: 400,
}
const reportedIn = (source: string, read = "2026-11-16") => ({ source, read, status: 400 })

/** Anthropic's rules for a request, in the order of checking. `parameters` are those of the API version. */
export const listAnthropicRules = (parameters: readonly string[]): readonly RefusalRule[] => [
  { name: "model", says: "model: Model.", ...types, refuses: findModelKeyProblem },
  {
    name: "parameters",
    says: "context_management: Extra inputs are not permitted",
    ...reportedIn("github.com/Wei-Shaw/claude-relay-service/issues/660"),
    refuses: (body) => findAnthropicKeyProblem(body, parameters),
  },
  {
    name: "most output",
    says: "max_tokens: number. The maximum number of tokens to generate before stopping.",
    ...types,
    refuses: ({ max_tokens }) =>
      isCount(max_tokens) ? undefined : "max_tokens: a whole number of at least 1 is required.",
  },
  {
    name: "messages",
    says: "messages: at least one message is required",
    ...reportedIn("github.com/langchain-ai/langgraph/discussions/501", "2026-11-18"),
    refuses: ({ messages }) =>
      Array.isArray(messages) && messages.length > 0
        ? undefined
        : "messages: at least one message is required",
  },
  {
    name: "thinking",
    says: "ThinkingConfigParam = ThinkingConfigEnabled | ThinkingConfigDisabled | ThinkingConfigAdaptive.",
    ...types,
    refuses: ({ thinking }) =>
      thinking === undefined || (isRecord(thinking) && typeof thinking.type === "string")
        ? undefined
        : "thinking: a type is required.",
  },
  {
    name: "least thinking",
    says: "budget_tokens: Must be ≥1024 and less than `max_tokens`.",
    ...types,
    refuses: (body) => {
      const tokens = mostThinking(body)
      return tokens === undefined || (isCount(tokens) && tokens >= 1024)
        ? undefined
        : "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
    },
  },
  {
    name: "most thinking",
    says: "`max_tokens` must be greater than `thinking.budget_tokens`.",
    ...reportedIn("github.com/liuw1535/antigravity2api-nodejs/issues/149"),
    refuses: (body) =>
      Number(body.max_tokens) <= Number(mostThinking(body) ?? 0)
        ? "`max_tokens` must be greater than `thinking.budget_tokens`."
        : undefined,
  },
  {
    name: "system prompt",
    says: "system?: string | Array<TextBlockParam>. text content blocks must be non-empty",
    ...types,
    refuses: ({ system }) => (system === undefined ? undefined : systemProblem(system)),
  },
  {
    name: "tools",
    says: "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ...reportedIn("github.com/home-assistant/core/issues/147760", "2026-11-18"),
    refuses: toolsProblem,
  },
  {
    name: "strict tools",
    says: "Too many strict tools (21). The maximum number of strict tools supported is 20.",
    ...reportedIn(
      "github.com/datarobot-oss/datarobot-genai/pull/547 and github.com/camel-ai/camel/pull/4171; what else a strict schema may not hold: platform.claude.com/docs/en/build-with-claude/structured-outputs",
      "2026-11-18",
    ),
    refuses: ({ tools, model }) =>
      findAnthropicStrictProblem(((tools ?? []) as readonly Json[]).filter(isRecord), model),
  },
  {
    name: "messages by themselves",
    says: "MessageParam: content: string | Array<ContentBlockParam>; role: 'user' | 'assistant'.",
    ...types,
    refuses: ({ messages }) => findFirstProblem(messages as readonly Json[], messageProblem),
  },
  {
    name: "results of calls",
    says: "`tool_use` ids were found without `tool_result` blocks immediately after: toolu_01. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    ...reportedIn("github.com/anthropics/claude-code/issues/8210"),
    refuses: ({ messages }) => answersProblem(messages as readonly Json[]),
  },
  {
    name: "ids of calls",
    says: "messages: `tool_use` ids must be unique",
    ...reportedIn("github.com/anthropics/claude-code/issues/21317"),
    refuses: ({ messages }) => idsProblem(messages as readonly Json[]),
  },
  {
    name: "last message",
    says: "This model does not support assistant message prefill. The conversation must end with a user message.",
    ...reportedIn("github.com/ericc-ch/copilot-api/pull/261"),
    refuses: ({ messages }) =>
      (messages as readonly Json[]).length % 2 === 0
        ? "This model does not support assistant message prefill. The conversation must end with a user message."
        : undefined,
  },
  {
    name: "calls without tools",
    says: "Requests which include `tool_use` or `tool_result` blocks must define tools.",
    ...reportedIn(
      "github.com/anthropics/anthropic-sdk-python/issues/494; Anthropic takes them since 27 February 2025 (issues/849 there), and Bedrock still does not (github.com/elastic/kibana/pull/246943)",
      "2026-11-18",
    ),
    refuses: ({ messages, tools }) =>
      tools === undefined && (messages as readonly Json[]).some((one) => callsIn(one).length > 0)
        ? "Requests which include `tool_use` or `tool_result` blocks must define tools."
        : undefined,
  },
  {
    name: "thinking in the midst of calls",
    says: "Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.",
    ...reportedIn(
      "github.com/deepset-ai/haystack-core-integrations/issues/2146; that the whole turn counts: platform.claude.com/docs/build-with-claude/thinking-tool-workflows, `a tool-use loop is one assistant turn`",
      "2026-11-18",
    ),
    refuses: loopProblem,
  },
  {
    name: "thinking at the end of a reply",
    says: "messages.1: The final block in an assistant message cannot be `thinking`.",
    ...reportedIn("github.com/tailcallhq/forgecode/issues/2107", "2026-11-18"),
    refuses: ({ messages }) =>
      findFirstProblem(messages as readonly Json[], (message, index) => {
        const type = index % 2 === 1 ? String(listMessageBlocks(message).at(-1)?.type) : ""
        return type.endsWith("thinking")
          ? `messages.${index}: The final block in an assistant message cannot be \`${type}\`.`
          : undefined
      }),
  },
  {
    name: "marks for the cache",
    says: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ...reportedIn("github.com/continuedev/continue/pull/6937"),
    refuses: cacheProblem,
  },
]

/** The parameters of version 2026-10-21. */
export const laterVersion: readonly string[] = [
  ...["model", "max_tokens", "messages", "system", "tools", "tool_choice", "stream", "thinking"],
  ...["output_config", "metadata", "service_tier", "stop_sequences", "container", "context_management"],
  ...["mcp_servers", "inference_geo", "speed", "cache_control", "diagnostics"],
]

/** The parameters of version 2023-06-01. The later version removed some. */
export const firstVersion: readonly string[] = [...laterVersion, "temperature", "top_p", "top_k"]

const isCount = (value: Json | undefined): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1

/** Undefined if thinking has no limit in tokens. */
const mostThinking = ({ thinking }: Body): Json | undefined =>
  isRecord(thinking) && thinking.type === "enabled" ? (thinking.budget_tokens ?? 0) : undefined

function systemProblem(system: Json): string | undefined {
  if (typeof system === "string") return findTextProblem(system, "system")
  if (!Array.isArray(system) || system.length === 0) return "system: a text or a non-empty list is required."
  return findFirstProblem(system as readonly Json[], (block, index) =>
    blockProblem(block, `system.${index}`, ["text"]),
  )
}

function toolsProblem({ tools, tool_choice }: Body): string | undefined {
  if (tools === undefined)
    return tool_choice === undefined ? undefined : "tool_choice: may only be specified while providing tools."
  if (!Array.isArray(tools) || tools.length === 0) return "tools: a non-empty list is required, or none."
  const names = new Set<unknown>()
  return findFirstProblem(tools as readonly Json[], (tool, index) => {
    const at = `tools.${index}.custom`
    if (!isRecord(tool)) return `${at}: an object is required.`
    const extra = findAnthropicKeyProblem(tool, [
      "type",
      "name",
      "description",
      "input_schema",
      "cache_control",
      "strict",
    ])
    if (extra) return `${at}.${extra}`
    if (typeof tool.name !== "string" || !/^[\w-]{1,128}$/.test(tool.name))
      return `${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
    if (names.has(tool.name)) return "tools: Tool names must be unique."
    names.add(tool.name)
    if (tool.description !== undefined && typeof tool.description !== "string")
      return `${at}.description: a text is required.`
    if (tool.strict !== undefined && typeof tool.strict !== "boolean")
      return `${at}.strict: Input should be a valid boolean`
    const schema = tool.input_schema
    if (isRecord(schema) && ["oneOf", "allOf", "anyOf"].some((key) => key in schema))
      return `${at}.input_schema: does not support oneOf, allOf, or anyOf at the top level`
    const problem = findToolSchemaProblem(schema)
    return problem && `${at}.input_schema: ${problem}`
  })
}

function messageProblem(message: Json, index: number): string | undefined {
  const at = `messages.${index}`
  if (!isRecord(message)) return `${at}: an object is required.`
  const extra = findAnthropicKeyProblem(message, ["role", "content"])
  if (extra) return `${at}.${extra}`
  const role = index % 2 === 0 ? "user" : "assistant"
  if (message.role !== role)
    return `${at}: roles must begin with "user" and alternate, but here is ${JSON.stringify(message.role)}.`
  const blocks = typeof message.content === "string" ? [makeTextBlock(message.content)] : message.content
  if (!Array.isArray(blocks) || blocks.length === 0) return `${at}: content must be non-empty`
  return findFirstProblem(blocks as readonly Json[], (block, place) =>
    blockProblem(block, `${at}.content.${place}`, kinds[role]),
  )
}

const kinds = {
  user: ["text", "tool_result", "image", "document"],
  assistant: ["text", "tool_use", "thinking", "redacted_thinking"],
} as const

const callsIn = (message: Json | undefined): readonly string[] =>
  blockValues(listMessageBlocks(message), "tool_use", "id")

const answersProblem = (messages: readonly Json[]): string | undefined =>
  findFirstProblem(messages, (message, index) =>
    index % 2 === 0
      ? findResultsProblem(listMessageBlocks(message), `messages.${index}`, callsIn(messages[index - 1]))
      : undefined,
  )

function idsProblem(messages: readonly Json[]): string | undefined {
  const seenIds = new Set<string>()
  return findFirstProblem(messages, (message, index) => {
    const ids = callsIn(message)
    const repeated = ids.find((id) => seenIds.has(id) || ids.indexOf(id) !== ids.lastIndexOf(id))
    for (const id of ids) seenIds.add(id)
    return repeated === undefined
      ? undefined
      : `messages.${index}: \`tool_use\` ids must be unique: ${repeated} is used twice.`
  })
}

/** If thinking is enabled, a turn of calls and results must begin with a thinking block. */
function loopProblem({ messages: list, thinking }: Body): string | undefined {
  const messages = list as readonly Json[]
  if (!isRecord(thinking) || thinking.type !== "enabled" || callsIn(messages.at(-2)).length === 0)
    return undefined
  const isOpen = (message: Json) =>
    blockValues(listMessageBlocks(message), "tool_result", "tool_use_id").length > 0
  const first = messages.findLastIndex((message, index) => index % 2 === 0 && !isOpen(message)) + 1
  const begin = listMessageBlocks(messages[first])[0]?.type
  return begin === "thinking" || begin === "redacted_thinking"
    ? undefined
    : `messages.${first}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${begin}\`.`
}

function cacheProblem(body: Body): string | undefined {
  const places = [
    body.tools,
    body.system,
    ...(body.messages as Json[]).map((message) => listMessageBlocks(message)),
  ]
  const marks = places
    .flatMap((place) => (Array.isArray(place) ? (place as readonly Json[]) : []))
    .flatMap((block) => (isRecord(block) && block.cache_control !== undefined ? [block.cache_control] : []))
  if (body.cache_control !== undefined) marks.push(body.cache_control)
  if (marks.length > 4)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`
  const wrong = marks.find((mark) => !isRecord(mark) || mark.type !== "ephemeral" || !isLifetime(mark.ttl))
  return wrong === undefined ? undefined : `cache_control: unknown value ${JSON.stringify(wrong)}.`
}

const isLifetime = (ttl: Json | undefined): boolean => ttl === undefined || ttl === "5m" || ttl === "1h"
