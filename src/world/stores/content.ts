import { hash } from "../../ground/crypto.ts"

/**
 * Encodes a text for storage, with its SHA-256. Half a surrogate pair has no UTF-8 form, so a text with one is stored
 * as UTF-16 after the mark FF FE. No UTF-8 text begins with that mark, so every string can be restored exactly.
 */
export function encodeContent(text: string): { readonly hash: string; readonly bytes: Buffer } {
  const bytes = text.isWellFormed() ? Buffer.from(text) : Buffer.from(`\ufeff${text}`, "utf16le")
  return { hash: hashOf(bytes), bytes }
}

export const hashOf = (bytes: Uint8Array): string => hash("sha256", bytes)

export function decodeContent(bytes: Buffer): string {
  return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString("utf16le", 2) : bytes.toString()
}
