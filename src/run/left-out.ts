import { isDocument, typeName } from "../attachments/kind.ts"
import type { Attachment, Message } from "../message.ts"
import type { Model } from "../model.ts"
import type { Unseen } from "./event.ts"
import type { List } from "./list.ts"

/** Why a model is not shown an attachment. */
export type LeftOut = ReadonlyMap<Attachment, Unseen["why"]>

/**
 * What of the attachments of a history a model is not shown: types that it cannot read, and the oldest where all of them
 * would be more than a provider takes.
 */
export function leftOut(messages: List<Message>, { sees = [] }: Pick<Model, "sees">): LeftOut {
  const left = new Map<Attachment, Unseen["why"]>()
  let [characters, count] = [0, 0]
  for (let index = messages.length - 1; index >= 0; index--)
    for (const attachment of attachmentsOf(messages.at(index)!).toReversed()) {
      if (!sees.includes(attachment.mediaType)) {
        left.set(attachment, "type")
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

/** For whoever reads the result of the run. */
export function unseenWarning({ blob, mediaType, name, why }: Unseen, model: string): string {
  const shown = name ?? `A ${typeName[mediaType]} (${blob.slice(0, 8)})`
  return why === "type"
    ? `${shown} was not shown to ${model}, which does not read ${plural(mediaType)}.`
    : `${shown} was not shown to ${model} any more: ${tooMuch}.`
}

/** For the model, in place of the attachment. */
export function unseenNote({ mediaType, name }: Attachment, why: Unseen["why"]): string {
  const shown = `${name ?? "An attachment"} (${typeName[mediaType]})`
  return why === "type"
    ? `[${shown} is not shown to you, because you cannot read ${plural(mediaType)}. Do not guess what it holds.]`
    : `[${shown} is not shown any more: ${tooMuch}.]`
}

const plural = (mediaType: Attachment["mediaType"]): string =>
  isDocument(mediaType) ? "PDF documents" : "pictures"

/** Of base64, in one request. */
const mostCharacters = 20_000_000
const mostAttachments = 100
const tooMuch = "newer attachments take up all that one request may hold, 20 MB or 100 of them"
