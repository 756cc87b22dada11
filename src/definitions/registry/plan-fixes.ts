import { existsSync, realpathSync, statSync } from "node:fs"
import type { Agent } from "../../agent/agent.ts"
import { applyFixes } from "../../ground/diagnostics/apply-fixes.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { type DefinitionFile, readDefinitionText } from "./file.ts"

/** A file whose findings may have fixes. */
export interface FixableFile {
  readonly path: string
  readonly text: string
  /** The reason why the fixed text must not replace the current one. */
  refuse(fixedText: string): string | undefined
}

/** The changes that `--fix` would write. */
export interface FixPlan {
  readonly texts: ReadonlyMap<string, { readonly before: string; readonly after: string }>
  /** Findings whose fix is not written, with the reason. */
  readonly refused: ReadonlyMap<Diagnostic, string>
}

/**
 * Tries every fix without writing. Every fix is either planned or refused with a reason, so that no finding promises
 * a fix that never comes. `whyNot` gives the reason why a file must not be written.
 */
export function planFixes(
  files: readonly FixableFile[],
  diagnostics: readonly Diagnostic[],
  whyNot: (file: string) => string | undefined,
): FixPlan {
  const texts = new Map<string, { before: string; after: string }>()
  const refused = new Map<Diagnostic, string>()
  const byPath = new Map(files.map((file) => [file.path, file]))
  for (const [path, fixes] of fixesByFile(diagnostics)) {
    const file = byPath.get(path)
    const reason = file ? (whyNot(path) ?? whyNotWritable(path, whyNot)) : "cadre does not fix this file"
    if (!file || reason !== undefined) {
      for (const diagnostic of fixes) refused.set(diagnostic, reason!)
      continue
    }
    const after = tryFixes(file, fixes, refused)
    if (after !== file.text) texts.set(path, { before: file.text, after })
  }
  return { texts, refused }
}

/** Adds the reason to each finding whose fix is not written. */
export function explainFixes(
  diagnostics: readonly Diagnostic[],
  files: readonly FixableFile[],
  whyNot: (file: string) => string | undefined = () => undefined,
): readonly Diagnostic[] {
  return addFixReasons(diagnostics, planFixes(files, diagnostics, whyNot))
}

/** Adds the reason to each finding whose fix an existing plan refuses. */
export const addFixReasons = (
  diagnostics: readonly Diagnostic[],
  { refused }: Pick<FixPlan, "refused">,
): readonly Diagnostic[] =>
  diagnostics.map((diagnostic) => {
    const notFixed = refused.get(diagnostic)
    return notFixed === undefined ? diagnostic : { ...diagnostic, notFixed }
  })

/** A definition file. It refuses a fix that would cause an error, rename the agent or give it more rights. */
export const makeFixableAgent = (file: DefinitionFile): FixableFile => ({
  path: file.path,
  text: file.text,
  refuse: (fixedText) => {
    // Both texts are read in the same way, so that only the fix makes a difference.
    const read = (text: string) => readDefinitionText({ path: file.path, text }, file.format, {})
    const [before, after] = [read(file.text), read(fixedText)]
    if (after.repaired) return "the file would still be invalid YAML"
    if (before.agent && !after.agent) return "no agent could be read any more"
    const errors = errorsOf(after)
    if (errors.length > errorsOf(before).length)
      return `it would cause another error: ${errors.find((message) => !errorsOf(before).includes(message)) ?? errors[0]}`
    if (!before.agent || !after.agent) return undefined
    if (before.agent.name !== after.agent.name) return `the agent would be renamed to ${after.agent.name}`
    return widens(before.agent, after.agent) ? "the agent would have more rights than now" : undefined
  },
})

function fixesByFile(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> {
  const fixes = new Map<string, Diagnostic[]>()
  for (const diagnostic of diagnostics) {
    if (!diagnostic.fix || diagnostic.file === undefined) continue
    const others = fixes.get(diagnostic.file)
    if (others) others.push(diagnostic)
    else fixes.set(diagnostic.file, [diagnostic])
  }
  return fixes
}

/** Applies all fixes together if that is accepted, else as many as possible, one after the other. */
function tryFixes(file: FixableFile, fixes: readonly Diagnostic[], refused: Map<Diagnostic, string>): string {
  const together = applyFixes(file.text, fixes)
  if (together.text !== file.text && file.refuse(together.text) === undefined) {
    // A fix that overlaps another one is applied when the new text is checked.
    for (const diagnostic of together.skipped) tryAlone(file, diagnostic, refused)
    return together.text
  }
  const accepted: Diagnostic[] = []
  for (const diagnostic of fixes) {
    const { text, skipped } = applyFixes(file.text, [...accepted, diagnostic])
    if (skipped.length > 0) tryAlone(file, diagnostic, refused)
    else {
      const reason = whyNotAccepted(file, text, applyFixes(file.text, accepted).text)
      if (reason === undefined) accepted.push(diagnostic)
      else refused.set(diagnostic, reason)
    }
  }
  return applyFixes(file.text, accepted).text
}

function tryAlone(file: FixableFile, diagnostic: Diagnostic, refused: Map<Diagnostic, string>): void {
  const reason = whyNotAccepted(file, applyFixes(file.text, [diagnostic]).text, file.text)
  if (reason !== undefined) refused.set(diagnostic, reason)
}

const whyNotAccepted = (file: FixableFile, text: string, before: string): string | undefined =>
  text === before ? "it would change nothing" : file.refuse(text)

/** Checks the target of a link, because that is the file that would be written. */
function whyNotWritable(path: string, whyNot: (file: string) => string | undefined): string | undefined {
  const target = existsSync(path) ? realpathSync(path) : undefined
  if (target === undefined) return "the file is gone"
  const { mode, nlink } = statSync(target)
  if (whyNot(target) !== undefined) return `it is a link to ${target}; fix that file`
  if ((mode & 0o222) === 0) return "the file is read-only"
  return nlink > 1
    ? `the file has ${nlink} names (hard links), and all but one would keep the old text`
    : undefined
}

const errorsOf = ({ problems }: DefinitionFile): readonly string[] =>
  problems.filter(({ severity }) => severity === "error").map(({ message }) => message)

/** Spellings of a name do not matter: a denial in another spelling is the same denial. */
const widens = ({ tools: before }: Agent, { tools: after }: Agent): boolean => {
  const deniedNames = new Set(after.deny.map(plainName))
  return (
    (before.mode === "list" && after.mode === "inherit") ||
    before.deny.some((name) => !deniedNames.has(plainName(name)))
  )
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]+/g, "")
