/** A markdown file cut into its YAML and its body, each with the offset it begins at. */
export type Split =
  | {
      readonly type: "split"
      readonly yaml: string
      readonly yamlStart: number
      readonly body: string
      readonly bodyStart: number
    }
  /** No `---` in the first line. */
  | { readonly type: "none" }
  /** `---` with nothing that closes it. */
  | { readonly type: "unclosed"; readonly yamlStart: number }
  /** `---js` and the like: front matter in a language that some readers would run. */
  | { readonly type: "language"; readonly language: string }

/** Who reads a file looks into it first: the last text is cut once for both. */
let last: { readonly text: string; readonly split: Split } | undefined

export function splitFrontmatter(text: string): Split {
  if (last?.text !== text) last = { text, split: split(text) }
  return last.split
}

/** What nearly every file begins with, as the pattern would find it. */
const plainOpening: readonly string[] = ["---\n", ""]

/** The closing line is the first that holds nothing but `---` or `...`: a value may begin with dashes, a rule may have four. */
function split(text: string): Split {
  const begin = text.startsWith("\ufeff") ? 1 : 0
  const opening = text.startsWith("---\n", begin)
    ? plainOpening
    : /^---([^\r\n]*)(\r?\n|$)/.exec(text.slice(begin, begin + 200))
  if (!opening) return { type: "none" }
  const language = opening[1]!.trim()
  if (language !== "") return /^[A-Za-z]/.test(language) ? { type: "language", language } : { type: "none" }
  const yamlStart = begin + opening[0]!.length
  // Only a line feed ends a line here: other readers see no end in a lone carriage return or a line separator.
  const closing = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$(?![\s\S]))/g
  closing.lastIndex = yamlStart - 1
  const found = closing.exec(text)
  if (!found) return { type: "unclosed", yamlStart }
  const bodyStart = found.index + found[0].length
  return {
    type: "split",
    yaml: text.slice(yamlStart, found.index + 1),
    yamlStart,
    body: text.slice(bodyStart),
    bodyStart,
  }
}
