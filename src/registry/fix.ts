import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { applyFixes } from "../diagnostics/apply-fixes.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { readDefinition } from "./file.ts"
import type { SubagentRegistry } from "./registry.ts"

/** Writes every fix there is. The files that were changed, by path. */
export function fixFiles(registry: SubagentRegistry): readonly string[] {
  const byFile = new Map<string, Diagnostic[]>()
  for (const diagnostic of registry.diagnostics())
    if (diagnostic.fix && diagnostic.file !== undefined)
      byFile.set(diagnostic.file, [...(byFile.get(diagnostic.file) ?? []), diagnostic])
  const changed: string[] = []
  for (const { path, text, format } of registry.files()) {
    const { text: mended } = applyFixes(text, byFile.get(path) ?? [])
    if (mended === text) continue
    // Somebody may have saved the file since it was read: theirs is not written over.
    if (readDefinition(path, format, {}).text !== text) continue
    replaceFile(path, mended)
    changed.push(path)
  }
  return changed
}

/** All of the new text or all of the old, with the mode it had. */
function replaceFile(link: string, text: string): void {
  const file = realpathSync(link)
  const temporary = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, text)
    chmodSync(temporary, statSync(file).mode)
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
}
