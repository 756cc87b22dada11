import type { ModelRequest } from "../../../../agent/model.ts"
import type { Attachment, Call, Message } from "../../../../ground/message.ts"
import { objectText, quoted } from "../json.ts"
import { missingNote } from "../missing-attachment.ts"
import type { Origin } from "../provider-data.ts"
import { usableName } from "../tool-name.ts"
import { layoutOf, thinkingText } from "./layout.ts"

/** What stands before the first block of a message that follows one of the other role. */
export const turnOf = {
  user: ']},{"role":"user","content":[',
  assistant: ']},{"role":"assistant","content":[',
}

/** Writes messages for a provider: what only another one can read is left out. */
type TurnWriter = (message: Message, content: Content) => Buffer

type Content = Pick<ModelRequest, "contentOf">

/**
 * A message as a turn of its own, with `turnOf` before it and without its end; empty where it has nothing to
 * say. It is written once in its life.
 */
export function turnWriter(origin: Origin): TurnWriter {
  const written = new WeakMap<Message, Buffer>()
  return (message, content) => {
    const known = written.get(message)
    if (known !== undefined) return known
    const blocks = blocksOf(message, origin, content)
    const turn = turnOf[message.role === "assistant" ? "assistant" : "user"]
    const bytes = Buffer.from(blocks.length === 0 ? "" : turn + blocks.join(","))
    written.set(message, bytes)
    return bytes
  }
}

/** Calls have a result each, or the provider refuses the history for ever. */
export const missingResult = ({ wire }: Call): Buffer =>
  Buffer.from(turnOf.user + resultText(wire, "No result was recorded for this call.", true))

function blocksOf(message: Message, origin: Origin, content: Content): readonly string[] {
  switch (message.role) {
    case "user": {
      const shown = (message.attachments ?? []).map((one) => attachmentBlock(one, content))
      const said = textBlock(message.text)
      return said === undefined && shown.length === 0
        ? ['{"type":"text","text":"(empty)"}']
        : [...shown, ...(said === undefined ? [] : [said])]
    }
    case "tool":
      return [resultBlock(message, content)]
    case "assistant": {
      let [characters, calls] = [0, 0]
      const blocks = layoutOf(message, origin).map((part) => {
        switch (part.type) {
          case "text":
            characters += part.length
            return textBlock(message.text.slice(characters - part.length, characters))
          case "call":
            return callText(message.calls[calls++]!)
          default:
            return thinkingText(part)
        }
      })
      return withoutLoose(blocks.filter((block) => block !== undefined))
    }
  }
}

/** A reply that ends in thinking is refused, such as one that was cut before what it led to. */
function withoutLoose(blocks: readonly string[]): readonly string[] {
  const last = blocks.findLastIndex((block) => !thought.test(block))
  return last === blocks.length - 1 ? blocks : blocks.slice(0, last + 1)
}

const thought = /^\{"type":"(?:redacted_)?thinking"/

/** Text without a word in it is refused. */
const textBlock = (text: string): string | undefined =>
  text.trim() === "" ? undefined : `{"type":"text","text":${quoted(text)}}`

const callText = (call: Call): string =>
  `{"type":"tool_use","id":${quoted(call.wire)},"name":${quoted(usableName(call.tool))},` +
  `"input":${objectText(call.arguments)}}`

type Result = Extract<Message, { role: "tool" }>

function resultBlock({ wire, text, isError, attachments }: Result, content: Content): string {
  if (!attachments) return resultText(wire, text, isError === true)
  const said = textBlock(text)
  const blocks = [
    ...(said === undefined ? [] : [said]),
    ...attachments.map((one) => attachmentBlock(one, content)),
  ]
  return `{"type":"tool_result","tool_use_id":${quoted(wire)},"content":[${blocks.join(",")}]${isError ? ',"is_error":true' : ""}}`
}

function attachmentBlock(attachment: Attachment, { contentOf }: Content): string {
  const { mediaType, name = "The attachment" } = attachment
  const data = contentOf?.(attachment)
  if (data === undefined) return `{"type":"text","text":${quoted(missingNote(attachment))}}`
  const source = `"source":{"type":"base64","media_type":${quoted(mediaType)},"data":${quoted(data)}}`
  return mediaType === "application/pdf"
    ? `{"type":"document",${source}${attachment.name === undefined ? "" : `,"title":${quoted(name)}`}}`
    : `{"type":"image",${source}}`
}

/** Blank content is refused in some places and may be left out in all. */
function resultText(wire: string, text: string, isError: boolean): string {
  const content = text.trim() === "" ? "" : `,"content":${quoted(text)}`
  return `{"type":"tool_result","tool_use_id":${quoted(wire)}${content}${isError ? ',"is_error":true' : ""}}`
}
