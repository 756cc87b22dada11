import type { ModelRequest, OfferedTool } from "../../../../agent/model.ts"
import type { Message, ToolCall } from "../../../../ground/message.ts"
import { quoteJson } from "../json.ts"
import type { RequestHead } from "../parameters.ts"
import { createCacheKeys } from "../prompt-cache-key.ts"
import { type ReplyOrigin, readProviderData } from "../provider-data.ts"
import type { StrictTools } from "../strict-tools.ts"
import { type ContentOf, writeAnswerItems, writeOutputItem, writeUserItem } from "./item.ts"
import { readResponseLayout } from "./layout.ts"
import { minOutputTokens } from "./names.ts"
import type { SealedReasoning } from "./sealed-reasoning.ts"
import { buildResponsesSettings, type ResponsesSettings, type ResponsesSettingsOptions } from "./settings.ts"

export interface ResponsesRequestOptions extends Omit<ResponsesSettingsOptions, "include"> {
  readonly host: string
  readonly strict: StrictTools
  readonly sealed: SealedReasoning
}

/** The key under which a message keeps data for this protocol. */
export const protocolKey = "responses"

/**
 * Writes request bodies. Every turn sends the whole history again, so the bytes of each message are cached while the
 * message lives. The bytes of the system prompt and tools are cached with the array of tools. A turn then costs its new
 * messages and one copy. The order (tools, system, messages) never changes, so that the provider's cache hits.
 */
export function createResponsesWriter(options: ResponsesRequestOptions): (request: ModelRequest) => Buffer {
  const heads = new WeakMap<readonly OfferedTool[], RequestHead<ResponsesSettings>>()
  const messageBytes = messageWriter(options)
  const cacheKey = createCacheKeys()
  const include = options.sealed.isAskedFor ? sealedContent : []

  function headOf({ system, tools, parameters, effort }: ModelRequest): RequestHead<ResponsesSettings> {
    const settings = buildResponsesSettings({ ...options, include }, parameters, effort)
    const toolsPart =
      tools.length === 0 ? "" : `${settings.withTools},"tools":${toolsText(tools, options.strict)}`
    const instructions = system === "" ? "" : `,"instructions":${quoteJson(system)}`
    const bytes = Buffer.from(`{${settings.plain}${toolsPart}${instructions},"input":[`)
    return { system, parameters, effort, settings, bytes }
  }

  return (request) => {
    const { system, tools, messages, maxOutputTokens = Number.POSITIVE_INFINITY, contentOf } = request
    let head = heads.get(tools)
    if (head?.system !== system || head.parameters !== request.parameters || head.effort !== request.effort) {
      head = headOf(request)
      heads.set(tools, head)
    }
    const parts = [head.bytes]
    addItems(parts, messages, messageBytes, contentOf)
    if (parts[1]) parts[1] = parts[1].subarray(comma.length)
    const { limit, hasCacheKey } = head.settings
    const bound = Math.max(minOutputTokens, Math.min(limit, maxOutputTokens))
    const key = hasCacheKey ? "" : `,"prompt_cache_key":"${cacheKey(request)}"`
    const limitPart = bound === Number.POSITIVE_INFINITY ? "" : `,"max_output_tokens":${bound}`
    parts.push(Buffer.from(`]${key}${limitPart}}`))
    return Buffer.concat(parts)
  }
}

const comma = ","

/** Because nothing is stored, reasoning is returned only on request, and sealed. */
const sealedContent: readonly string[] = ["reasoning.encrypted_content"]

/** The provider treats every tool as strict that does not say otherwise. */
function toolsText(tools: readonly OfferedTool[], strict: StrictTools): string {
  return JSON.stringify(
    tools.map((tool) => ({
      type: "function",
      name: tool.name,
      description: tool.description.toWellFormed(),
      parameters: tool.input,
      strict: strict.has(tool),
    })),
  )
}

/** Writes the items of a message, each with a comma before it. They are written once per message and writer. */
function messageWriter({ host, model, sealed }: ResponsesRequestOptions): MessageWriter {
  const origin: ReplyOrigin = { host, model }
  const cache = new WeakMap<Message, Buffer>()

  function itemsOf(message: Message, contentOf: ContentOf): readonly string[] {
    switch (message.role) {
      case "user":
        return [writeUserItem(message, contentOf)]
      case "tool":
        return [writeOutputItem(message, contentOf)]
      case "assistant": {
        const keptLayout = sealed.mayBeSent(message)
          ? readProviderData(message.provider, origin, protocolKey, "model")
          : undefined
        return writeAnswerItems(message, readResponseLayout(message, keptLayout))
      }
    }
  }

  return (message, contentOf) => {
    const cachedBytes = cache.get(message)
    if (cachedBytes !== undefined) return cachedBytes
    const items = itemsOf(message, contentOf)
    const bytes = Buffer.from(items.length === 0 ? "" : comma + items.join(comma))
    cache.set(message, bytes)
    return bytes
  }
}

type Result = Extract<Message, { role: "tool" }>
type MessageWriter = (message: Message, contentOf: ContentOf) => Buffer
const noCalls: readonly ToolCall[] = []

/**
 * Adds the items of a history. Each call has exactly one result, directly after the calls and in their order; otherwise
 * the provider refuses the history for ever. No function is created here: its compiled code would be dropped with the
 * request.
 */
function addItems(
  parts: Buffer[],
  messages: Iterable<Message>,
  bytesOf: MessageWriter,
  contentOf: ContentOf,
): void {
  let calls = noCalls
  let results: Result[] = []
  for (const message of messages) {
    if (message.role === "tool") {
      results.push(message)
      continue
    }
    addResults(parts, calls, results, bytesOf, contentOf)
    if (results.length > 0) results = []
    const bytes = bytesOf(message, contentOf)
    if (bytes.length > 0) parts.push(bytes)
    calls = message.role === "assistant" ? message.calls : noCalls
  }
  addResults(parts, calls, results, bytesOf, contentOf)
}

function addResults(
  parts: Buffer[],
  calls: readonly ToolCall[],
  results: readonly Result[],
  bytesOf: MessageWriter,
  contentOf: ContentOf,
): void {
  for (let index = 0; index < calls.length; index++) {
    const { wire } = calls[index]!
    const sameIndex = results[index]
    const result = sameIndex?.wire === wire ? sameIndex : results.find((other) => other.wire === wire)
    parts.push(result ? bytesOf(result, contentOf) : missingResult(wire))
  }
}

const missingResult = (wire: string): Buffer =>
  Buffer.from(comma + writeOutputItem({ wire, text: "No result was recorded for this call." }))
