import type { DiagnosticSeverity } from "../../ground/diagnostics/diagnostic.ts"

/** Errors in a file of hooks that keep only some agents from starting, or that only fail when they are reached. */
const ofOne: ReadonlySet<string> = new Set([
  "hook-agent-unknown",
  "hook-skill-unknown",
  "lifecycle-unknown",
  "step-agent-unknown",
  "workflow-foreign",
])

/** True if nothing starts while a file of hooks has this finding. The configuration cannot change that. */
export const isStopping = ({
  code,
  severity,
}: {
  readonly code: string
  readonly severity: DiagnosticSeverity
}): boolean => severity === "error" && !ofOne.has(code)
