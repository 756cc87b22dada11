import type { Json } from "../../message.ts"
import { anthropicStrictProblem } from "./anthropic-strict-problem.ts"
import { attachmentProblem, pdfTypes, pictureTypes } from "./attachment-problem.ts"
import { firstProblem, isRecord, schemaProblem, signatureOf, unknownKey } from "./protocol.ts"

/** What Anthropic could refuse about a request's body, in a version with these parameters. */
export function anthropicProblem(
  body: Record<string, Json>,
  parameters: readonly string[],
): string | undefined {
  const extra = keyProblem(body, parameters)
  if (extra) return extra
  if (!isCount(body.max_tokens)) return "max_tokens: a whole number of at least 1 is required."
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    return "messages: at least one message is required"
  return (
    thinkingProblem(body) ??
    systemProblem(body.system) ??
    toolsProblem(body) ??
    messagesProblem(body.messages, body) ??
    cacheProblem(body)
  )
}

/** The parameters of version 2026-10-21. */
export const laterVersion: readonly string[] = [
  ...["model", "max_tokens", "messages", "system", "tools", "tool_choice", "stream", "thinking"],
  ...["output_config", "metadata", "service_tier", "stop_sequences", "container", "context_management"],
  ...["mcp_servers", "inference_geo", "speed", "cache_control", "diagnostics"],
]

/** Those of version 2023-06-01: the later one took some away. */
export const firstVersion: readonly string[] = [...laterVersion, "temperature", "top_p", "top_k"]

const isCount = (value: Json | undefined): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1

function thinkingProblem({ thinking, max_tokens }: Record<string, Json>): string | undefined {
  if (thinking === undefined) return undefined
  if (!isRecord(thinking) || typeof thinking.type !== "string") return "thinking: a type is required."
  if (thinking.type !== "enabled") return undefined
  if (!isCount(thinking.budget_tokens) || thinking.budget_tokens < 1024)
    return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
  if (Number(max_tokens) <= thinking.budget_tokens)
    return "`max_tokens` must be greater than `thinking.budget_tokens`."
  return undefined
}

function systemProblem(system: Json | undefined): string | undefined {
  if (system === undefined) return undefined
  if (typeof system === "string") return textProblem(system, "system")
  if (!Array.isArray(system) || system.length === 0) return "system: a text or a non-empty list is required."
  return firstProblem(system, (block, index) => blockProblem(block, `system.${index}`, ["text"]))
}

function toolsProblem({ tools, tool_choice, model }: Record<string, Json>): string | undefined {
  if (tools === undefined)
    return tool_choice === undefined ? undefined : "tool_choice: may only be specified while providing tools."
  if (!Array.isArray(tools) || tools.length === 0) return "tools: a non-empty list is required, or none."
  const names = new Set<unknown>()
  const wrong = firstProblem(tools, (tool, index) => {
    const at = `tools.${index}.custom`
    if (!isRecord(tool)) return `${at}: an object is required.`
    const extra = keyProblem(tool, ["type", "name", "description", "input_schema", "cache_control", "strict"])
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
    const problem = schemaProblem(schema)
    return problem && `${at}.input_schema: ${problem}`
  })
  return wrong ?? anthropicStrictProblem(tools.filter(isRecord), model)
}

function messagesProblem(messages: readonly Json[], body: Record<string, Json>): string | undefined {
  const seen = new Set<string>()
  let open: readonly string[] = []
  const wrong = firstProblem(messages, (message, index) => {
    const at = `messages.${index}`
    if (!isRecord(message)) return `${at}: an object is required.`
    const extra = keyProblem(message, ["role", "content"])
    if (extra) return `${at}.${extra}`
    const role = index % 2 === 0 ? "user" : "assistant"
    if (message.role !== role)
      return `${at}: roles must begin with "user" and alternate, but here is ${JSON.stringify(message.role)}.`
    const blocks = typeof message.content === "string" ? [textBlock(message.content)] : message.content
    if (!Array.isArray(blocks) || blocks.length === 0) return `${at}: content must be non-empty`
    const allowed =
      role === "user"
        ? ["text", "image", "document", "tool_result"]
        : ["text", "tool_use", "thinking", "redacted_thinking"]
    const problem =
      firstProblem(blocks, (block, place) => blockProblem(block, `${at}.content.${place}`, allowed)) ??
      (role === "user" ? resultsProblem(blocks, at, open) : undefined)
    if (problem) return problem
    open = valuesOf(blocks, "tool_use", "id")
    const repeated = open.find((id) => seen.has(id) || open.indexOf(id) !== open.lastIndexOf(id))
    if (repeated !== undefined) return `${at}: \`tool_use\` ids must be unique: ${repeated} is there twice.`
    for (const id of open) seen.add(id)
    return undefined
  })
  if (wrong) return wrong
  if (messages.length % 2 === 0)
    return "This model does not support assistant message prefill. The conversation must end with a user message."
  if (seen.size > 0 && body.tools === undefined)
    return "Requests which include `tool_use` or `tool_result` blocks must define tools."
  return loopProblem(messages, body)
}

/** In the midst of tool use, thinking that is switched on must go on from the thinking before. */
function loopProblem(messages: readonly Json[], { thinking }: Record<string, Json>): string | undefined {
  const asking = contentOf(messages.at(-2))
  if (!isRecord(thinking) || thinking.type !== "enabled" || valuesOf(asking, "tool_use", "id").length === 0)
    return undefined
  const begin = asking[0]?.type
  return begin === "thinking" || begin === "redacted_thinking"
    ? undefined
    : `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${begin}\`.`
}

/** Every call has its one result in the next message, before anything else, and nothing else has one. */
function resultsProblem(blocks: readonly Json[], at: string, open: readonly string[]): string | undefined {
  const answered = valuesOf(blocks, "tool_result", "tool_use_id")
  const missing = open.filter((id) => !answered.includes(id))
  if (missing.length > 0)
    return `${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}.`
  const orphan = answered.find((id) => !open.includes(id))
  if (orphan !== undefined)
    return `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}.`
  const twice = answered.find((id, index) => answered.indexOf(id) !== index)
  if (twice !== undefined)
    return `${at}: each tool_use must have a single result. Found multiple for ${twice}.`
  const types = blocks.map((block) => isRecord(block) && block.type)
  return types.lastIndexOf("tool_result") >= answered.length
    ? `${at}: \`tool_result\` blocks must come before any other content.`
    : undefined
}

function blockProblem(block: Json, at: string, allowed: readonly string[]): string | undefined {
  if (!isRecord(block)) return `${at}: an object is required.`
  const type = String(block.type)
  if (!allowed.includes(type)) return `${at}: Input tag '${type}' is not one of ${allowed.join(", ")}.`
  const extra = keyProblem(block, ["type", ...(blockKeys[type] ?? [])])
  if (extra) return `${at}.${type}.${extra}`
  switch (type) {
    case "text":
      return textProblem(block.text, at)
    case "tool_use":
      if (!isRecord(block.input)) return `${at}.tool_use.input: Input should be a valid dictionary`
      return (
        patternProblem(block.id, /^[\w-]+$/, `${at}.tool_use.id`) ??
        patternProblem(block.name, /^[\w-]{1,200}$/, `${at}.tool_use.name`)
      )
    case "tool_result":
      if (block.is_error !== undefined && typeof block.is_error !== "boolean")
        return `${at}.tool_result.is_error: a boolean is required.`
      return (
        patternProblem(block.tool_use_id, /^[\w-]+$/, `${at}.tool_result.tool_use_id`) ??
        resultProblem(block.content, at)
      )
    case "image":
    case "document":
      return sourceProblem(block.source, `${at}.${type}.source`, type)
    case "thinking":
      return typeof block.thinking === "string" && block.signature === signatureOf(block.thinking)
        ? undefined
        : `${at}: Invalid \`signature\` in \`thinking\` block`
    default:
      return typeof block.data === "string" && block.data !== ""
        ? undefined
        : `${at}: Invalid \`data\` in \`redacted_thinking\` block`
  }
}

function resultProblem(content: Json | undefined, at: string): string | undefined {
  if (content === undefined) return undefined
  if (!Array.isArray(content)) return textProblem(content, at)
  return content.length === 0
    ? `${at}.tool_result.content: a non-empty list is required.`
    : firstProblem(content as readonly Json[], (block, index) =>
        blockProblem(block, `${at}.tool_result.content.${index}`, ["text", "image", "document"]),
      )
}

function sourceProblem(source: Json | undefined, at: string, type: "image" | "document"): string | undefined {
  if (!isRecord(source) || source.type !== "base64") return `${at}: a base64 source is required.`
  const extra = keyProblem(source, ["type", "media_type", "data"])
  const problem =
    extra ?? attachmentProblem(source.media_type, source.data, type === "image" ? pictureTypes : pdfTypes)
  return problem && `${at}.${problem}`
}

const blockKeys: Readonly<Record<string, readonly string[]>> = {
  text: ["text", "cache_control"],
  image: ["source", "cache_control"],
  document: ["source", "title", "context", "citations", "cache_control"],
  tool_use: ["id", "name", "input", "cache_control"],
  tool_result: ["tool_use_id", "content", "is_error", "cache_control"],
  thinking: ["thinking", "signature"],
  redacted_thinking: ["data"],
}

function cacheProblem(body: Record<string, Json>): string | undefined {
  const places = [body.tools, body.system, ...(body.messages as Json[]).map((message) => contentOf(message))]
  const marks = places
    .flatMap((place) => (Array.isArray(place) ? (place as readonly Json[]) : []))
    .flatMap((block) => (isRecord(block) && block.cache_control !== undefined ? [block.cache_control] : []))
  if (body.cache_control !== undefined) marks.push(body.cache_control)
  if (marks.length > 4)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`
  const wrong = marks.find((mark) => !isRecord(mark) || mark.type !== "ephemeral" || !isLifetime(mark.ttl))
  return wrong === undefined ? undefined : `cache_control: ${JSON.stringify(wrong)} is not known.`
}

const isLifetime = (ttl: Json | undefined): boolean => ttl === undefined || ttl === "5m" || ttl === "1h"

const textBlock = (text: string): Json => ({ type: "text", text })

const textProblem = (text: Json | undefined, at: string): string | undefined => {
  if (typeof text !== "string") return `${at}: a text is required.`
  return text.trim() === "" ? `${at}: text content blocks must contain non-whitespace text` : undefined
}

const patternProblem = (value: Json | undefined, pattern: RegExp, at: string): string | undefined =>
  typeof value === "string" && pattern.test(value)
    ? undefined
    : `${at}: String should match pattern '${pattern.source.replace("\\w", "a-zA-Z0-9_")}'`

function keyProblem(value: Record<string, Json>, allowed: readonly string[]): string | undefined {
  const extra = unknownKey(value, allowed)
  return extra === undefined ? undefined : `${extra}: Extra inputs are not permitted`
}

function contentOf(message: Json | undefined): readonly Record<string, Json>[] {
  return isRecord(message) && Array.isArray(message.content) ? message.content.filter(isRecord) : []
}

const valuesOf = (blocks: readonly Json[], type: string, key: string): readonly string[] =>
  blocks.flatMap((block) => (isRecord(block) && block.type === type ? [String(block[key])] : []))
