import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"

const shownFiles = 3

/** `a.md, b.md, c.md and 2 more`, for a line of text. */
export function describeFewFiles(files: readonly string[], directory: string): string {
  const first = files.slice(0, shownFiles).map((file) => escapeText(toDisplayPath(file, directory)))
  const more = files.length > shownFiles ? ` and ${files.length - shownFiles} more` : ""
  return `${first.join(", ")}${more}`
}
