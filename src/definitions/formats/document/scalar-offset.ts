import type { Span } from "../../../ground/diagnostics/position.ts"

/**
 * Maps a stretch of a text value to its place in the YAML source, where quotes, escapes, folded lines and indentation
 * shift offsets. `scalar` is the span of the whole value in the file.
 */
export function locateInScalar(
  text: string,
  scalar: Span,
  value: string,
  { offset, length }: { readonly offset: number; readonly length: number },
): Span {
  const written = text.slice(scalar.start, scalar.end)
  const start = offsetIn(written, value, offset)
  const end = Math.max(offsetIn(written, value, offset + length), Math.min(start + 1, written.length))
  return { start: scalar.start + start, end: scalar.start + end }
}

/** Walks through the source and the value together, up to the target character. */
function offsetIn(written: string, value: string, target: number): number {
  let at = bodyStart(written)
  let read = 0
  for (;;) {
    const blanks = /^[ \t]*\r?\n\s*/.exec(written.slice(at))?.[0].length ?? 0
    if (blanks > 0) {
      const folded = /^\s*/.exec(value.slice(read))![0].length
      if (read + folded > target) return at
      at += blanks
      read += folded
    }
    if (read >= target || at >= written.length) return Math.min(at, written.length)
    const piece = pieceAt(written, at)
    at += piece.written
    read += piece.read
  }
}

/** The offset after the opening quote, or after the first line of a block. */
function bodyStart(written: string): number {
  if (/^["']/.test(written)) return 1
  return /^[|>][^\r\n]*/.exec(written)?.[0].length ?? 0
}

/** The length of the next piece in the source, and the length that it has in the value. */
function pieceAt(written: string, at: number): { readonly written: number; readonly read: number } {
  if (written.startsWith("'") && written.startsWith("''", at)) return { written: 2, read: 1 }
  if (!written.startsWith('"') || written[at] !== "\\") return { written: 1, read: 1 }
  const [sequence, code] = escapeAt.exec(written.slice(at)) ?? ["\\"]
  if (/^\\\r?\n/.test(sequence)) return { written: sequence.length, read: 0 }
  return { written: sequence.length, read: code !== undefined && Number.parseInt(code, 16) > 0xffff ? 2 : 1 }
}

const escapeAt = /^\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U([0-9a-fA-F]{8})|\r?\n\s*|.)/s
