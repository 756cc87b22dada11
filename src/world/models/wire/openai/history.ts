import type { ModelRequest } from "../../../../agent/model.ts"
import { createHash } from "../../../../ground/crypto.ts"
import type { Attachment, Call, Message } from "../../../../ground/message.ts"
import { fields, quoted, wellFormedJson } from "../json.ts"
import { missingNote } from "../missing-attachment.ts"
import { keptBy, type Origin } from "../provider-data.ts"
import { shortName } from "../tool-name.ts"
import type { ChatReasoning } from "./reasoning.ts"
import type { ChatRules } from "./rules.ts"

export interface ChatHistoryOptions {
  readonly origin: Origin
  readonly rules: ChatRules
}

type Result = Extract<Message, { role: "tool" }>
type Reply = Extract<Message, { role: "assistant" }>
/** What was written last. */
type Last = "result" | "other"
type Content = Pick<ModelRequest, "contentOf">

const comma = ","
const noCalls: readonly Call[] = []

/**
 * Writes a history as one provider takes it, each message with the comma before it and once in its life. The results of all
 * calls stand right after them, in their order, one each: otherwise the history is refused for ever.
 */
export function chatHistory({
  origin,
  rules,
}: ChatHistoryOptions): (parts: Buffer[], messages: Iterable<Message>, content: Content) => void {
  const written = new WeakMap<Message, Buffer>()
  const shown = new WeakMap<Result, Message>()
  const idOf = rules.history === "mistral" ? shortId : asksOpenAi(origin, rules) ? boundedId : asItIs

  function bytesOf(message: Message, content: Content): Buffer {
    const known = written.get(message)
    if (known !== undefined) return known
    const bytes = Buffer.from(comma + textOf(message, content))
    written.set(message, bytes)
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

  // No function is made for one request alone: what is compiled for it would be thrown away with it.
  function add(parts: Buffer[], message: Message, content: Content, last: Last): Last {
    if (message.role === "user" && last === "result" && rules.history === "mistral") parts.push(bridge)
    parts.push(bytesOf(message, content))
    return "other"
  }

  function addResults(
    parts: Buffer[],
    calls: readonly Call[],
    results: readonly Result[],
    content: Content,
    before: Last,
  ): Last {
    let last = before
    for (let index = 0; index < calls.length; index++) {
      const { wire } = calls[index]!
      const given = results[index]
      const result = given?.wire === wire ? given : results.find((other) => other.wire === wire)
      parts.push(result ? bytesOf(result, content) : Buffer.from(comma + resultText(idOf(wire), noResult)))
      last = "result"
    }
    for (const result of results) {
      const note = shownBy(result)
      if (note) last = add(parts, note, content, last)
    }
    return last
  }

  /** Results are text in this protocol: what they show comes after them. */
  function shownBy(result: Result): Message | undefined {
    if (!result.attachments) return undefined
    const text = `What the tool ${result.tool} gives with its result (${idOf(result.wire)}):`
    const note: Message = shown.get(result) ?? { role: "user", text, attachments: result.attachments }
    shown.set(result, note)
    return note
  }
}

const noResult = "No result was recorded for this call."

/** Mistral refuses a message of the user right after a result. */
const bridge = Buffer.from(`${comma}{"role":"assistant","content":"I have read the results."}`)

/** The only ids that Mistral takes; those of other providers are longer. */
const shortId = (wire: string): string =>
  /^[a-zA-Z0-9]{9}$/.test(wire) ? wire : createHash("sha256").update(wire).digest("hex").slice(0, 9)

const asItIs = (wire: string): string => wire

/** Itself, or behind a gateway. */
const asksOpenAi = ({ model }: Origin, { ids }: ChatRules): boolean =>
  ids === "bounded" || /^(?:openai\/)?(?:gpt-(?!oss)|o[1-9])/.test(model)

/** OpenAI takes no longer one; those of other providers can be longer. */
const boundedId = (wire: string): string =>
  wire.length <= 40 ? wire : `call_${createHash("sha256").update(wire).digest("hex").slice(0, 32)}`

const resultText = (wire: string, text: string): string =>
  `{"role":"tool","tool_call_id":${quoted(wire)},"content":${quoted(text)}}`

function userText(text: string, attachments: readonly Attachment[] | undefined, content: Content): string {
  if (!attachments || attachments.length === 0) return `{"role":"user","content":${quoted(text)}}`
  const parts = attachments.map((attachment) => attachmentText(attachment, content))
  const said = text === "" ? [] : [textPart(text)]
  return `{"role":"user","content":[${[...said, ...parts].join(",")}]}`
}

function attachmentText(attachment: Attachment, { contentOf }: Content): string {
  const { mediaType, name = "attachment" } = attachment
  const data = contentOf?.(attachment)
  if (data === undefined) return textPart(missingNote(attachment))
  const url = `data:${mediaType};base64,${data}`
  return mediaType === "application/pdf"
    ? `{"type":"file","file":{"filename":${quoted(name)},"file_data":${quoted(url)}}}`
    : `{"type":"image_url","image_url":{"url":${quoted(url)}}}`
}

function replyText(message: Reply, idOf: (wire: string) => string, options: ChatHistoryOptions): string {
  const { text, calls } = message
  const { fieldsText, content, extras } = keptOf(message, options)
  const said = content ?? (text === "" && calls.length > 0 ? "null" : quoted(text))
  if (calls.length === 0) return `{"role":"assistant","content":${said}${fieldsText}}`
  const asked = calls.map(
    (call, index) =>
      `{"id":${quoted(idOf(call.wire))},"type":"function",` +
      `"function":{"name":${quoted(shortName(call.tool))},"arguments":${quoted(call.arguments)}}${extras(index)}}`,
  )
  return `{"role":"assistant","content":${said}${fieldsText},"tool_calls":[${asked.join(",")}]}`
}

interface Kept {
  /** Fields of the message, with the comma before each. */
  readonly fieldsText: string
  /** In place of the text. */
  readonly content?: string
  extras(call: number): string
}

const nothingKept: Kept = { fieldsText: "", extras: () => "" }

/** What goes back to the provider that it came from, by its rule. What is signed goes back to the same model alone. */
function keptOf(message: Reply, { origin, rules }: ChatHistoryOptions): Kept {
  if (rules.reasoning === "forbidden") return nothingKept
  const kept = keptBy(message.provider, origin, "chat", "host") as ChatReasoning | undefined
  const signed = keptBy(message.provider, origin, "chat", "model") as ChatReasoning | undefined
  if (!kept && !isWanted(message, rules)) return nothingKept
  const {
    reasoning_content = rules.reasoning === "required" ? "" : undefined,
    reasoning,
    reasoning_text,
  } = kept ?? {}
  const { reasoning_details, extra_content, calls } = signed ?? {}
  const content = kept?.content && contentText(kept.content, message.text)
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
      const own = Array.isArray(calls) && calls.length === message.calls.length ? calls[call] : undefined
      const wanted = rules.signatures === "gemini" && call === 0 && !extra_content ? unsigned : undefined
      return field("extra_content", own ?? wanted)
    },
  }
}

/** DeepSeek refuses any reply without the field that belongs to a turn with calls, also one that holds none itself. */
const isWanted = ({ calls }: Reply, { reasoning, signatures }: ChatRules): boolean =>
  reasoning === "required" || (signatures === "gemini" && calls.length > 0)

/** Gemini's word for a call that another model wrote. */
const unsigned = { google: { thought_signature: "skip_thought_signature_validator" } }

const field = (name: string, value: unknown): string =>
  value === undefined || value === null ? "" : `,"${name}":${wellFormedJson(value)}`

/** Thinking between pieces of the text; where the text is not what it was, thinking comes first. */
function contentText(parts: NonNullable<ChatReasoning["content"]>, text: string): string {
  const lengths = parts.map((part) => {
    const { length } = fields(part)
    return typeof length === "number" ? length : 0
  })
  const isSame = lengths.reduce((sum, length) => sum + length, 0) === text.length
  const thoughts = parts.filter((part) => fields(part).type === "thinking")
  if (!isSame) return `[${[...thoughts.map((part) => JSON.stringify(part)), textPart(text)].join(",")}]`
  let at = 0
  const laid = parts.map((part, index) => {
    if (fields(part).type === "thinking") return JSON.stringify(part)
    const from = at
    at += lengths[index]!
    return textPart(text.slice(from, at))
  })
  return `[${laid.join(",")}]`
}

const textPart = (text: string): string => `{"type":"text","text":${quoted(text)}}`
