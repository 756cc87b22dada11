import type { ModelRequest } from "../../../../agent/model.ts"
import type { Attachment, Call, Message } from "../../../../ground/message.ts"
import { quoted } from "../json.ts"
import { shortName } from "../tool-name.ts"
import { betweenTexts, type Part, reasoningText } from "./layout.ts"

export type ContentOf = ModelRequest["contentOf"]
export type AssistantMessage = Extract<Message, { role: "assistant" }>

/** What the user said, as an item. */
export const userItem = (
  { text, attachments = [] }: Extract<Message, { role: "user" }>,
  contentOf: ContentOf,
): string => `{"type":"message","role":"user","content":${contentText(text, attachments, contentOf)}}`

export const outputItem = (
  { wire, text, attachments = [] }: Pick<Extract<Message, { role: "tool" }>, "wire" | "text" | "attachments">,
  contentOf?: ContentOf,
): string =>
  `{"type":"function_call_output","call_id":${quoted(wire)},"output":${contentText(text, attachments, contentOf)}}`

/** The items of an answer, as it was laid out. They have no ids: nothing is stored that one could refer to. */
export function answerItems({ text, calls }: AssistantMessage, layout: readonly Part[]): readonly string[] {
  let [end, called] = [0, 0]
  return layout.map((part) => {
    switch (part.type) {
      case "reasoning":
        return reasoningText(part)
      case "message": {
        const start = end === 0 ? 0 : end + betweenTexts.length
        end = start + part.length
        const phase = part.phase === undefined ? "" : `,"phase":${quoted(part.phase)}`
        return `{"type":"message","role":"assistant","content":${quoted(text.slice(start, end))}${phase}}`
      }
      default:
        return callItem(calls[called++]!)
    }
  })
}

/** The provider takes no other name, also for a call whose tool nobody has. */
const callItem = ({ wire, tool, arguments: given }: Call): string =>
  `{"type":"function_call","call_id":${quoted(wire)},"name":${quoted(shortName(tool))},` +
  `"arguments":${quoted(given)}}`

/** A text alone, or a list of the text and what is attached to it. */
function contentText(text: string, attachments: readonly Attachment[], contentOf: ContentOf): string {
  if (attachments.length === 0) return quoted(text)
  const parts = text === "" ? [] : [textPart(text)]
  for (const attachment of attachments) parts.push(attachmentPart(attachment, contentOf?.(attachment)))
  return `[${parts.join(",")}]`
}

const textPart = (text: string): string => `{"type":"input_text","text":${quoted(text)}}`

function attachmentPart(attachment: Attachment, content: string | undefined): string {
  const { mediaType, name } = attachment
  const called = name ?? (mediaType === "application/pdf" ? "document.pdf" : "picture")
  if (content === undefined) return textPart(`[${called} (${mediaType}) is not available any more.]`)
  const data = quoted(`data:${mediaType};base64,${content}`)
  return mediaType === "application/pdf"
    ? `{"type":"input_file","filename":${quoted(called)},"file_data":${data}}`
    : `{"type":"input_image","detail":"auto","image_url":${data}}`
}
