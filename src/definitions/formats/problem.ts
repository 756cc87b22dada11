import type { Diagnostic, Fix, Severity } from "../../ground/diagnostics/diagnostic.ts"
import { rangeFinder, type Span } from "../../ground/diagnostics/position.ts"
import type { Path } from "./document/yaml.ts"

/** A finding before its place is looked up: most are never shown, and looking up costs more than reading. */
export interface Problem {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly at: Place
  readonly fix?: Repair
  readonly foreignCode?: string
  /** An error that keeps the agent from running, and not from being loaded and shown. */
  readonly loads?: true
}

/** Where in a document: a key or a value by its path, a stretch of the text, or the text before or after the YAML. */
export type Place =
  | { readonly type: "key" | "value"; readonly path: Path }
  /** The first (0), second or later place in a value where a text is written. */
  | { readonly type: "inside"; readonly path: Path; readonly text: string; readonly occurrence: number }
  | { readonly type: "span"; readonly span: Span }
  | { readonly type: "start" | "body" }

/** Pieces of text put in place of others, by offsets or by place. */
export interface Repair {
  readonly title: string
  readonly edits: readonly { readonly at: Place; readonly text: string }[]
}

/** A stretch of a text value, by what is written there: blocks, quotes and indentation move offsets. */
export function placeInside(path: Path, value: string, offset: number, length: number): Place {
  const text = value.slice(offset, offset + length)
  return { type: "inside", path, text, occurrence: value.slice(0, offset).split(text).length - 1 }
}

export type Report = (problem: Problem) => void

/** Looks places up in one text. Undefined: the place is not there, and the finding is shown at the start. */
export type Locate = (place: Place) => Span | undefined

/** The findings as they are shown. */
export function diagnose(
  file: string | undefined,
  text: string,
  locate: Locate,
  problems: readonly Problem[],
): readonly Diagnostic[] {
  if (problems.length === 0) return []
  const rangeOf = rangeFinder(text)
  const spanOf = (place: Place) => nearest(place, locate)
  const fixOf = ({ title, edits }: Repair): Fix | undefined => {
    const found = edits.map(({ at, text }) => ({ at, span: locate(at), text }))
    if (found.some(({ span }) => span === undefined)) return undefined
    return {
      title,
      edits: found.map(({ at, span, text: given }) => ({
        range: rangeOf(span!),
        text: at.type === "key" ? quotedAs(text[span!.start], given) : given,
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

/** A key in quotes stays in quotes: JSON has no other, and in braces a colon may follow at once. */
const quotedAs = (quote: string | undefined, key: string): string =>
  quote === '"' || quote === "'" ? `${quote}${key}${quote}` : key

/** A value that is not there is shown at the closest thing around it. */
function nearest(place: Place, locate: Locate): Span {
  const span = locate(place)
  if (span) return span
  if (place.type === "inside") return nearest({ type: "value", path: place.path }, locate)
  if ((place.type === "key" || place.type === "value") && place.path.length > 0)
    return nearest({ type: "value", path: place.path.slice(0, -1) }, locate)
  return locate({ type: "start" }) ?? { start: 0, end: 0 }
}
