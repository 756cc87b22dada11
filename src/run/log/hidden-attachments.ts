import { isDocument, typeName } from "../../agent/attachments/kind.ts"
import type { Model } from "../../agent/model.ts"
import type { Attachment, Message } from "../../ground/message.ts"
import type { UnseenAttachment } from "./event.ts"
import type { SharedList } from "./list.ts"

/** The attachments that a model is not shown, each with the reason. */
export type HiddenAttachments = ReadonlyMap<Attachment, UnseenAttachment["why"]>

/**
 * Finds the attachments of a history that a model is not shown. These have a type that it cannot read, or
 * their content is gone. If all together are too much for a provider, the oldest are left out, too.
 */
export function findHiddenAttachments(
  messages: SharedList<Message>,
  { sees = [] }: Pick<Model, "sees">,
  contentOf: (attachment: Attachment) => string | undefined,
): HiddenAttachments {
  const hidden = new Map<Attachment, UnseenAttachment["why"]>()
  let [characters, count] = [0, 0]
  for (let index = messages.length - 1; index >= 0; index--)
    for (const attachment of listMessageAttachments(messages.at(index)!).toReversed()) {
      if (!sees.includes(attachment.mediaType)) {
        hidden.set(attachment, "type")
        continue
      }
      if (contentOf(attachment) === undefined) {
        hidden.set(attachment, "gone")
        continue
      }
      const length = Math.ceil(attachment.size / 3) * 4
      if (characters + length > mostCharacters || count === mostAttachments) hidden.set(attachment, "size")
      else [characters, count] = [characters + length, count + 1]
    }
  return hidden
}

export const listMessageAttachments = (message: Message): readonly Attachment[] =>
  message.role === "assistant" ? [] : (message.attachments ?? [])

/** The attachment as it is recorded in an event. */
export const toUnseen = (
  { blob, mediaType, name }: Attachment,
  why: UnseenAttachment["why"],
): UnseenAttachment => ({
  blob,
  mediaType,
  ...(name !== undefined && { name }),
  why,
})

/** The warning for the result of a run, or for its preview. */
export function describeUnseen(
  { blob, mediaType, name, why }: UnseenAttachment,
  model: string,
  is: "was" | "would be" = "was",
): string {
  const label = name ?? `A ${typeName[mediaType]} (${blob.slice(0, 8)})`
  switch (why) {
    case "type":
      return `${label} ${is === "was" ? "was not" : "would not be"} shown to ${model}, which does not read ${plural(mediaType)}.`
    case "size":
      return `${label} ${is === "was" ? "was no longer" : "would not be"} shown to ${model}: ${tooMuch}.`
    case "gone":
      return `${label} was not shown to ${model}, because its content (blob ${blob.slice(0, 8)}) is missing from the files of this run. If the answer needs it, attach it again.`
  }
}

/** The note for the model, in place of the attachment. */
export function writeUnseenNote({ mediaType, name }: Attachment, why: UnseenAttachment["why"]): string {
  const label = `${name ?? "An attachment"} (${typeName[mediaType]})`
  switch (why) {
    case "type":
      return `[${label} is not shown to you, because you cannot read ${plural(mediaType)}. Do not guess what it holds.]`
    case "size":
      return `[${label} is no longer shown: ${tooMuch}.]`
    case "gone":
      return `[${label} is missing from the files of this run. Do not guess what it holds.]`
  }
}

const plural = (mediaType: Attachment["mediaType"]): string =>
  isDocument(mediaType) ? "PDF documents" : "pictures"

/** The limits of one request; characters are counted as base64. */
const mostCharacters = 20_000_000
const mostAttachments = 100
const tooMuch = "newer attachments fill the request, which holds at most 20 MB or 100 attachments"
