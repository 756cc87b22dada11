import type { AttachmentType } from "../../ground/message.ts"

/** What a model reads besides text, in the words of the tables and settings. */
export type Sight = "image" | "pdf"

/** The types of files behind the words. */
export const typesSeen = (sees: readonly Sight[]): readonly AttachmentType[] =>
  sees.flatMap((word) => types[word] ?? [])

/** The words behind types of files. */
export const sightsIn = (sees: readonly AttachmentType[]): readonly Sight[] =>
  sightWords.filter((word) => types[word].some((type) => sees.includes(type)))

/**
 * What a model of that name reads where no table and no setting says it. Unknown ones read text only: a server that is
 * sent a picture which its model cannot read fails the whole request.
 */
export function usuallySees(model: string): readonly AttachmentType[] {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase()
  return typesSeen(usual.find(([pattern]) => pattern.test(name))?.[1] ?? [])
}

export const sightWords: readonly Sight[] = ["image", "pdf"]

const types: Readonly<Record<Sight, readonly AttachmentType[]>> = {
  image: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  pdf: ["application/pdf"],
}

/** The first that matches. Bedrock's names have a region and a vendor before them. */
const usual: readonly (readonly [RegExp, readonly Sight[]])[] = [
  [/^([a-z]+\.)*claude-/, ["image", "pdf"]],
  [/^gemini-/, ["image", "pdf"]],
  [/^(gpt-3|gpt-4($|-0|-32k)|gpt-oss|o1-mini|o1-preview|o3-mini)/, []],
  [/^(gpt-\d|chatgpt-|o\d)/, ["image"]],
]
