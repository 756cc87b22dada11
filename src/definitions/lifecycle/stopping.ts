import type { Severity } from "../../ground/diagnostics/diagnostic.ts"

/** Errors in a file of hooks that keep only some agents from starting, or are refused when their time comes. */
const ofOne: ReadonlySet<string> = new Set([
  "hook-agent-unknown",
  "hook-skill-unknown",
  "lifecycle-unknown",
  "step-agent-unknown",
  "workflow-foreign",
])

/** Whether nothing starts while this is found in a file that gates. No configuration makes less of it. */
export const isStopping = ({
  code,
  severity,
}: {
  readonly code: string
  readonly severity: Severity
}): boolean => severity === "error" && !ofOne.has(code)
