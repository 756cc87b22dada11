/**
 * A foreign text as a model and a person may see it: without what no reader sees and what steers a terminal, and no more
 * than so many bytes of it. Line breaks and tabs stay.
 */
export function plainText(text: string, most: number): string {
  const plain = text.toWellFormed().replace(/\r\n?/g, "\n").replace(hidden, "")
  if (plain.length * 3 <= most || Buffer.byteLength(plain) <= most) return plain
  const note = " [cut]"
  let end = most - note.length
  const bytes = Buffer.from(plain)
  while (end > 0 && bytes[end]! >> 6 === 0b10) end--
  return bytes.toString("utf8", 0, end) + note
}

/** Control characters but for tab and line break, and those that only steer what stands around them. */
const hidden = /[^\P{Cc}\t\n]|\p{Cf}|[\u2028\u2029]|\u{E0000}|[\u{FE00}-\u{FE0E}]/gu
