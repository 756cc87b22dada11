import { describeThrown } from "../../ground/errors.ts"
import type { Attachment, AttachmentType } from "../../ground/message.ts"
import { detectAttachmentType, isDocument, typeName } from "./kind.ts"
import { readPdfFacts } from "./pdf.ts"
import { readPictureSize } from "./picture-size.ts"
import { type LoadSharp, listScaledFormats, loadSharp, type Sharp, scaleDown } from "./scale.ts"
import { mostPages } from "./tokens.ts"

/** A picture or PDF that can be sent, a note in its place, or the reason why it is neither. */
export type ReadAttachment =
  | {
      readonly type: "read"
      readonly attachment: Omit<Attachment, "blob" | "run">
      readonly bytes: Uint8Array
      /** The change that was made to it. */
      readonly note?: string
    }
  /** `note`: the text in its place, for the model and the caller. */
  | { readonly type: "too-large"; readonly note: string }
  | { readonly type: "broken"; readonly problem: string }
  | { readonly type: "unknown" }

/** Judges a file by its bytes. Scales a picture down if it is larger than providers accept. */
export async function readAttachment(
  content: Uint8Array,
  name: string | undefined,
  load: LoadSharp = loadSharp,
): Promise<ReadAttachment> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const mediaType = detectAttachmentType(bytes)
  if (!mediaType) return { type: "unknown" }
  const label = name ?? `A ${typeName[mediaType]}`
  if (isDocument(mediaType)) return readPdf(bytes, name, label)
  const picture = readPicture(mediaType, bytes, name)
  if (!picture)
    return {
      type: "broken",
      problem: `${label} is not a complete ${typeName[mediaType]}: it is damaged or cut off.`,
    }
  const excess = excessOf(picture.attachment)
  return excess === undefined ? picture : scalePicture(picture, { label, excess, name }, load)
}

type Picture = Extract<ReadAttachment, { type: "read" }>

function readPicture(
  mediaType: AttachmentType,
  bytes: Buffer,
  name: string | undefined,
): Picture | undefined {
  const size = readPictureSize(mediaType, bytes)
  return (
    size && {
      type: "read",
      attachment: { mediaType, size: bytes.length, ...size, ...(name !== undefined && { name }) },
      bytes,
    }
  )
}

async function scalePicture(
  { attachment, bytes }: Picture,
  {
    label,
    excess,
    name,
  }: { readonly label: string; readonly excess: string; readonly name: string | undefined },
  load: LoadSharp,
): Promise<ReadAttachment> {
  const tooLarge = (why: string): ReadAttachment => ({
    type: "too-large",
    note: `${label} is too large to be shown: ${excess}. ${why}`,
  })
  try {
    const sharp = await load()
    if (!sharp) return tooLarge("Install sharp to have it scaled down.")
    const picture = await findSmaller(sharp, attachment.mediaType, bytes, name)
    if (!picture) return tooLarge("It could not be made small enough.")
    return { ...picture, note: `${label} ${changeOf(attachment, picture.attachment)}.` }
  } catch (error) {
    return tooLarge(`Scaling it down failed: ${describeThrown(error)}`)
  }
}

/** Returns the first version that is small enough. */
async function findSmaller(
  sharp: Sharp,
  mediaType: AttachmentType,
  bytes: Uint8Array,
  name: string | undefined,
): Promise<Picture | undefined> {
  for (const format of listScaledFormats(mediaType)) {
    const scaledBytes = Buffer.from(await scaleDown(sharp, format, bytes))
    const type = detectAttachmentType(scaledBytes)
    const picture = type && readPicture(type, scaledBytes, name)
    if (picture && excessOf(picture.attachment) === undefined) return picture
  }
  return undefined
}

function changeOf(before: Picture["attachment"], after: Picture["attachment"]): string {
  if (before.width === after.width && before.height === after.height)
    return `was compressed from ${formatMegabytes(before.size)} to ${formatMegabytes(after.size)}`
  return `was scaled down from ${before.width} × ${before.height} to ${after.width} × ${after.height} pixels`
}

function readPdf(bytes: Buffer, name: string | undefined, label: string): ReadAttachment {
  const { pages, problem } = readPdfFacts(bytes)
  if (problem !== undefined) return { type: "broken", problem: `${label} ${problem}.` }
  const excess =
    bytes.length > mostPdfBytes
      ? `${formatMegabytes(bytes.length)}, at most ${formatMegabytes(mostPdfBytes)}`
      : (pages ?? 0) > mostPages
        ? `${pages} pages, at most ${mostPages}`
        : undefined
  if (excess !== undefined)
    return {
      type: "too-large",
      note: `${label} is too large to be shown: ${excess}. Use fewer pages.`,
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

/** The size of a picture that exceeds what every provider accepts. */
function excessOf({ size, width = 0, height = 0 }: Picture["attachment"]): string | undefined {
  if (size > mostPictureBytes) return `${formatMegabytes(size)}, at most ${formatMegabytes(mostPictureBytes)}`
  const side = Math.max(width, height)
  return side > mostPixels ? `${width} × ${height} pixels, at most ${mostPixels} on a side` : undefined
}

/** Five megabytes as base64: Anthropic's limit. */
const mostPictureBytes = 3_750_000
const mostPixels = 8000
/** 20 MB in base64, as it is sent: the limit for the attachments of a request. */
const mostPdfBytes = 15_000_000

export const formatMegabytes = (bytes: number): string =>
  `${Number((bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 2 : 1))} MB`
