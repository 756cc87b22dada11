/** What can be told of a PDF without reading it as one. */
export interface PdfFacts {
  /** Absent: its page list is compressed. */
  readonly pages?: number
  /** Why no model could read it. */
  readonly problem?: string
}

export function pdfFacts(bytes: Buffer): PdfFacts {
  const text = bytes.toString("latin1")
  if (!text.includes("%%EOF", Math.max(0, text.length - tail))) return { problem: "is cut off" }
  if (/\/Encrypt\s+\d+\s+\d+\s+R/.test(text)) return { problem: "is protected by a password" }
  const pages = Math.max(countOf(text, /\/Type\s*\/Page(?![A-Za-z])/g), largestCount(text))
  return pages > 0 ? { pages } : {}
}

const tail = 64 * 1024

const countOf = (text: string, pattern: RegExp): number => {
  let count = 0
  for (const _ of text.matchAll(pattern)) count++
  return count
}

/** The root of the page tree says how many there are. Outlines have a count, too. */
function largestCount(text: string): number {
  let largest = 0
  for (const { index } of text.matchAll(/\/Type\s*\/Pages(?![A-Za-z])/g)) {
    const start = text.lastIndexOf("<<", index)
    const end = text.indexOf(">>", index)
    const found = /\/Count\s+(\d+)/.exec(text.slice(start, end < 0 ? undefined : end))
    if (found) largest = Math.max(largest, Number(found[1]))
  }
  return largest
}
