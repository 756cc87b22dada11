import { escapeText } from "../../diagnostics/escape-text.ts"
import { shownPath } from "../../diagnostics/shown-path.ts"
import type { Workspace } from "../../registry/workspace.ts"

const shownFiles = 3

/** One line about definitions that cannot be used; none where there are none. */
export function brokenNote({ registry }: Workspace, directory: string): readonly string[] {
  const files = new Set(
    registry
      .findings()
      .filter(({ severity }) => severity === "error")
      .map(({ file }) => file),
  )
  if (files.size === 0) return []
  const first = [...files].slice(0, shownFiles).map((file) => escapeText(shownPath(file, directory)))
  const more = files.size > shownFiles ? ` and ${files.size - shownFiles} more` : ""
  return [
    `${files.size} ${files.size === 1 ? "definition is" : "definitions are"} broken: ${first.join(", ")}${more}. \`cadre check\` says why.`,
  ]
}
