/** Functions for texts as in Python: they count characters, not UTF-16 units, and use Python's white space. */

const spaces =
  "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
const lineBreaks = "\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"

export function isSpace(character: string): boolean {
  return spaces.includes(character)
}

export function countCharacters(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; at++) if (!isSecondHalf(text, at)) length++
  return length
}

function stripLeft(text: string): string {
  let start = 0
  while (start < text.length && isSpace(text[start]!)) start++
  return text.slice(start)
}

export function stripRight(text: string): string {
  let end = text.length
  while (end > 0 && isSpace(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Removes these characters, or white space, from one or both ends. */
export function strip(text: string, side: "both" | "left" | "right", unwanted?: string): string {
  if (unwanted === undefined) {
    const left = side === "right" ? text : stripLeft(text)
    return side === "left" ? left : stripRight(left)
  }
  const characters = Array.from(text)
  const unwantedCharacters = new Set(unwanted)
  let start = 0
  let end = characters.length
  if (side !== "right") while (start < end && unwantedCharacters.has(characters[start]!)) start++
  if (side !== "left") while (end > start && unwantedCharacters.has(characters[end - 1]!)) end--
  return characters.slice(start, end).join("")
}

export function splitAtSpaces(text: string): string[] {
  const words: string[] = []
  let start = -1
  for (let at = 0; at <= text.length; at++) {
    const inside = at < text.length && !isSpace(text[at]!)
    if (inside && start < 0) start = at
    if (inside || start < 0) continue
    words.push(text.slice(start, at))
    start = -1
  }
  return words
}

export function splitLines(text: string): string[] {
  const lines: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (!lineBreaks.includes(text[at]!)) continue
    lines.push(text.slice(start, at))
    if (text.startsWith("\r\n", at)) at++
    start = at + 1
  }
  if (start < text.length) lines.push(text.slice(start))
  return lines
}

export function capitalize(text: string): string {
  const [first = ""] = text
  return first.toUpperCase() + text.slice(first.length).toLowerCase()
}

/** Compares by code points, whose order differs from the order of UTF-16 units above U+FFFF. */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  let at = 0
  while (at < length && left[at] === right[at]) at++
  if (at === length) return left.length - right.length
  if (isSecondHalf(left, at) && isSecondHalf(right, at)) at--
  return left.codePointAt(at)! - right.codePointAt(at)!
}

function isSecondHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 0xdc00 || unit > 0xdfff || at === 0) return false
  const before = text.charCodeAt(at - 1)
  return before >= 0xd800 && before <= 0xdbff
}
