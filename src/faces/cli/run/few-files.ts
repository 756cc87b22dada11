import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"

const shownFiles = 3

/** `a.md, b.md, c.md and 2 more`, for a line of text. */
export function fewFiles(files: readonly string[], directory: string): string {
  const first = files.slice(0, shownFiles).map((file) => escapeText(shownPath(file, directory)))
  const more = files.length > shownFiles ? ` and ${files.length - shownFiles} more` : ""
  return `${first.join(", ")}${more}`
}
