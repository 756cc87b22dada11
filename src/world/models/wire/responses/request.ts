import type { ModelRequest, OfferedTool } from "../../../../agent/model.ts"
import type { Call, Message } from "../../../../ground/message.ts"
import { quoted } from "../json.ts"
import type { Head } from "../parameters.ts"
import { promptCacheKey } from "../prompt-cache-key.ts"
import { keptBy, type Origin } from "../provider-data.ts"
import type { StrictTools } from "../strict-tools.ts"
import { answerItems, type ContentOf, outputItem, userItem } from "./item.ts"
import { layoutOf } from "./layout.ts"
import { leastOutput } from "./names.ts"
import type { SealedReasoning } from "./sealed-reasoning.ts"
import { requestSettings, type Settings, type SettingsOptions } from "./settings.ts"

export interface ResponsesRequestOptions extends Omit<SettingsOptions, "include"> {
  readonly host: string
  readonly strict: StrictTools
  readonly sealed: SealedReasoning
}

/** The name under which a message keeps what this protocol sends back. */
export const protocolKey = "responses"

/**
 * Writes request bodies. The history is sent again with every turn, so the bytes of each message are kept for as long
 * as the message lives, and those of the system prompt and tools as long as the array of tools: a turn costs its new
 * messages and one copy. The order (tools, system, messages) never changes, so that the provider's cache hits.
 */
export function responsesRequestWriter(options: ResponsesRequestOptions): (request: ModelRequest) => Buffer {
  const heads = new WeakMap<readonly OfferedTool[], Head<Settings>>()
  const messageBytes = messageWriter(options)
  const cacheKey = promptCacheKey()
  const include = options.sealed.isAskedFor ? sealedContent : []

  function headOf({ system, tools, parameters, effort }: ModelRequest): Head<Settings> {
    const settings = requestSettings({ ...options, include }, parameters, effort)
    const offered =
      tools.length === 0 ? "" : `${settings.withTools},"tools":${toolsText(tools, options.strict)}`
    const instructions = system === "" ? "" : `,"instructions":${quoted(system)}`
    const bytes = Buffer.from(`{${settings.plain}${offered}${instructions},"input":[`)
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
    const bound = Math.max(leastOutput, Math.min(limit, maxOutputTokens))
    const key = hasCacheKey ? "" : `,"prompt_cache_key":"${cacheKey(request)}"`
    const most = bound === Number.POSITIVE_INFINITY ? "" : `,"max_output_tokens":${bound}`
    parts.push(Buffer.from(`]${key}${most}}`))
    return Buffer.concat(parts)
  }
}

const comma = ","

/** Without being stored, reasoning comes back only if it is asked for, and sealed. */
const sealedContent: readonly string[] = ["reasoning.encrypted_content"]

/** The provider takes every tool for strict that does not say otherwise. */
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

/** The items of a message, each with the comma before it. They are written once in the life of a message and its writer. */
function messageWriter({ host, model, sealed }: ResponsesRequestOptions): MessageWriter {
  const origin: Origin = { host, model }
  const written = new WeakMap<Message, Buffer>()

  function itemsOf(message: Message, contentOf: ContentOf): readonly string[] {
    switch (message.role) {
      case "user":
        return [userItem(message, contentOf)]
      case "tool":
        return [outputItem(message, contentOf)]
      case "assistant": {
        const kept = sealed.mayBeSent(message)
          ? keptBy(message.provider, origin, protocolKey, "model")
          : undefined
        return answerItems(message, layoutOf(message, kept))
      }
    }
  }

  return (message, contentOf) => {
    const known = written.get(message)
    if (known !== undefined) return known
    const items = itemsOf(message, contentOf)
    const bytes = Buffer.from(items.length === 0 ? "" : comma + items.join(comma))
    written.set(message, bytes)
    return bytes
  }
}

type Result = Extract<Message, { role: "tool" }>
type MessageWriter = (message: Message, contentOf: ContentOf) => Buffer
const noCalls: readonly Call[] = []

/**
 * The results of all calls stand right after them, in their order, one each: otherwise the history is refused for ever.
 * It makes no functions: what is compiled for one that lives for a request is thrown away with it.
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
  calls: readonly Call[],
  results: readonly Result[],
  bytesOf: MessageWriter,
  contentOf: ContentOf,
): void {
  for (let index = 0; index < calls.length; index++) {
    const { wire } = calls[index]!
    const given = results[index]
    const result = given?.wire === wire ? given : results.find((other) => other.wire === wire)
    parts.push(result ? bytesOf(result, contentOf) : missingResult(wire))
  }
}

const missingResult = (wire: string): Buffer =>
  Buffer.from(comma + outputItem({ wire, text: "No result was recorded for this call." }))
