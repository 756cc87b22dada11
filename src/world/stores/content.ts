import { hash } from "../../ground/crypto.ts"

/**
 * The bytes a text is kept as, and their SHA-256. Half a surrogate pair has no UTF-8 form: a text with one is kept as
 * UTF-16 behind the mark FF FE, which no UTF-8 text begins with, so that every string comes back as it was.
 */
export function contentOf(text: string): { readonly hash: string; readonly bytes: Buffer } {
  const bytes = text.isWellFormed() ? Buffer.from(text) : Buffer.from(`\ufeff${text}`, "utf16le")
  return { hash: hashOf(bytes), bytes }
}

export const hashOf = (bytes: Uint8Array): string => hash("sha256", bytes)

export function textOf(bytes: Buffer): string {
  return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString("utf16le", 2) : bytes.toString()
}
