/** A part of a text, by UTF-16 offsets; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Counted from 1, as people and editors do; columns in UTF-16 units. */
export interface TextPosition {
  /** The line, counted from 1. */
  readonly line: number
  /** The column, counted from 1, in UTF-16 units. */
  readonly column: number
}

/** A part of a text by its lines and columns. */
export interface TextRange {
  /** The position of its first character. */
  readonly start: TextPosition
  /** The position after its last character. */
  readonly end: TextPosition
}

/** Converts offsets to lines and columns. Built only when something is shown. */
export function createRangeFinder(text: string): (span: Span) => TextRange {
  const starts = lineStarts(text)
  const position = (offset: number): TextPosition => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - starts[low]! + 1 }
  }
  return ({ start, end }) => ({ start: position(start), end: position(end) })
}

/** Converts a position to an offset; undefined if the text has no such place. */
export function createOffsetFinder(text: string): (position: TextPosition) => number | undefined {
  const starts = lineStarts(text)
  return ({ line, column }) => {
    const start = starts[line - 1]
    if (start === undefined) return undefined
    const last = (starts[line] ?? text.length + 1) - 1
    const offset = start + column - 1
    return column >= 1 && offset <= last ? offset : undefined
  }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return starts
}
