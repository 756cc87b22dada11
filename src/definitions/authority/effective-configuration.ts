import path from "node:path"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { toDisplayPath } from "../../ground/diagnostics/display-path.ts"
import { escapeText } from "../../ground/diagnostics/escape-text.ts"
import { CadreError } from "../../ground/errors.ts"
import { type Configuration, readConfiguration } from "../configuration/configuration.ts"
import { isHookPath } from "../registry/hook-files.ts"
import type { Workspace } from "../registry/workspace.ts"
import { isConfigurationTrusted, type WorkspaceTrust } from "./workspace-trust.ts"

/** The configuration that takes effect, with its findings. */
export interface EffectiveConfiguration {
  readonly configuration: Configuration
  readonly diagnostics: readonly Diagnostic[]
}

/** The project's configuration takes effect if its current content is trusted. Otherwise only the user's own does. */
export function readEffectiveConfiguration(
  workspace: Workspace,
  trusting: "all" | WorkspaceTrust,
  { home, environment }: { readonly home: string; readonly environment: NodeJS.ProcessEnv },
): EffectiveConfiguration {
  const isFollowed = trusting === "all" || isConfigurationTrusted(workspace, trusting)
  // The home folder is never a project.
  return isFollowed ? workspace : readConfiguration({ cwd: home, home, environment })
}

const maxErrors = 5

/**
 * Throws if the configuration, a hook file or a workflow has an error. The faulty part may have been a denial, a gate
 * or a limit. Callers check this before any run starts.
 */
export function requireValidConfiguration(
  { diagnostics }: Pick<EffectiveConfiguration, "diagnostics">,
  directory: string,
): void {
  const errors = diagnostics.filter(({ severity }) => severity === "error")
  if (errors.length === 0) return
  const more = errors.length - maxErrors
  const code = codeOf(errors)
  throw new CadreError(
    code,
    [
      `${subjects[code]}, so no run starts: the faulty part may be a rule that forbids something.`,
      ...errors
        .slice(0, maxErrors)
        .map((error) => `  ${escapeText(`${placeOf(error, directory)}${error.message} (${error.code})`)}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
      "Fix the errors; `cadre check` shows the places.",
    ].join("\n"),
    { diagnostics: errors },
  )
}

const subjects = {
  CONFIGURATION_INVALID: "The configuration is invalid",
  HOOK_INVALID: "A hook file is invalid",
  WORKFLOW_INVALID: "A workflow is invalid",
} as const

function codeOf(errors: readonly Diagnostic[]): keyof typeof subjects {
  const codes = errors.map(subjectOf)
  return codes.find((code) => code === "CONFIGURATION_INVALID") ?? codes[0]!
}

function subjectOf({ code, file }: Diagnostic): keyof typeof subjects {
  if (code.startsWith("hook-")) return "HOOK_INVALID"
  if (/^(?:workflow|step)-/.test(code)) return "WORKFLOW_INVALID"
  const isSettings = file === undefined || (/^config\b/i.test(path.basename(file)) && !isHookPath(file))
  return isSettings ? "CONFIGURATION_INVALID" : "HOOK_INVALID"
}

function placeOf({ file, range: { start } }: Diagnostic, directory: string): string {
  return file === undefined ? "" : `${toDisplayPath(file, directory)}:${start.line}:${start.column}: `
}
