import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import type { Configuration } from "../configuration/configuration.ts"
import { isStopping } from "../lifecycle/stopping.ts"
import type { HookFile } from "../registry/hook-files.ts"
import type { Workspace } from "../registry/workspace.ts"
import { checkedGates } from "./check-hooks.ts"
import { workflowFindings } from "./check-workflows.ts"

/** What counts of a workspace for runs that are to start. */
export interface GatesThatCount {
  readonly configuration: Configuration
  /** Files of hooks and workflows that hold, or would if they could be understood. */
  readonly files: readonly HookFile[]
  /** Tools that there are besides those that everybody knows and the configuration names. */
  readonly tools?: readonly string[]
}

/**
 * What keeps files that gate from being understood in full: while there is something, nothing starts. It is what `cadre
 * check` tells of these files, with its place.
 */
export function gateProblems(
  { registry, skills }: Workspace,
  { configuration, files, tools = [] }: GatesThatCount,
): readonly Diagnostic[] {
  const { hooks } = configuration
  if (files.length === 0 && hooks.user === undefined && hooks.project === undefined) return []
  const known = { ...configuration, tools: [...configuration.tools, ...tools] }
  return [
    ...checkedGates({ configuration: known, skills }, registry, files),
    ...workflowFindings({ configuration: known }, registry, files),
  ].filter(isStopping)
}
