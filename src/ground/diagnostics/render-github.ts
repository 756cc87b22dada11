import type { Diagnostic, DiagnosticSeverity } from "./diagnostic.ts"
import { toPortablePath } from "./display-path.ts"
import { escapeLines, escapeText } from "./escape-text.ts"

/**
 * One GitHub workflow command per line; each becomes an annotation. `base` is the folder of the repository.
 */
export function renderGithub(
  diagnostics: readonly Diagnostic[],
  options: { readonly base?: string } = {},
): string {
  return diagnostics
    .map((diagnostic) => {
      const properties = Object.entries(propertiesOf(diagnostic, options.base))
        .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
        .join(",")
      return `::${commands[diagnostic.severity]} ${properties}::${escapeData(escapeLines(diagnostic.message))}\n`
    })
    .join("")
}

const commands: Readonly<Record<DiagnosticSeverity, string>> = {
  error: "error",
  warning: "warning",
  info: "notice",
}

function propertiesOf({ code, file, range: { start, end } }: Diagnostic, base: string | undefined): object {
  const title = escapeText(code)
  if (file === undefined) return { title }
  const name = escapeText(toPortablePath(file, base))
  // GitHub ignores columns of a range over several lines, and says so in the log.
  if (start.line !== end.line) return { file: name, line: start.line, endLine: end.line, title }
  return {
    file: name,
    line: start.line,
    col: start.column,
    endLine: end.line,
    endColumn: end.column,
    title,
  }
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C")
}
