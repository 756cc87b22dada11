/** A markdown file split into its YAML and its body, each with the offset where it begins. */
export type FrontmatterSplit =
  | {
      readonly type: "split"
      readonly yaml: string
      readonly yamlStart: number
      readonly body: string
      readonly bodyStart: number
    }
  /** No `---` in the first line. */
  | { readonly type: "none" }
  /** An opening `---` without a closing line. */
  | { readonly type: "unclosed"; readonly yamlStart: number }
  /** `---js` and the like: front matter in a language that some readers would run. */
  | { readonly type: "language"; readonly language: string }

/** The last result, because detecting the format of a file and reading the file both split the same text. */
let last: { readonly text: string; readonly split: FrontmatterSplit } | undefined

export function splitFrontmatter(text: string): FrontmatterSplit {
  if (last?.text !== text) last = { text, split: split(text) }
  return last.split
}

/** The opening of nearly every file, in the shape of a match of the pattern below. */
const plainOpening: readonly string[] = ["---\n", ""]

/** The closing line is exactly `---` or `...`: a value may begin with dashes, and a markdown rule may have four. */
function split(text: string): FrontmatterSplit {
  const begin = text.startsWith("\ufeff") ? 1 : 0
  const opening = text.startsWith("---\n", begin)
    ? plainOpening
    : /^---([^\r\n]*)(\r?\n|$)/.exec(text.slice(begin, begin + 200))
  if (!opening) return { type: "none" }
  const language = opening[1]!.trim()
  if (language !== "") return /^[A-Za-z]/.test(language) ? { type: "language", language } : { type: "none" }
  const yamlStart = begin + opening[0]!.length
  // Only a line feed ends a line: other readers do not end lines at a lone carriage return or a line separator.
  const closing = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$(?![\s\S]))/g
  closing.lastIndex = yamlStart - 1
  const closingLine = closing.exec(text)
  if (!closingLine) return { type: "unclosed", yamlStart }
  const bodyStart = closingLine.index + closingLine[0].length
  return {
    type: "split",
    yaml: text.slice(yamlStart, closingLine.index + 1),
    yamlStart,
    body: text.slice(bodyStart),
    bodyStart,
  }
}
