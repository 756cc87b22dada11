import type { Diagnostic, DiagnosticFix, DiagnosticSeverity } from "../../ground/diagnostics/diagnostic.ts"
import { createRangeFinder, type Span } from "../../ground/diagnostics/position.ts"
import type { KeyPath } from "./document/yaml.ts"

/** A finding before its place is looked up. Most findings are never shown, and the lookup costs more than reading. */
export interface Problem {
  readonly code: string
  readonly severity: DiagnosticSeverity
  readonly message: string
  readonly at: ProblemPlace
  readonly fix?: Repair
  readonly foreignCode?: string
  /** The error keeps the agent from running, but not from being loaded and shown. */
  readonly loads?: true
}

/** A place in a document: a key or value by its path, a span of the text, the start, or the body. */
export type ProblemPlace =
  | { readonly type: "key" | "value"; readonly path: KeyPath }
  /** The first (`occurrence` 0), second or later occurrence of a text inside a value. */
  | { readonly type: "inside"; readonly path: KeyPath; readonly text: string; readonly occurrence: number }
  | { readonly type: "span"; readonly span: Span }
  | { readonly type: "start" | "body" }

/** Replacements of pieces of the text, each by its place. */
export interface Repair {
  readonly title: string
  readonly edits: readonly { readonly at: ProblemPlace; readonly text: string }[]
}

/** Names a stretch of a value by its text, because blocks, quotes and indentation shift offsets. */
export function placeInside(path: KeyPath, value: string, offset: number, length: number): ProblemPlace {
  const text = value.slice(offset, offset + length)
  return { type: "inside", path, text, occurrence: value.slice(0, offset).split(text).length - 1 }
}

export type ReportProblem = (problem: Problem) => void

/** Looks places up in one text. Undefined: the text has no such place. */
export type Locate = (place: ProblemPlace) => Span | undefined

/** Turns problems into the diagnostics that are shown. */
export function diagnose(
  file: string | undefined,
  text: string,
  locate: Locate,
  problems: readonly Problem[],
): readonly Diagnostic[] {
  if (problems.length === 0) return []
  const rangeOf = createRangeFinder(text)
  const spanOf = (place: ProblemPlace) => nearest(place, locate)
  const fixOf = ({ title, edits }: Repair): DiagnosticFix | undefined => {
    const located = edits.map(({ at, text }) => ({ at, span: locate(at), text }))
    if (located.some(({ span }) => span === undefined)) return undefined
    return {
      title,
      edits: located.map(({ at, span, text: replacement }) => ({
        range: rangeOf(span!),
        text: at.type === "key" ? quotedAs(text[span!.start], replacement) : replacement,
      })),
    }
  }
  return problems.map(({ at, fix: repair, loads: _, ...problem }) => {
    const fix = repair && fixOf(repair)
    return {
      ...problem,
      ...(file !== undefined && { file }),
      range: rangeOf(spanOf(at)),
      ...(fix && { fix }),
    }
  })
}

/** A quoted key stays quoted: JSON requires quotes, and in braces a colon may follow without a space. */
const quotedAs = (quote: string | undefined, key: string): string =>
  quote === '"' || quote === "'" ? `${quote}${key}${quote}` : key

/** The span of a place, or of the nearest place around it if the text has no such place. */
function nearest(place: ProblemPlace, locate: Locate): Span {
  const span = locate(place)
  if (span) return span
  if (place.type === "inside") return nearest({ type: "value", path: place.path }, locate)
  if ((place.type === "key" || place.type === "value") && place.path.length > 0)
    return nearest({ type: "value", path: place.path.slice(0, -1) }, locate)
  return locate({ type: "start" }) ?? { start: 0, end: 0 }
}
