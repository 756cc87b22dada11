import type { Agent } from "../agent.ts"
import { rangeFinder } from "../diagnostics/position.ts"
import { placeOf } from "../formats/format.ts"
import { formats } from "../formats/index.ts"
import { readSourceFile } from "../formats/source.ts"
import { readDefinition } from "./file.ts"

/** Where a file says one of these parts of an agent, the first that it says, as `file:line`; undefined where none is. */
export function writtenAt({ origin: { file, format } }: Agent, parts: readonly string[]): string | undefined {
  const known = formats.find(({ id }) => id === format)
  if (file === undefined || !known) return file
  const read = readDefinition(file, known, {})
  for (const part of parts) {
    const place = placeOf(known, part, undefined, read.locate)
    const span = place.type === "value" ? read.locate(place) : undefined
    if (span) return `${file}:${rangeFinder(read.text)(span).start.line}`
  }
  return file
}

/** Where a configuration has a rule; its first line that holds it is it. */
export function ruleAt(files: readonly string[], rule: string): string | undefined {
  for (const file of files) {
    const reading = readSourceFile(file)
    if (reading.type === "refused") continue
    const line = reading.source.text.split("\n").findIndex((text) => text.includes(rule))
    if (line >= 0) return `${file}:${line + 1}`
  }
  return undefined
}
