import type { ModelRequest } from "../../../../agent/model.ts"
import { createHash } from "../../../../ground/crypto.ts"
import type { Attachment, Message, ToolCall } from "../../../../ground/message.ts"
import { quoteJson, readFields, writeWellFormedJson } from "../json.ts"
import { describeMissingAttachment } from "../missing-attachment.ts"
import { type ReplyOrigin, readProviderData } from "../provider-data.ts"
import { toShortName } from "../tool-name.ts"
import type { ChatReasoning } from "./reasoning.ts"
import type { ChatRules } from "./rules.ts"

export interface ChatHistoryOptions {
  readonly origin: ReplyOrigin
  readonly rules: ChatRules
}

type Result = Extract<Message, { role: "tool" }>
type Reply = Extract<Message, { role: "assistant" }>
/** The kind of the last message that was written. */
type Last = "result" | "other"
type Content = Pick<ModelRequest, "contentOf">

const comma = ","
const noCalls: readonly ToolCall[] = []

/**
 * Writes a history in the form that one provider accepts, each message once in its life and with a comma before it.
 * Each call has exactly one result, directly after the calls and in their order. Otherwise the provider refuses the
 * history for ever.
 */
export function createHistoryWriter({
  origin,
  rules,
}: ChatHistoryOptions): (parts: Buffer[], messages: Iterable<Message>, content: Content) => void {
  const cache = new WeakMap<Message, Buffer>()
  const notes = new WeakMap<Result, Message>()
  const idOf = rules.history === "mistral" ? shortId : asksOpenAi(origin, rules) ? boundedId : keepId

  function bytesOf(message: Message, content: Content): Buffer {
    const cachedBytes = cache.get(message)
    if (cachedBytes !== undefined) return cachedBytes
    const bytes = Buffer.from(comma + textOf(message, content))
    cache.set(message, bytes)
    return bytes
  }

  function textOf(message: Message, content: Content): string {
    switch (message.role) {
      case "user":
        return userText(message.text, message.attachments, content)
      case "tool":
        return resultText(idOf(message.wire), message.text)
      case "assistant":
        return replyText(message, idOf, { origin, rules })
    }
  }

  return (parts, messages, content) => {
    let calls = noCalls
    let results: Result[] = []
    let last: Last = "other"
    for (const message of messages) {
      if (message.role === "tool") {
        results.push(message)
        continue
      }
      last = add(parts, message, content, addResults(parts, calls, results, content, last))
      calls = message.role === "assistant" ? message.calls : noCalls
      if (results.length > 0) results = []
    }
    addResults(parts, calls, results, content, last)
  }

  // No function is created per request: its compiled code would be dropped with it.
  function add(parts: Buffer[], message: Message, content: Content, last: Last): Last {
    if (message.role === "user" && last === "result" && rules.history === "mistral") parts.push(bridge)
    parts.push(bytesOf(message, content))
    return "other"
  }

  function addResults(
    parts: Buffer[],
    calls: readonly ToolCall[],
    results: readonly Result[],
    content: Content,
    before: Last,
  ): Last {
    let last = before
    for (let index = 0; index < calls.length; index++) {
      const { wire } = calls[index]!
      const sameIndex = results[index]
      const result = sameIndex?.wire === wire ? sameIndex : results.find((other) => other.wire === wire)
      parts.push(result ? bytesOf(result, content) : Buffer.from(comma + resultText(idOf(wire), noResult)))
      last = "result"
    }
    for (const result of results) {
      const note = attachmentNote(result)
      if (note) last = add(parts, note, content, last)
    }
    return last
  }

  /** Results can only be text in this protocol, so their attachments follow in a message of the user. */
  function attachmentNote(result: Result): Message | undefined {
    if (!result.attachments) return undefined
    const text = `Attachments of the result of the tool ${result.tool} (${idOf(result.wire)}):`
    const note: Message = notes.get(result) ?? { role: "user", text, attachments: result.attachments }
    notes.set(result, note)
    return note
  }
}

const noResult = "No result was recorded for this call."

/** Mistral refuses a user's message directly after a result, so this reply is put between them. */
const bridge = Buffer.from(`${comma}{"role":"assistant","content":"I have read the results."}`)

/** Mistral accepts only ids of nine letters or digits. Ids of other providers are longer. */
const shortId = (wire: string): string =>
  /^[a-zA-Z0-9]{9}$/.test(wire) ? wire : createHash("sha256").update(wire).digest("hex").slice(0, 9)

const keepId = (wire: string): string => wire

/** True if OpenAI gets the request, directly or through a gateway. */
const asksOpenAi = ({ model }: ReplyOrigin, { ids }: ChatRules): boolean =>
  ids === "bounded" || /^(?:openai\/)?(?:gpt-(?!oss)|o[1-9])/.test(model)

/** OpenAI limits the length of ids. Ids of other providers can be longer. */
const boundedId = (wire: string): string =>
  wire.length <= 40 ? wire : `call_${createHash("sha256").update(wire).digest("hex").slice(0, 32)}`

const resultText = (wire: string, text: string): string =>
  `{"role":"tool","tool_call_id":${quoteJson(wire)},"content":${quoteJson(text)}}`

function userText(text: string, attachments: readonly Attachment[] | undefined, content: Content): string {
  if (!attachments || attachments.length === 0) return `{"role":"user","content":${quoteJson(text)}}`
  const parts = attachments.map((attachment) => attachmentText(attachment, content))
  const textParts = text === "" ? [] : [textPart(text)]
  return `{"role":"user","content":[${[...textParts, ...parts].join(",")}]}`
}

function attachmentText(attachment: Attachment, { contentOf }: Content): string {
  const { mediaType, name = "attachment" } = attachment
  const data = contentOf?.(attachment)
  if (data === undefined) return textPart(describeMissingAttachment(attachment))
  const url = `data:${mediaType};base64,${data}`
  return mediaType === "application/pdf"
    ? `{"type":"file","file":{"filename":${quoteJson(name)},"file_data":${quoteJson(url)}}}`
    : `{"type":"image_url","image_url":{"url":${quoteJson(url)}}}`
}

function replyText(message: Reply, idOf: (wire: string) => string, options: ChatHistoryOptions): string {
  const { text, calls } = message
  const { fieldsText, content, extras } = reasoningFor(message, options)
  const replyContent = content ?? (text === "" && calls.length > 0 ? "null" : quoteJson(text))
  if (calls.length === 0) return `{"role":"assistant","content":${replyContent}${fieldsText}}`
  const callTexts = calls.map(
    (call, index) =>
      `{"id":${quoteJson(idOf(call.wire))},"type":"function",` +
      `"function":{"name":${quoteJson(toShortName(call.tool))},"arguments":${quoteJson(call.arguments)}}${extras(index)}}`,
  )
  return `{"role":"assistant","content":${replyContent}${fieldsText},"tool_calls":[${callTexts.join(",")}]}`
}

interface KeptReasoning {
  /** Fields of the message, each with a comma before it. */
  readonly fieldsText: string
  /** The content that replaces the text. */
  readonly content?: string
  extras(call: number): string
}

const noReasoning: KeptReasoning = { fieldsText: "", extras: () => "" }

/**
 * The reasoning that goes back to the provider that wrote it, by the provider's rules. Signed parts go back only to the
 * same model.
 */
function reasoningFor(message: Reply, { origin, rules }: ChatHistoryOptions): KeptReasoning {
  if (rules.reasoning === "forbidden") return noReasoning
  const hostReasoning = readProviderData(message.provider, origin, "chat", "host") as
    | ChatReasoning
    | undefined
  const modelReasoning = readProviderData(message.provider, origin, "chat", "model") as
    | ChatReasoning
    | undefined
  if (!hostReasoning && !needsReasoningField(message, rules)) return noReasoning
  const {
    reasoning_content = rules.reasoning === "required" ? "" : undefined,
    reasoning,
    reasoning_text,
  } = hostReasoning ?? {}
  const { reasoning_details, extra_content, calls } = modelReasoning ?? {}
  const content = hostReasoning?.content && contentText(hostReasoning.content, message.text)
  return {
    fieldsText: [
      field("reasoning_content", reasoning_content),
      field("reasoning", reasoning),
      field("reasoning_text", reasoning_text),
      field("reasoning_details", reasoning_details),
      field("extra_content", extra_content),
    ].join(""),
    ...(content !== undefined && { content }),
    extras: (call) => {
      const ownExtra = Array.isArray(calls) && calls.length === message.calls.length ? calls[call] : undefined
      const placeholder = rules.signatures === "gemini" && call === 0 && !extra_content ? unsigned : undefined
      return field("extra_content", ownExtra ?? placeholder)
    },
  }
}

/**
 * True if the provider requires the field. DeepSeek refuses every reply of a turn with calls that lacks it, even a
 * reply without calls.
 */
const needsReasoningField = ({ calls }: Reply, { reasoning, signatures }: ChatRules): boolean =>
  reasoning === "required" || (signatures === "gemini" && calls.length > 0)

/** Gemini's signature for a call that another model wrote. */
const unsigned = { google: { thought_signature: "skip_thought_signature_validator" } }

const field = (name: string, value: unknown): string =>
  value === undefined || value === null ? "" : `,"${name}":${writeWellFormedJson(value)}`

/** Puts thinking between pieces of the text, as it was. If the text has changed, all thinking comes first. */
function contentText(parts: NonNullable<ChatReasoning["content"]>, text: string): string {
  const lengths = parts.map((part) => {
    const { length } = readFields(part)
    return typeof length === "number" ? length : 0
  })
  const isSame = lengths.reduce((sum, length) => sum + length, 0) === text.length
  const thoughts = parts.filter((part) => readFields(part).type === "thinking")
  if (!isSame) return `[${[...thoughts.map((part) => JSON.stringify(part)), textPart(text)].join(",")}]`
  let at = 0
  const laid = parts.map((part, index) => {
    if (readFields(part).type === "thinking") return JSON.stringify(part)
    const from = at
    at += lengths[index]!
    return textPart(text.slice(from, at))
  })
  return `[${laid.join(",")}]`
}

const textPart = (text: string): string => `{"type":"text","text":${quoteJson(text)}}`
