import type { Diagnostic, DiagnosticFix, DiagnosticSeverity } from "./diagnostic.ts"
import { toDisplayPath } from "./display-path.ts"
import { escapeJson } from "./escape-text.ts"
import type { TextRange } from "./position.ts"

/** The format for programs: fields may be added, and none changes its meaning. */
export interface DiagnosticJson {
  readonly code: string
  readonly severity: DiagnosticSeverity
  readonly message: string
  readonly file: string | null
  readonly range: TextRange
  readonly fix?: DiagnosticFix
  readonly notFixed?: string
  readonly foreignCode?: string
}

export function renderJson(
  diagnostics: readonly Diagnostic[],
  options: { readonly base?: string } = {},
): string {
  const values = diagnostics.map((diagnostic) => toDiagnosticJson(diagnostic, options.base))
  return `${escapeJson(JSON.stringify(values, undefined, 2))}\n`
}

/** For commands that print more than a list of diagnostics. Only the known fields pass. */
export function toDiagnosticJson(diagnostic: Diagnostic, base?: string): DiagnosticJson {
  const { code, severity, message, file, range, fix, notFixed, foreignCode } = diagnostic
  return {
    code,
    severity,
    message,
    file: file === undefined ? null : toDisplayPath(file, base),
    range: rangeJson(range),
    ...(fix && {
      fix: {
        title: fix.title,
        edits: fix.edits.map((edit) => ({ range: rangeJson(edit.range), text: edit.text })),
      },
    }),
    ...(notFixed !== undefined && { notFixed }),
    ...(foreignCode !== undefined && { foreignCode }),
  }
}

function rangeJson({ start, end }: TextRange): TextRange {
  return {
    start: { line: start.line, column: start.column },
    end: { line: end.line, column: end.column },
  }
}
