import type { Span } from "../../../ground/diagnostics/position.ts"

/**
 * Where a stretch of a text value stands in YAML as it is written: quotes, escapes, folded lines and indentation move
 * offsets. `scalar` is the whole value in the file.
 */
export function spanInScalar(
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

/** Goes through both at once, up to the character that is wanted. */
function offsetIn(written: string, value: string, wanted: number): number {
  let at = bodyStart(written)
  let read = 0
  for (;;) {
    const blanks = /^[ \t]*\r?\n\s*/.exec(written.slice(at))?.[0].length ?? 0
    if (blanks > 0) {
      const folded = /^\s*/.exec(value.slice(read))![0].length
      if (read + folded > wanted) return at
      at += blanks
      read += folded
    }
    if (read >= wanted || at >= written.length) return Math.min(at, written.length)
    const piece = pieceAt(written, at)
    at += piece.written
    read += piece.read
  }
}

/** Behind the quote, or the line that a block begins with. */
function bodyStart(written: string): number {
  if (/^["']/.test(written)) return 1
  return /^[|>][^\r\n]*/.exec(written)?.[0].length ?? 0
}

/** How much stands there for how much of the value. */
function pieceAt(written: string, at: number): { readonly written: number; readonly read: number } {
  if (written.startsWith("'") && written.startsWith("''", at)) return { written: 2, read: 1 }
  if (!written.startsWith('"') || written[at] !== "\\") return { written: 1, read: 1 }
  const [spelled, code] = escapeAt.exec(written.slice(at)) ?? ["\\"]
  if (/^\\\r?\n/.test(spelled)) return { written: spelled.length, read: 0 }
  return { written: spelled.length, read: code !== undefined && Number.parseInt(code, 16) > 0xffff ? 2 : 1 }
}

const escapeAt = /^\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U([0-9a-fA-F]{8})|\r?\n\s*|.)/s
