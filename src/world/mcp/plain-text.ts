/**
 * Makes a foreign text safe to show: removes invisible characters and those that control a terminal, and cuts it to
 * `most` bytes. Line breaks and tabs stay.
 */
export function cleanText(text: string, most: number): string {
  const plain = text.toWellFormed().replace(/\r\n?/g, "\n").replace(hidden, "")
  if (plain.length * 3 <= most || Buffer.byteLength(plain) <= most) return plain
  const note = " [cut]"
  let end = most - note.length
  const bytes = Buffer.from(plain)
  while (end > 0 && bytes[end]! >> 6 === 0b10) end--
  return bytes.toString("utf8", 0, end) + note
}

/**
 * Control characters except tab and line break, and format characters, which only change how the text around them
 * looks.
 */
const hidden = /[^\P{Cc}\t\n]|\p{Cf}|[\u2028\u2029]|\u{E0000}|[\u{FE00}-\u{FE0E}]/gu
