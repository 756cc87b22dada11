import type { DiagnosticSeverity } from "./diagnostic.ts"

/** The parts of a finding that the summary counts. */
export interface CountedDiagnostic {
  readonly severity: DiagnosticSeverity
  readonly file?: string
  readonly fix?: unknown
  readonly notFixed?: string
}

/**
 * `3 errors, 1 warning in 2 of 14 files (2 fixable with --fix)`. `files` is the number of checked files.
 * `fixWith` is the command to type if `--fix` is not an option of the same command.
 */
export function renderSummary(
  diagnostics: readonly CountedDiagnostic[],
  files?: number,
  fixWith = "--fix",
): string {
  if (diagnostics.length === 0)
    return `No problems${files === undefined ? "" : ` in ${countNoun(files, "file")}`}.`
  const counts = severities.flatMap((severity) => countOf(diagnostics, severity))
  const fixable = diagnostics.filter(
    ({ fix, notFixed }) => fix !== undefined && notFixed === undefined,
  ).length
  return `${counts.join(", ")}${place(diagnostics, files)}${fixable > 0 ? ` (${fixable} fixable with ${fixWith})` : ""}`
}

const severities = ["error", "warning", "info"] as const

function countOf(diagnostics: readonly CountedDiagnostic[], severity: DiagnosticSeverity): readonly string[] {
  const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length
  if (count === 0) return []
  return [severity === "info" ? `${count} info` : countNoun(count, severity)]
}

function place(diagnostics: readonly CountedDiagnostic[], files: number | undefined): string {
  const filesWithFindings = new Set(diagnostics.flatMap(({ file }) => file ?? [])).size
  if (filesWithFindings === 0) return ""
  if (files === undefined || files <= filesWithFindings) return ` in ${countNoun(filesWithFindings, "file")}`
  return ` in ${filesWithFindings} of ${countNoun(files, "file")}`
}

function countNoun(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`
}
