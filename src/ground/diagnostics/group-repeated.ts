import path from "node:path"
import type { Diagnostic } from "./diagnostic.ts"

/** A finding, and further files of its folder of which the very same is to be said. */
export interface Grouped {
  readonly diagnostic: Diagnostic
  readonly also: readonly string[]
}

/** Findings that say nothing of the one file: they are the same for each of a folder, and mended for all at once. */
const codes: ReadonlySet<string> = new Set([
  "key-unknown",
  "key-without-effect",
  "file-ignored",
  "format-later",
])

/** Puts what is said of many files of one folder where it is said first. */
export function groupRepeated(diagnostics: readonly Diagnostic[]): readonly Grouped[] {
  const groups = new Map<string, { diagnostic: Diagnostic; also: string[] }>()
  const grouped: { diagnostic: Diagnostic; also: string[] }[] = []
  for (const diagnostic of diagnostics) {
    const { code, severity, message, file, fix } = diagnostic
    const key =
      codes.has(code) && file !== undefined && !fix
        ? JSON.stringify([code, severity, message, path.dirname(file)])
        : undefined
    const group = key === undefined ? undefined : groups.get(key)
    if (group && group.diagnostic.file !== file) {
      if (group.also.at(-1) !== file) group.also.push(file!)
      continue
    }
    const own = { diagnostic, also: [] }
    grouped.push(own)
    if (key !== undefined && !group) groups.set(key, own)
  }
  return grouped
}
