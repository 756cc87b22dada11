import type { ModelRequest } from "../../../../agent/model.ts"
import type { Attachment, Message, ToolCall } from "../../../../ground/message.ts"
import { quoteJson } from "../json.ts"
import { toShortName } from "../tool-name.ts"
import { betweenTexts, type ResponsePart, writeReasoning } from "./layout.ts"

export type ContentOf = ModelRequest["contentOf"]
export type AssistantMessage = Extract<Message, { role: "assistant" }>

/** A user's message as an item. */
export const writeUserItem = (
  { text, attachments = [] }: Extract<Message, { role: "user" }>,
  contentOf: ContentOf,
): string => `{"type":"message","role":"user","content":${contentText(text, attachments, contentOf)}}`

export const writeOutputItem = (
  { wire, text, attachments = [] }: Pick<Extract<Message, { role: "tool" }>, "wire" | "text" | "attachments">,
  contentOf?: ContentOf,
): string =>
  `{"type":"function_call_output","call_id":${quoteJson(wire)},"output":${contentText(text, attachments, contentOf)}}`

/** The items of an answer, in its layout. They have no ids, because nothing is stored that an id could refer to. */
export function writeAnswerItems(
  { text, calls }: AssistantMessage,
  layout: readonly ResponsePart[],
): readonly string[] {
  let [end, called] = [0, 0]
  return layout.map((part) => {
    switch (part.type) {
      case "reasoning":
        return writeReasoning(part)
      case "message": {
        const start = end === 0 ? 0 : end + betweenTexts.length
        end = start + part.length
        const phase = part.phase === undefined ? "" : `,"phase":${quoteJson(part.phase)}`
        return `{"type":"message","role":"assistant","content":${quoteJson(text.slice(start, end))}${phase}}`
      }
      default:
        return callItem(calls[called++]!)
    }
  })
}

/** The provider accepts only such names, even for a call of an unknown tool. */
const callItem = ({ wire, tool, arguments: callArguments }: ToolCall): string =>
  `{"type":"function_call","call_id":${quoteJson(wire)},"name":${quoteJson(toShortName(tool))},` +
  `"arguments":${quoteJson(callArguments)}}`

/** The text alone, or a list of the text and its attachments. */
function contentText(text: string, attachments: readonly Attachment[], contentOf: ContentOf): string {
  if (attachments.length === 0) return quoteJson(text)
  const parts = text === "" ? [] : [textPart(text)]
  for (const attachment of attachments) parts.push(attachmentPart(attachment, contentOf?.(attachment)))
  return `[${parts.join(",")}]`
}

const textPart = (text: string): string => `{"type":"input_text","text":${quoteJson(text)}}`

function attachmentPart(attachment: Attachment, content: string | undefined): string {
  const { mediaType, name } = attachment
  const fileName = name ?? (mediaType === "application/pdf" ? "document.pdf" : "picture")
  if (content === undefined) return textPart(`[${fileName} (${mediaType}) is no longer available.]`)
  const data = quoteJson(`data:${mediaType};base64,${content}`)
  return mediaType === "application/pdf"
    ? `{"type":"input_file","filename":${quoteJson(fileName)},"file_data":${data}}`
    : `{"type":"input_image","detail":"auto","image_url":${data}}`
}
