import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import type { Configuration } from "../configuration/configuration.ts"
import { isStopping } from "../lifecycle/stopping.ts"
import type { HookFile } from "../registry/hook-files.ts"
import type { Workspace } from "../registry/workspace.ts"
import { checkGates } from "./check-hooks.ts"
import { checkWorkflowFiles } from "./check-workflows.ts"

/** The parts of a workspace that apply to runs that are about to start. */
export interface EffectiveGates {
  readonly configuration: Configuration
  /** Files of hooks and workflows that apply, including invalid ones. */
  readonly files: readonly HookFile[]
  /** Tools besides the built-in ones and those that the configuration names. */
  readonly tools?: readonly string[]
}

/**
 * The errors in files of hooks and workflows that keep everything from starting. These are the findings of `cadre check`,
 * with their places.
 */
export function findGateProblems(
  { registry, skills }: Workspace,
  { configuration, files, tools = [] }: EffectiveGates,
): readonly Diagnostic[] {
  const { hooks } = configuration
  if (files.length === 0 && hooks.user === undefined && hooks.project === undefined) return []
  const effective = { ...configuration, tools: [...configuration.tools, ...tools] }
  return [
    ...checkGates({ configuration: effective, skills }, registry, files),
    ...checkWorkflowFiles({ configuration: effective }, registry, files),
  ].filter(isStopping)
}
