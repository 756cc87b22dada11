import type { Severity } from "./diagnostic.ts"

/** As much of a finding as is counted. */
export interface Counted {
  readonly severity: Severity
  readonly file?: string
  readonly fix?: unknown
  readonly notFixed?: string
}

/**
 * `3 errors, 1 warning in 2 of 14 files (2 fixable with --fix)`. `files` is how many were looked at, `fixWith` what
 * to type where it is not an option of the same command.
 */
export function renderSummary(diagnostics: readonly Counted[], files?: number, fixWith = "--fix"): string {
  if (diagnostics.length === 0)
    return `No problems${files === undefined ? "" : ` in ${counted(files, "file")}`}.`
  const counts = severities.flatMap((severity) => countOf(diagnostics, severity))
  const fixable = diagnostics.filter(
    ({ fix, notFixed }) => fix !== undefined && notFixed === undefined,
  ).length
  return `${counts.join(", ")}${place(diagnostics, files)}${fixable > 0 ? ` (${fixable} fixable with ${fixWith})` : ""}`
}

const severities = ["error", "warning", "info"] as const

function countOf(diagnostics: readonly Counted[], severity: Severity): readonly string[] {
  const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length
  if (count === 0) return []
  return [severity === "info" ? `${count} info` : counted(count, severity)]
}

function place(diagnostics: readonly Counted[], files: number | undefined): string {
  const found = new Set(diagnostics.flatMap(({ file }) => file ?? [])).size
  if (found === 0) return ""
  if (files === undefined || files <= found) return ` in ${counted(found, "file")}`
  return ` in ${found} of ${counted(files, "file")}`
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`
}
