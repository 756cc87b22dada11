/**
 * Splits a text into pages of at most this length. Joined together, they are the text again. A line that fits
 * on a page is not split.
 */
export function splitPages(text: string, length: number): readonly string[] {
  const pages: string[] = []
  for (let from = 0; from < text.length; ) {
    const to = endOfPage(text, from, length)
    pages.push(text.slice(from, to))
    from = to
  }
  return pages.length === 0 ? [text] : pages
}

function endOfPage(text: string, from: number, length: number): number {
  const end = from + length
  if (end >= text.length) return text.length
  // The line break of a line that fills the page stays with it.
  const lastBreak = text.lastIndexOf("\n", end)
  if (lastBreak >= from) return lastBreak + 1
  // A surrogate pair is not split.
  return /^[\udc00-\udfff]/.test(text.charAt(end)) ? end - 1 : end
}
