import { messageOf } from "../../ground/errors.ts"
import type { Attachment, AttachmentType } from "../../ground/message.ts"
import { attachmentType, isDocument, typeName } from "./kind.ts"
import { pdfFacts } from "./pdf.ts"
import { pictureSize } from "./picture-size.ts"
import { formatsFor, type LoadSharp, loadSharp, type Sharp, scaleDown } from "./scale.ts"
import { mostPages } from "./tokens.ts"

/** A picture or PDF that can be sent, what is to be told in its place, or why it is neither. */
export type ReadAttachment =
  | {
      readonly type: "read"
      readonly attachment: Omit<Attachment, "blob" | "run">
      readonly bytes: Uint8Array
      /** What was done to it. */
      readonly note?: string
    }
  /** `note`: what a model and the caller are told in its place. */
  | { readonly type: "too-large"; readonly note: string }
  | { readonly type: "broken"; readonly problem: string }
  | { readonly type: "unknown" }

/** Judges a file by its bytes, and scales a picture down that is larger than providers take. */
export async function readAttachment(
  given: Uint8Array,
  name: string | undefined,
  load: LoadSharp = loadSharp,
): Promise<ReadAttachment> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const mediaType = attachmentType(bytes)
  if (!mediaType) return { type: "unknown" }
  const shown = name ?? `A ${typeName[mediaType]}`
  if (isDocument(mediaType)) return readPdf(bytes, name, shown)
  const picture = readPicture(mediaType, bytes, name)
  if (!picture)
    return {
      type: "broken",
      problem: `${shown} is no whole ${typeName[mediaType]}: it is damaged or cut off.`,
    }
  const excess = excessOf(picture.attachment)
  return excess === undefined ? picture : scaled(picture, { shown, excess, name }, load)
}

type Picture = Extract<ReadAttachment, { type: "read" }>

function readPicture(
  mediaType: AttachmentType,
  bytes: Buffer,
  name: string | undefined,
): Picture | undefined {
  const size = pictureSize(mediaType, bytes)
  return (
    size && {
      type: "read",
      attachment: { mediaType, size: bytes.length, ...size, ...(name !== undefined && { name }) },
      bytes,
    }
  )
}

async function scaled(
  { attachment, bytes }: Picture,
  {
    shown,
    excess,
    name,
  }: { readonly shown: string; readonly excess: string; readonly name: string | undefined },
  load: LoadSharp,
): Promise<ReadAttachment> {
  const tooLarge = (why: string): ReadAttachment => ({
    type: "too-large",
    note: `${shown} is too large to be shown: ${excess}. ${why}`,
  })
  try {
    const sharp = await load()
    if (!sharp) return tooLarge("Install sharp to have it scaled down.")
    const picture = await smaller(sharp, attachment.mediaType, bytes, name)
    if (!picture) return tooLarge("It could not be made small enough.")
    return { ...picture, note: `${shown} ${changeOf(attachment, picture.attachment)}.` }
  } catch (error) {
    return tooLarge(`Scaling it down failed: ${messageOf(error)}`)
  }
}

/** The first that is small enough. */
async function smaller(
  sharp: Sharp,
  mediaType: AttachmentType,
  bytes: Uint8Array,
  name: string | undefined,
): Promise<Picture | undefined> {
  for (const format of formatsFor(mediaType)) {
    const made = Buffer.from(await scaleDown(sharp, format, bytes))
    const type = attachmentType(made)
    const picture = type && readPicture(type, made, name)
    if (picture && excessOf(picture.attachment) === undefined) return picture
  }
  return undefined
}

function changeOf(before: Picture["attachment"], after: Picture["attachment"]): string {
  if (before.width === after.width && before.height === after.height)
    return `was compressed from ${megabytes(before.size)} to ${megabytes(after.size)}`
  return `was scaled down from ${before.width} × ${before.height} to ${after.width} × ${after.height} pixels`
}

function readPdf(bytes: Buffer, name: string | undefined, shown: string): ReadAttachment {
  const { pages, problem } = pdfFacts(bytes)
  if (problem !== undefined) return { type: "broken", problem: `${shown} ${problem}.` }
  const excess =
    bytes.length > mostPdfBytes
      ? `${megabytes(bytes.length)}, at most ${megabytes(mostPdfBytes)}`
      : (pages ?? 0) > mostPages
        ? `${pages} pages, at most ${mostPages}`
        : undefined
  if (excess !== undefined)
    return {
      type: "too-large",
      note: `${shown} is too large to be shown: ${excess}. Take fewer pages of it.`,
    }
  return {
    type: "read",
    attachment: {
      mediaType: "application/pdf",
      size: bytes.length,
      ...(pages !== undefined && { pages }),
      ...(name !== undefined && { name }),
    },
    bytes,
  }
}

/** What of a picture is more than every provider takes. */
function excessOf({ size, width = 0, height = 0 }: Picture["attachment"]): string | undefined {
  if (size > mostPictureBytes) return `${megabytes(size)}, at most ${megabytes(mostPictureBytes)}`
  const side = Math.max(width, height)
  return side > mostPixels ? `${width} × ${height} pixels, at most ${mostPixels} on a side` : undefined
}

/** Five megabytes as base64, which is what Anthropic takes. */
const mostPictureBytes = 3_750_000
const mostPixels = 8000
/** In base64, as it is sent, that is 20 MB: what a request may have of attachments. */
const mostPdfBytes = 15_000_000

export const megabytes = (bytes: number): string =>
  `${Number((bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 2 : 1))} MB`
