import type { Agent } from "../../agent/agent.ts"
import type { Span, TextRange } from "../../ground/diagnostics/position.ts"
import type { StartPlace, StartProblem } from "../../ground/errors.ts"
import { getValueAt, type Json } from "../../ground/message.ts"
import { readDocument } from "../formats/document/document.ts"
import { locateInScalar } from "../formats/document/scalar-offset.ts"
import { placeOfPart } from "../formats/format.ts"
import { diagnose, type Locate, type ProblemPlace } from "../formats/problem.ts"
import { readSourceFile } from "../formats/source.ts"
import { locateEntry } from "../rules/entry-place.ts"
import type { DefinitionFile } from "./file.ts"

/** Finds the place in a definition that keeps it from starting. */
export function findStartPlace(
  { path: file, text, locate, format }: DefinitionFile,
  agent: Agent,
  { part, path = [], about, offset }: StartProblem,
): StartPlace {
  if (part === undefined) return { file, range: rangeOf(text, locate, { type: "start" }) }
  const value = getValueAt(agent as unknown as Json, part.split("."))
  const [index] = path
  if (typeof index === "number" && isNames(value))
    return {
      file,
      range: rangeOf(
        text,
        locate,
        locateEntry({ agent, format, source: { text, locate } }, part, value, index),
      ),
    }
  const place = placeOfPart(format, part, undefined, locate)
  const at: ProblemPlace =
    place.type === "value" ? { type: about ?? "value", path: [...place.path, ...path] } : place
  const inner = getValueAt(value, path)
  return { file, range: rangeOf(text, locate, within(text, locate, at, inner, offset)) }
}

/** Finds the place of a problem in a file that defines no agent, such as a hook file. Undefined: the file cannot be read. */
export function findPlaceInFile(
  file: string,
  { path = [], about, offset }: StartProblem,
): StartPlace | undefined {
  const reading = readSourceFile(file)
  if (reading.type === "refused") return undefined
  const { text } = reading.source
  const { values, locate } = readDocument(text, "yaml", new Set())
  const at = within(
    text,
    locate,
    { type: about ?? "value", path },
    getValueAt(values as Json | undefined, path),
    offset,
  )
  return { file, range: rangeOf(text, locate, at) }
}

/** Narrows a place to a stretch of its text, if the offset is known. */
function within(
  text: string,
  locate: Locate,
  at: ProblemPlace,
  value: Json | undefined,
  offset: number | undefined,
): ProblemPlace {
  const scalar: Span | undefined = offset === undefined || typeof value !== "string" ? undefined : locate(at)
  if (!scalar) return at
  return { type: "span", span: locateInScalar(text, scalar, value as string, { offset: offset!, length: 1 }) }
}

const rangeOf = (text: string, locate: Locate, at: ProblemPlace): TextRange =>
  diagnose(undefined, text, locate, [{ code: "", severity: "error", message: "", at }])[0]!.range

const isNames = (value: Json | undefined): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string")
