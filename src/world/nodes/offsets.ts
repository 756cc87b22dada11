/** Converts UTF-16 offsets to lines, counted from 1. */
export function createLineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}

/** Converts the given UTF-16 offsets of a text to offsets in its UTF-8 bytes. */
export function createByteOffsets(
  text: string,
  size: number,
  offsets: readonly number[],
): (offset: number) => number {
  if (size === text.length) return (offset) => offset
  const bytes = new Map<number, number>()
  let before = 0
  let count = 0
  for (const offset of [...new Set(offsets)].sort((one, two) => one - two)) {
    count += Buffer.byteLength(text.slice(before, offset))
    before = offset
    bytes.set(offset, count)
  }
  return (offset) => bytes.get(offset)!
}
