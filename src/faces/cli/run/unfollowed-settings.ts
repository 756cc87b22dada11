import { findForeignSettings } from "../../../definitions/gates/foreign-settings.ts"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { ProcessContext } from "../command.ts"
import { getHomeFolder } from "../settings.ts"
import type { ProjectRuns } from "./open.ts"

type Runs = Pick<ProjectRuns, "workspace" | "configuration">
type Around = Pick<ProcessContext, "directory" | "environment">

/** Findings for Claude Code settings that forbid something, and that runs of cadre do not follow. */
export const findUnfollowedSettings = (
  { workspace: { levels }, configuration }: Runs,
  surroundings: Around,
): readonly Diagnostic[] =>
  findForeignSettings({ levels, home: getHomeFolder(surroundings) }, configuration.rules)

/** The findings of `findUnfollowedSettings` as lines, which are printed when a run starts. */
export const describeUnfollowedSettings = (runs: Runs, surroundings: Around): readonly string[] =>
  findUnfollowedSettings(runs, surroundings).map(({ file, range, message }) => {
    const place = toDisplayPath(file ?? "", surroundings.directory)
    return escapeText(`${place}:${range.start.line}:${range.start.column}: ${message}`)
  })
