/** The number of terminal columns of a text without control characters. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const grapheme of splitGraphemes(text)) width += graphemeWidth(grapheme)
  return width
}

export function splitGraphemes(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Made only for text that is not plain ASCII: its data take some milliseconds to load. */
let segmenter: Intl.Segmenter | undefined

function graphemeWidth(grapheme: string): 0 | 1 | 2 {
  if (/^\p{M}/u.test(grapheme)) return 0
  if (/^\p{Emoji_Presentation}/u.test(grapheme) || grapheme.includes("\ufe0f")) return 2
  const point = grapheme.codePointAt(0)!
  return wide.some(([first, last]) => point >= first && point <= last) ? 2 : 1
}

/** The blocks that Unicode calls wide or fullwidth (UAX #11); emoji have a property of their own. */
const wide: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x3247],
  [0x3250, 0xa4c6],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x1b2fb],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
]
