import { escapeText } from "../../diagnostics/escape-text.ts"
import { shownPath } from "../../diagnostics/shown-path.ts"
import type { Workspace } from "../../registry/workspace.ts"
import { oneLine } from "../table.ts"

const shownFiles = 3

/** One line about definitions that cannot be used, and one about settings; none where there are none. */
export const brokenNote = (workspace: Workspace, directory: string): readonly string[] => [
  ...settingsNote(workspace, directory),
  ...definitionsNote(workspace, directory),
]

/** A setting that is left out may have been a rule that denies, or a limit. */
function settingsNote({ diagnostics }: Workspace, directory: string): readonly string[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error")
  const [first] = errors
  if (!first) return []
  const place =
    first.file === undefined ? "" : `${shownPath(first.file, directory)}:${first.range.start.line}: `
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : ""
  return [
    escapeText(
      `The configuration is wrong: ${place}${oneLine(first.message, 300)}${more} \`cadre check\` shows where.`,
    ),
  ]
}

function definitionsNote({ registry }: Workspace, directory: string): readonly string[] {
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
