import { detectAttachmentType } from "../../../agent/attachments/kind.ts"
import type { Json } from "../../../ground/message.ts"

/** Finds the problem with a picture or PDF in base64: a type that is not allowed, or data of another type. */
export function findAttachmentProblem(
  mediaType: Json | undefined,
  data: Json | undefined,
  allowed: readonly string[],
): string | undefined {
  if (!allowed.includes(String(mediaType)))
    return `media_type: Input should be ${allowed.map((type) => `'${type}'`).join(", ")}`
  if (typeof data !== "string" || data === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(data))
    return "data: a non-empty base64 text is required."
  const actual = detectAttachmentType(Buffer.from(data, "base64"))
  return actual === mediaType
    ? undefined
    : `The file was specified using the ${mediaType} media type, but the file appears to be ${actual ?? "another"}.`
}

/** Finds the same problems in a data URL. */
export function findDataUrlProblem(url: Json | undefined, allowed: readonly string[]): string | undefined {
  const match = /^data:([^;,]*);base64,(.*)$/s.exec(String(url))
  return match ? findAttachmentProblem(match[1], match[2], allowed) : "a data URL of base64 is required."
}

export const pictureTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"]
export const pdfTypes: readonly string[] = ["application/pdf"]
