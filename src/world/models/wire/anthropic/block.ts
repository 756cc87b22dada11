import type { ModelRequest } from "../../../../agent/model.ts"
import type { Attachment, Message, ToolCall } from "../../../../ground/message.ts"
import { quoteJson, toObjectText } from "../json.ts"
import { describeMissingAttachment } from "../missing-attachment.ts"
import type { ReplyOrigin } from "../provider-data.ts"
import { toUsableName } from "../tool-name.ts"
import { readAnthropicLayout, writeThinking } from "./layout.ts"

/** The text before the first block of a message that follows one of the other role. */
export const turnStarts = {
  user: ']},{"role":"user","content":[',
  assistant: ']},{"role":"assistant","content":[',
}

/** Writes messages for a provider, without data that only another provider can read. */
type TurnWriter = (message: Message, content: Content) => Buffer

type Content = Pick<ModelRequest, "contentOf">

/**
 * Writes a message as a turn: with `turnOf` before it, and without its end. A message without content is empty. Each
 * message is written once in its life.
 */
export function createTurnWriter(origin: ReplyOrigin): TurnWriter {
  const cache = new WeakMap<Message, Buffer>()
  return (message, content) => {
    const cachedBytes = cache.get(message)
    if (cachedBytes !== undefined) return cachedBytes
    const blocks = blocksOf(message, origin, content)
    const turn = turnStarts[message.role === "assistant" ? "assistant" : "user"]
    const bytes = Buffer.from(blocks.length === 0 ? "" : turn + blocks.join(","))
    cache.set(message, bytes)
    return bytes
  }
}

/** Each call needs a result, or the provider refuses the history for ever. */
export const writeMissingResult = ({ wire }: ToolCall): Buffer =>
  Buffer.from(turnStarts.user + resultText(wire, "No result was recorded for this call.", true))

function blocksOf(message: Message, origin: ReplyOrigin, content: Content): readonly string[] {
  switch (message.role) {
    case "user": {
      const attachmentBlocks = (message.attachments ?? []).map((one) => attachmentBlock(one, content))
      const textPart = textBlock(message.text)
      return textPart === undefined && attachmentBlocks.length === 0
        ? ['{"type":"text","text":"(empty)"}']
        : [...attachmentBlocks, ...(textPart === undefined ? [] : [textPart])]
    }
    case "tool":
      return [resultBlock(message, content)]
    case "assistant": {
      let [characters, calls] = [0, 0]
      const blocks = readAnthropicLayout(message, origin).map((part) => {
        switch (part.type) {
          case "text":
            characters += part.length
            return textBlock(message.text.slice(characters - part.length, characters))
          case "call":
            return callText(message.calls[calls++]!)
          default:
            return writeThinking(part)
        }
      })
      return withoutTrailingThinking(blocks.filter((block) => block !== undefined))
    }
  }
}

/** Removes thinking at the end, which the provider refuses. A reply that was cut can end like that. */
function withoutTrailingThinking(blocks: readonly string[]): readonly string[] {
  const last = blocks.findLastIndex((block) => !thinkingBlock.test(block))
  return blocks.slice(0, last + 1)
}

const thinkingBlock = /^\{"type":"(?:redacted_)?thinking"/

/** The provider refuses blank text. */
const textBlock = (text: string): string | undefined =>
  text.trim() === "" ? undefined : `{"type":"text","text":${quoteJson(text)}}`

const callText = (call: ToolCall): string =>
  `{"type":"tool_use","id":${quoteJson(call.wire)},"name":${quoteJson(toUsableName(call.tool))},` +
  `"input":${toObjectText(call.arguments)}}`

type Result = Extract<Message, { role: "tool" }>

function resultBlock({ wire, text, isError, attachments }: Result, content: Content): string {
  if (!attachments) return resultText(wire, text, isError === true)
  const textPart = textBlock(text)
  const blocks = [
    ...(textPart === undefined ? [] : [textPart]),
    ...attachments.map((one) => attachmentBlock(one, content)),
  ]
  return `{"type":"tool_result","tool_use_id":${quoteJson(wire)},"content":[${blocks.join(",")}]${isError ? ',"is_error":true' : ""}}`
}

function attachmentBlock(attachment: Attachment, { contentOf }: Content): string {
  const { mediaType, name = "The attachment" } = attachment
  const data = contentOf?.(attachment)
  if (data === undefined) return `{"type":"text","text":${quoteJson(describeMissingAttachment(attachment))}}`
  const source = `"source":{"type":"base64","media_type":${quoteJson(mediaType)},"data":${quoteJson(data)}}`
  return mediaType === "application/pdf"
    ? `{"type":"document",${source}${attachment.name === undefined ? "" : `,"title":${quoteJson(name)}`}}`
    : `{"type":"image",${source}}`
}

/** Blank content is refused in some places and optional in all. */
function resultText(wire: string, text: string, isError: boolean): string {
  const content = text.trim() === "" ? "" : `,"content":${quoteJson(text)}`
  return `{"type":"tool_result","tool_use_id":${quoteJson(wire)}${content}${isError ? ',"is_error":true' : ""}}`
}
