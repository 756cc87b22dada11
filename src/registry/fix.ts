import {
  closeSync,
  fchmodSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import type { ToolGrant } from "../agent.ts"
import { randomUUID } from "../crypto.ts"
import { applyFixes } from "../diagnostics/apply-fixes.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { type ReadFile, readDefinition, readText } from "./file.ts"
import type { SubagentRegistry } from "./registry.ts"

/** Writes every fix there is to the files that may be written. Those that were changed, by path. */
export function fixFiles(
  registry: SubagentRegistry,
  mayWrite: (file: string) => boolean,
  more: readonly Diagnostic[] = [],
): readonly string[] {
  const byFile = new Map<string, Diagnostic[]>()
  for (const diagnostic of [...registry.diagnostics(), ...more])
    if (diagnostic.fix && diagnostic.file !== undefined)
      byFile.set(diagnostic.file, [...(byFile.get(diagnostic.file) ?? []), diagnostic])
  const changed: string[] = []
  for (const file of registry.files()) {
    const { path, text, format } = file
    if (!mayWrite(path) || text === "" || !mayWrite(realpathSync(path))) continue
    const { text: mended } = applyFixes(text, byFile.get(path) ?? [])
    if (mended === text || !isBetter(file, mended)) continue
    // Somebody may have saved the file since it was read: theirs is not written over.
    if (readDefinition(path, format, {}).text !== text) continue
    replaceFile(path, mended)
    changed.push(path)
  }
  return changed
}

/** A fix that makes a new mistake, another agent of the name, or one with more rights, is none. */
function isBetter(file: ReadFile, mended: string): boolean {
  const errors = ({ problems }: ReadFile) => problems.filter(({ severity }) => severity === "error").length
  const again = readText({ path: file.path, text: mended, hash: "" }, file.format, {})
  if (again.repaired || !again.agent || errors(again) > errors(file)) return false
  return again.agent.name === file.agent?.name && !widens(file.agent.tools, again.agent.tools)
}

const widens = (before: ToolGrant, after: ToolGrant): boolean =>
  (before.mode === "list" && after.mode === "inherit") ||
  before.deny.some((name) => !after.deny.includes(name))

/** All of the new text or all of the old, with the mode it had. Nothing that lies in the way is written through. */
function replaceFile(link: string, text: string): void {
  const file = realpathSync(link)
  const temporary = `${file}.${randomUUID()}.tmp`
  const descriptor = openSync(temporary, "wx", 0o600)
  try {
    writeFileSync(descriptor, text)
    fchmodSync(descriptor, statSync(file).mode)
    closeSync(descriptor)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
