import path from "node:path"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { escapeText } from "../../ground/diagnostics/escape-text.ts"
import { shownPath } from "../../ground/diagnostics/shown-path.ts"
import { CadreError } from "../../ground/errors.ts"
import { type Configuration, readConfiguration } from "../configuration/configuration.ts"
import { isOfHooks } from "../registry/hook-files.ts"
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

/**
 * Throws where something of the configuration is wrong, or of the files of hooks and workflows: what could not be
 * understood may have been a rule that denies, a gate, or a limit. Whoever starts runs asks it first.
 */
export function requireSound(
  { diagnostics }: Pick<FollowedConfiguration, "diagnostics">,
  directory: string,
): void {
  const errors = diagnostics.filter(({ severity }) => severity === "error")
  if (errors.length === 0) return
  const more = errors.length - shownErrors
  const code = codeOf(errors)
  throw new CadreError(
    code,
    [
      `${whats[code]}, and nothing starts without what it may have forbidden:`,
      ...errors
        .slice(0, shownErrors)
        .map((error) => `  ${escapeText(`${placeOf(error, directory)}${error.message} (${error.code})`)}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
      "Mend it; `cadre check` shows the place.",
    ].join("\n"),
    { diagnostics: errors },
  )
}

const whats = {
  CONFIGURATION_INVALID: "The configuration is wrong",
  HOOK_INVALID: "A file of hooks cannot be followed in full",
  WORKFLOW_INVALID: "A workflow cannot be followed in full",
} as const

function codeOf(errors: readonly Diagnostic[]): keyof typeof whats {
  const codes = errors.map(whatOf)
  return codes.find((code) => code === "CONFIGURATION_INVALID") ?? codes[0]!
}

function whatOf({ code, file }: Diagnostic): keyof typeof whats {
  if (code.startsWith("hook-")) return "HOOK_INVALID"
  if (/^(?:workflow|step)-/.test(code)) return "WORKFLOW_INVALID"
  const isSettings = file === undefined || (/^config\b/i.test(path.basename(file)) && !isOfHooks(file))
  return isSettings ? "CONFIGURATION_INVALID" : "HOOK_INVALID"
}

function placeOf({ file, range: { start } }: Diagnostic, directory: string): string {
  return file === undefined ? "" : `${shownPath(file, directory)}:${start.line}:${start.column}: `
}
