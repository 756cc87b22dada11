import type { AttachmentType } from "../../ground/message.ts"

/** What a file is, by its first bytes: names lie. Undefined where it is none of these. */
export function attachmentType(bytes: Uint8Array): AttachmentType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString("latin1")
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif"
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return "image/webp"
  return head.startsWith("%PDF-") ? "application/pdf" : undefined
}

/** For messages. */
export const knownTypes = "PNG, JPEG, GIF and WebP pictures and PDF documents"

export const isDocument = (mediaType: AttachmentType): boolean => mediaType === "application/pdf"

/** As a person calls it. */
export const typeName: Readonly<Record<AttachmentType, string>> = {
  "image/png": "PNG picture",
  "image/jpeg": "JPEG picture",
  "image/gif": "GIF picture",
  "image/webp": "WebP picture",
  "application/pdf": "PDF document",
}
