import type { Json } from "../../../ground/message.ts"
import { findAttachmentProblem, pdfTypes, pictureTypes } from "./attachment-problem.ts"
import { findFirstProblem, findUnknownKey, isRecord, makeSignature } from "./protocol.ts"

/** Finds the problem in one block of a message or of the system prompt. */
export function blockProblem(block: Json, at: string, allowed: readonly string[]): string | undefined {
  if (!isRecord(block)) return `${at}: an object is required.`
  const type = String(block.type)
  if (!allowed.includes(type)) return `${at}: Input tag '${type}' is not one of ${allowed.join(", ")}.`
  const extra = findAnthropicKeyProblem(block, ["type", ...(blockKeys[type] ?? [])])
  if (extra) return `${at}.${type}.${extra}`
  switch (type) {
    case "text":
      return findTextProblem(block.text, at)
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
        (block.content === undefined ? undefined : contentProblem(block.content, at))
      )
    case "image":
    case "document":
      return sourceProblem(block.source, `${at}.${type}.source`, type)
    case "thinking":
      return typeof block.thinking === "string" && block.signature === makeSignature(block.thinking)
        ? undefined
        : `${at}: Invalid \`signature\` in \`thinking\` block`
    default:
      return typeof block.data === "string" && block.data !== ""
        ? undefined
        : `${at}: Invalid \`data\` in \`redacted_thinking\` block`
  }
}

function sourceProblem(source: Json | undefined, at: string, type: "image" | "document"): string | undefined {
  if (!isRecord(source) || source.type !== "base64") return `${at}: a base64 source is required.`
  const problem =
    findAnthropicKeyProblem(source, ["type", "media_type", "data"]) ??
    findAttachmentProblem(source.media_type, source.data, type === "image" ? pictureTypes : pdfTypes)
  return problem && `${at}.${problem}`
}

function contentProblem(content: Json, at: string): string | undefined {
  if (!Array.isArray(content)) return findTextProblem(content, at)
  if (content.length === 0) return `${at}.tool_result.content: a non-empty list is required.`
  return findFirstProblem(content as readonly Json[], (block, index) =>
    blockProblem(block, `${at}.tool_result.content.${index}`, ["text", "image", "document"]),
  )
}

const blockKeys: Readonly<Record<string, readonly string[]>> = {
  text: ["text", "cache_control"],
  tool_use: ["id", "name", "input", "cache_control"],
  tool_result: ["tool_use_id", "content", "is_error", "cache_control"],
  image: ["source", "cache_control"],
  document: ["source", "title", "context", "citations", "cache_control"],
  thinking: ["thinking", "signature"],
  redacted_thinking: ["data"],
}

/** Every call needs exactly one result at the start of the next message, and every result needs a call. */
export function findResultsProblem(
  blocks: readonly Json[],
  at: string,
  open: readonly string[],
): string | undefined {
  const resultIds = blockValues(blocks, "tool_result", "tool_use_id")
  const missing = open.filter((id) => !resultIds.includes(id))
  if (missing.length > 0)
    return `${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}.`
  const orphan = resultIds.find((id) => !open.includes(id))
  if (orphan !== undefined)
    return `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}.`
  const twice = resultIds.find((id, index) => resultIds.indexOf(id) !== index)
  if (twice !== undefined)
    return `${at}: each tool_use must have a single result. Found multiple for ${twice}.`
  const types = blocks.map((block) => isRecord(block) && block.type)
  return types.lastIndexOf("tool_result") >= resultIds.length
    ? `${at}: \`tool_result\` blocks must come before any other content.`
    : undefined
}

export const makeTextBlock = (text: string): Json => ({ type: "text", text })

export const findTextProblem = (text: Json | undefined, at: string): string | undefined => {
  if (typeof text !== "string") return `${at}: a text is required.`
  return text.trim() === "" ? `${at}: text content blocks must contain non-whitespace text` : undefined
}

const patternProblem = (value: Json | undefined, pattern: RegExp, at: string): string | undefined =>
  typeof value === "string" && pattern.test(value)
    ? undefined
    : `${at}: String should match pattern '${pattern.source.replace("\\w", "a-zA-Z0-9_")}'`

export function findAnthropicKeyProblem(
  value: Record<string, Json>,
  allowed: readonly string[],
): string | undefined {
  const extra = findUnknownKey(value, allowed)
  return extra === undefined ? undefined : `${extra}: Extra inputs are not permitted`
}

export function listMessageBlocks(message: Json | undefined): readonly Record<string, Json>[] {
  return isRecord(message) && Array.isArray(message.content) ? message.content.filter(isRecord) : []
}

export const blockValues = (blocks: readonly Json[], type: string, key: string): readonly string[] =>
  blocks.flatMap((block) => (isRecord(block) && block.type === type ? [String(block[key])] : []))
