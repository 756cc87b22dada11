/** A text in pages of so many characters, which put together are the text. A line that fits on a page is on one. */
export function pagesOf(text: string, length: number): readonly string[] {
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
  // The break of a line that fills the page stays with it.
  const lastBreak = text.lastIndexOf("\n", end)
  if (lastBreak >= from) return lastBreak + 1
  // A character of two halves is not torn apart.
  return /^[\udc00-\udfff]/.test(text.charAt(end)) ? end - 1 : end
}
