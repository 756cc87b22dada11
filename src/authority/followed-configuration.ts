import { type Configuration, readConfiguration } from "../configuration/configuration.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { escapeText } from "../diagnostics/escape-text.ts"
import { shownPath } from "../diagnostics/shown-path.ts"
import { CadreError } from "../errors.ts"
import type { Workspace } from "../registry/workspace.ts"
import { isConfigurationTrusted, type Standing } from "./standing.ts"

/** A configuration that counts, with what is wrong with it. */
export interface FollowedConfiguration {
  readonly configuration: Configuration
  readonly diagnostics: readonly Diagnostic[]
}

/** The project's configuration counts where it is trusted as it is; otherwise the user's own does, alone. */
export function followedConfiguration(
  workspace: Workspace,
  trusting: "all" | Standing,
  { home, environment }: { readonly home: string; readonly environment: NodeJS.ProcessEnv },
): FollowedConfiguration {
  const isFollowed = trusting === "all" || isConfigurationTrusted(workspace, trusting)
  // The home folder is never a project.
  return isFollowed ? workspace : readConfiguration({ cwd: home, home, environment })
}

const shownErrors = 5

/** Throws where something of it is wrong: what could not be read may have been a rule that denies, or a limit. */
export function requireSound({ diagnostics }: FollowedConfiguration, directory: string): void {
  const errors = diagnostics.filter(({ severity }) => severity === "error")
  if (errors.length === 0) return
  const more = errors.length - shownErrors
  throw new CadreError(
    "CONFIGURATION_INVALID",
    [
      "The configuration is wrong, and nothing starts without what it may have forbidden:",
      ...errors
        .slice(0, shownErrors)
        .map((error) => `  ${escapeText(placeOf(error, directory) + error.message)}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
      "Mend it; `cadre check` shows the place.",
    ].join("\n"),
    { diagnostics: errors },
  )
}

function placeOf({ file, range: { start } }: Diagnostic, directory: string): string {
  return file === undefined ? "" : `${shownPath(file, directory)}:${start.line}:${start.column}: `
}
