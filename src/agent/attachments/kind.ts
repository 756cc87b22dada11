import type { AttachmentType } from "../../ground/message.ts"

/** The type of a file by its first bytes, because names can be wrong. Undefined for other types. */
export function detectAttachmentType(bytes: Uint8Array): AttachmentType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString("latin1")
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif"
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return "image/webp"
  return head.startsWith("%PDF-") ? "application/pdf" : undefined
}

/** The types for messages. */
export const attachmentTypesText = "PNG, JPEG, GIF and WebP pictures and PDF documents"

export const isDocument = (mediaType: AttachmentType): boolean => mediaType === "application/pdf"

/** The names for people. */
export const typeName: Readonly<Record<AttachmentType, string>> = {
  "image/png": "PNG picture",
  "image/jpeg": "JPEG picture",
  "image/gif": "GIF picture",
  "image/webp": "WebP picture",
  "application/pdf": "PDF document",
}
