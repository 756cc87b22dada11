import { isUtf8 } from "node:buffer"
import fs, { type BigIntStats } from "node:fs"
import { type OpenFile, openFile, readBytesNow } from "../../ground/paths/open-file.ts"
import { PathRefusal } from "../../ground/paths/refusal.ts"

export type SourceText =
  | { readonly type: "text"; readonly bytes: Buffer; readonly text: string; readonly stats: BigIntStats }
  | { readonly type: "refused"; readonly reason: string }

/** The most bytes of a source file. Larger ones are nearly always generated. */
export const largestSource = 4 * 1024 * 1024

/** Reads a source file below `base`. Never follows a link and never throws for what the file is. */
export const readSourceText = (base: string, file: string): SourceText =>
  readOpenedText(() => openFile(base, file))

/** The same for a file that is opened otherwise. */
export function readOpenedText(openIt: () => OpenFile): SourceText {
  try {
    const open = openIt()
    try {
      if (open.stats.size > largestSource) return refused(tooLarge(Number(open.stats.size)))
      const bytes = readBytesNow(open, Number(open.stats.size))
      return { ...decodeSource(bytes), stats: open.stats } as SourceText
    } finally {
      fs.closeSync(open.descriptor)
    }
  } catch (error) {
    if (error instanceof PathRefusal) return refused(error.message)
    throw error
  }
}

/** Takes bytes as source text. Offsets in a text that is not UTF-8 would not fit the file. */
export function decodeSource(
  bytes: Buffer,
): { type: "text"; bytes: Buffer; text: string } | { type: "refused"; reason: string } {
  if (bytes.length > largestSource) return refused(tooLarge(bytes.length))
  if (bytes.includes(0)) return refused("it is binary: it has NUL bytes, so it was skipped.")
  if (!isUtf8(bytes)) return refused("it is not UTF-8, so it was skipped. Save it as UTF-8.")
  return { type: "text", bytes, text: bytes.toString("utf8") }
}

const refused = (reason: string) => ({ type: "refused", reason }) as const

const tooLarge = (size: number): string =>
  `it has ${size} bytes, and at most ${largestSource} are read, so it was skipped. Generated files belong in .gitignore.`
