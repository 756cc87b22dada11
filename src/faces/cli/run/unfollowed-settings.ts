import { foreignSettings } from "../../../definitions/gates/foreign-settings.ts"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"
import type { Surroundings } from "../command.ts"
import { homeOf } from "../settings.ts"
import type { Opened } from "./open.ts"

type Runs = Pick<Opened, "workspace" | "configuration">
type Around = Pick<Surroundings, "directory" | "environment">

/** What Claude Code's settings around a project forbid, and a run here does not. */
export const unfollowedSettings = (
  { workspace: { levels }, configuration }: Runs,
  surroundings: Around,
): readonly Diagnostic[] => foreignSettings({ levels, home: homeOf(surroundings) }, configuration.rules)

/** A line each, as a run tells it. */
export const unfollowedNotes = (runs: Runs, surroundings: Around): readonly string[] =>
  unfollowedSettings(runs, surroundings).map(({ file, range, message }) => {
    const place = shownPath(file ?? "", surroundings.directory)
    return escapeText(`${place}:${range.start.line}:${range.start.column}: ${message}`)
  })
