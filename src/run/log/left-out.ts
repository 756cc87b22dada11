import { isDocument, typeName } from "../../agent/attachments/kind.ts"
import type { Model } from "../../agent/model.ts"
import type { Attachment, Message } from "../../ground/message.ts"
import type { Unseen } from "./event.ts"
import type { List } from "./list.ts"

/** Why a model is not shown an attachment. */
export type LeftOut = ReadonlyMap<Attachment, Unseen["why"]>

/**
 * What of the attachments of a history a model is not shown: types that it cannot read, those whose content is gone, and
 * the oldest where all of them would be more than a provider takes.
 */
export function leftOut(
  messages: List<Message>,
  { sees = [] }: Pick<Model, "sees">,
  contentOf: (attachment: Attachment) => string | undefined,
): LeftOut {
  const left = new Map<Attachment, Unseen["why"]>()
  let [characters, count] = [0, 0]
  for (let index = messages.length - 1; index >= 0; index--)
    for (const attachment of attachmentsOf(messages.at(index)!).toReversed()) {
      if (!sees.includes(attachment.mediaType)) {
        left.set(attachment, "type")
        continue
      }
      if (contentOf(attachment) === undefined) {
        left.set(attachment, "gone")
        continue
      }
      const length = Math.ceil(attachment.size / 3) * 4
      if (characters + length > mostCharacters || count === mostAttachments) left.set(attachment, "size")
      else [characters, count] = [characters + length, count + 1]
    }
  return left
}

export const attachmentsOf = (message: Message): readonly Attachment[] =>
  message.role === "assistant" ? [] : (message.attachments ?? [])

/** As an event tells it. */
export const unseenOf = ({ blob, mediaType, name }: Attachment, why: Unseen["why"]): Unseen => ({
  blob,
  mediaType,
  ...(name !== undefined && { name }),
  why,
})

/** For whoever reads the result of the run, or asks what it would come to. */
export function unseenWarning(
  { blob, mediaType, name, why }: Unseen,
  model: string,
  is: "was" | "would be" = "was",
): string {
  const shown = name ?? `A ${typeName[mediaType]} (${blob.slice(0, 8)})`
  switch (why) {
    case "type":
      return `${shown} ${is === "was" ? "was not" : "would not be"} shown to ${model}, which does not read ${plural(mediaType)}.`
    case "size":
      return `${shown} ${is === "was" ? "was not" : "would not be"} shown to ${model}${is === "was" ? " any more" : ""}: ${tooMuch}.`
    case "gone":
      return `${shown} was not shown to ${model}, because its content (blob ${blob.slice(0, 8)}) is missing from the files of this run. Attach it again if the answer needs it.`
  }
}

/** For the model, in place of the attachment. */
export function unseenNote({ mediaType, name }: Attachment, why: Unseen["why"]): string {
  const shown = `${name ?? "An attachment"} (${typeName[mediaType]})`
  switch (why) {
    case "type":
      return `[${shown} is not shown to you, because you cannot read ${plural(mediaType)}. Do not guess what it holds.]`
    case "size":
      return `[${shown} is not shown any more: ${tooMuch}.]`
    case "gone":
      return `[${shown} is missing from the files of this run. Do not guess what it holds.]`
  }
}

const plural = (mediaType: Attachment["mediaType"]): string =>
  isDocument(mediaType) ? "PDF documents" : "pictures"

/** Of base64, in one request. */
const mostCharacters = 20_000_000
const mostAttachments = 100
const tooMuch = "newer attachments take up all that one request may hold, 20 MB or 100 of them"
