import type { Diagnostic, Fix, Severity } from "./diagnostic.ts"
import { escapeJson } from "./escape-text.ts"
import type { Range } from "./position.ts"
import { shownPath } from "./shown-path.ts"

/** What programs read: a field may be added, none changes its meaning. */
export interface DiagnosticJson {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly file: string | null
  readonly range: Range
  readonly fix?: Fix
  readonly notFixed?: string
  readonly foreignCode?: string
}

export function renderJson(
  diagnostics: readonly Diagnostic[],
  options: { readonly base?: string } = {},
): string {
  const values = diagnostics.map((diagnostic) => diagnosticJson(diagnostic, options.base))
  return `${escapeJson(JSON.stringify(values, undefined, 2))}\n`
}

/** For commands that say more than a list of diagnostics. Nothing but the known fields passes. */
export function diagnosticJson(diagnostic: Diagnostic, base?: string): DiagnosticJson {
  const { code, severity, message, file, range, fix, notFixed, foreignCode } = diagnostic
  return {
    code,
    severity,
    message,
    file: file === undefined ? null : shownPath(file, base),
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

function rangeJson({ start, end }: Range): Range {
  return {
    start: { line: start.line, column: start.column },
    end: { line: end.line, column: end.column },
  }
}
