import path from "node:path"
import type { Claim } from "../../authority/claims.ts"
import { escapeText } from "../../diagnostics/escape-text.ts"
import { shownPath } from "../../diagnostics/shown-path.ts"
import type { Opened } from "./open.ts"
import type { Driving } from "./options.ts"

/** One line where settings or hooks that a person has trusted do not hold any more: they may have forbidden something. */
export function unfollowedNote(
  { workspace: { configuration, hookFiles }, standing: { claims, of, record } }: Opened,
  { trust }: Pick<Driving, "trust">,
  directory: string,
): readonly string[] {
  if (trust === "all" || !record) return []
  const hadSettings = Object.keys(record.files).some(isSettings)
  const isLost = (claim: Claim) => {
    if (of(claim) === "changed")
      return isSettings(claim.file) || hookFiles.some(({ file }) => file === claim.file)
    // A nearer one takes the place of the one that was trusted.
    return (
      hadSettings &&
      isSettings(claim.file) &&
      configuration.files.includes(claim.file) &&
      of(claim) === "unknown"
    )
  }
  const lost = claims.filter(isLost).map(({ file }) => escapeText(shownPath(file, directory)))
  if (lost.length === 0) return []
  return [
    `What you trusted here has changed, and nothing of it holds: ${lost.join(", ")}. \`cadre trust\` shows what is new.`,
  ]
}

const isSettings = (file: string): boolean =>
  file.split(path.sep).slice(-2).join("/") === ".cadre/config.yaml"
