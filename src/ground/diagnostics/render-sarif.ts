import path from "node:path"
import { pathToFileURL } from "node:url"
import type { Diagnostic, DiagnosticFix, DiagnosticSeverity } from "./diagnostic.ts"
import { toPortablePath } from "./display-path.ts"
import { escapeJson } from "./escape-text.ts"
import type { TextRange } from "./position.ts"

export interface SarifOptions {
  /** The version of cadre. */
  readonly version: string
  readonly rules: readonly SarifRule[]
  /** The folder of the repository: URIs are relative to it. */
  readonly base?: string
}

export interface SarifRule {
  readonly id: string
  readonly shortDescription: string
  readonly fullDescription?: string
  readonly helpUri?: string
}

/** SARIF 2.1.0 with one run, for code scanning and editors. */
export function renderSarif(diagnostics: readonly Diagnostic[], options: SarifOptions): string {
  const codes = diagnostics.map(({ code }) => code)
  const ids = [...new Set([...options.rules.map(({ id }) => id), ...codes])]
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "cadre",
            version: options.version,
            rules: ids.map((id) => ruleJson(options.rules.find((rule) => rule.id === id) ?? { id })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: diagnostics.map((diagnostic) => ({
          ruleId: diagnostic.code,
          ruleIndex: ids.indexOf(diagnostic.code),
          level: levels[diagnostic.severity],
          message: { text: diagnostic.message },
          ...placeJson(diagnostic, options.base),
          ...(diagnostic.foreignCode !== undefined && {
            properties: { foreignCode: diagnostic.foreignCode },
          }),
        })),
      },
    ],
  }
  return `${escapeJson(JSON.stringify(log, undefined, 2))}\n`
}

const levels: Readonly<Record<DiagnosticSeverity, string>> = {
  error: "error",
  warning: "warning",
  info: "note",
}

function ruleJson({ id, shortDescription, fullDescription, helpUri }: Partial<SarifRule> & { id: string }) {
  return {
    id,
    ...(shortDescription !== undefined && { shortDescription: { text: shortDescription } }),
    ...(fullDescription !== undefined && { fullDescription: { text: fullDescription } }),
    ...(helpUri !== undefined && { helpUri }),
  }
}

function placeJson({ file, range, fix }: Diagnostic, base: string | undefined): object {
  if (file === undefined) return {}
  const artifactLocation = { uri: uriOf(file, base) }
  return {
    locations: [{ physicalLocation: { artifactLocation, region: regionOf(range) } }],
    ...(fix && fix.edits.length > 0 && { fixes: [fixJson(fix, artifactLocation)] }),
  }
}

function fixJson(fix: DiagnosticFix, artifactLocation: object): object {
  const replacements = fix.edits.map(({ range, text }) => ({
    deletedRegion: regionOf(range),
    ...(text !== "" && { insertedContent: { text } }),
  }))
  return { description: { text: fix.title }, artifactChanges: [{ artifactLocation, replacements }] }
}

function regionOf({ start, end }: TextRange): object {
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column }
}

function uriOf(file: string, base: string | undefined): string {
  const displayPath = toPortablePath(file, base)
  if (path.isAbsolute(displayPath)) return pathToFileURL(displayPath).href
  // A lone surrogate has no encoding.
  return displayPath.toWellFormed().split("/").map(encodeURIComponent).join("/")
}
