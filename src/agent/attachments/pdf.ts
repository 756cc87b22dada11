/** The facts about a PDF that can be found without parsing it. */
export interface PdfFacts {
  /** Absent: the page list is compressed. */
  readonly pages?: number
  /** The reason why no model could read it. */
  readonly problem?: string
}

export function readPdfFacts(bytes: Buffer): PdfFacts {
  const text = bytes.toString("latin1")
  if (!text.includes("%%EOF", Math.max(0, text.length - tail))) return { problem: "is cut off" }
  if (/\/Encrypt\s{0,9}(?:<<|\d+\s+\d+\s+R)/.test(text)) return { problem: "is protected by a password" }
  const pages = Math.max(countOf(text, /\/Type\s*\/Page(?![A-Za-z])/g), largestCount(text))
  return pages > 0 ? { pages } : {}
}

const tail = 64 * 1024
const near = 2048

const countOf = (text: string, pattern: RegExp): number => {
  let count = 0
  for (const _ of text.matchAll(pattern)) count++
  return count
}

/** The root of the page tree has the number of pages. Outlines have a count, too. */
function largestCount(text: string): number {
  let largest = 0
  for (const { index } of text.matchAll(/\/Type\s*\/Pages(?![A-Za-z])/g)) {
    // A page list is a short dictionary. Searching further would take too long in a file with many.
    const before = text.slice(Math.max(0, index - near), index)
    const after = text.slice(index, index + near)
    const end = after.indexOf(">>")
    const inside = before.slice(before.lastIndexOf("<<") + 2) + (end < 0 ? after : after.slice(0, end))
    const count = /\/Count {0,9}(\d{1,9})/.exec(inside)
    if (count) largest = Math.max(largest, Number(count[1]))
  }
  return largest
}
