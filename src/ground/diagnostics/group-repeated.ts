import path from "node:path"
import type { Diagnostic } from "./diagnostic.ts"

/** A finding, and further files of its folder with exactly the same finding. */
export interface GroupedDiagnostic {
  readonly diagnostic: Diagnostic
  readonly also: readonly string[]
}

/** Codes of findings that are often the same for all files of a folder, and have one correction for all. */
const codes: ReadonlySet<string> = new Set([
  "key-unknown",
  "key-without-effect",
  "file-ignored",
  "format-later",
])

/** Groups findings that are the same for many files of one folder, at the place of the first. */
export function groupRepeated(diagnostics: readonly Diagnostic[]): readonly GroupedDiagnostic[] {
  const groups = new Map<string, { diagnostic: Diagnostic; also: string[] }>()
  const groupsInOrder: { diagnostic: Diagnostic; also: string[] }[] = []
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
    groupsInOrder.push(own)
    if (key !== undefined && !group) groups.set(key, own)
  }
  return groupsInOrder
}
