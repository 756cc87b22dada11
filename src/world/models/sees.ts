import type { AttachmentType } from "../../ground/message.ts"

/** A type of input that a model reads besides text, in the words of tables and settings. */
export type Sight = "image" | "pdf"

/** The media types that the words mean. */
export const listMediaTypes = (sees: readonly Sight[]): readonly AttachmentType[] =>
  sees.flatMap((word) => types[word] ?? [])

/** The words for media types. */
export const listSights = (sees: readonly AttachmentType[]): readonly Sight[] =>
  sightWords.filter((word) => types[word].some((type) => sees.includes(type)))

/**
 * The media types that a model of this name usually reads, if no table and no setting says so. Unknown models read only
 * text: a server whose model cannot read a picture fails the whole request.
 */
export function guessSeenTypes(model: string): readonly AttachmentType[] {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase()
  return listMediaTypes(usual.find(([pattern]) => pattern.test(name))?.[1] ?? [])
}

export const sightWords: readonly Sight[] = ["image", "pdf"]

const types: Readonly<Record<Sight, readonly AttachmentType[]>> = {
  image: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  pdf: ["application/pdf"],
}

/** The first match counts. Bedrock's names have a region and a vendor first. */
const usual: readonly (readonly [RegExp, readonly Sight[]])[] = [
  [/^([a-z]+\.)*claude-/, ["image", "pdf"]],
  [/^gemini-/, ["image", "pdf"]],
  [/^(gpt-3|gpt-4($|-0|-32k)|gpt-oss|o1-mini|o1-preview|o3-mini)/, []],
  [/^(gpt-\d|chatgpt-|o\d)/, ["image"]],
]
