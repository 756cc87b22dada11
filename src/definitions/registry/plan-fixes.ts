import { existsSync, realpathSync, statSync } from "node:fs"
import type { Agent } from "../../agent/agent.ts"
import { applyFixes } from "../../ground/diagnostics/apply-fixes.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { type ReadFile, readText } from "./file.ts"

/** A file whose findings may have fixes. */
export interface FixableFile {
  readonly path: string
  readonly text: string
  /** What speaks against a text in place of the one there is. */
  refuse(mended: string): string | undefined
}

/** What `--fix` would write. */
export interface FixPlan {
  readonly texts: ReadonlyMap<string, { readonly before: string; readonly after: string }>
  /** Findings with a fix that is not written, and why. */
  readonly refused: ReadonlyMap<Diagnostic, string>
}

/**
 * Tries every fix, and writes nothing. What is planned holds when it is written; whatever is not says why, so that
 * no finding promises a fix that never comes. `whyNot` says of a file why it is not to be written.
 */
export function planFixes(
  files: readonly FixableFile[],
  diagnostics: readonly Diagnostic[],
  whyNot: (file: string) => string | undefined,
): FixPlan {
  const texts = new Map<string, { before: string; after: string }>()
  const refused = new Map<Diagnostic, string>()
  const known = new Map(files.map((file) => [file.path, file]))
  for (const [path, fixes] of fixesByFile(diagnostics)) {
    const file = known.get(path)
    const reason = file ? (whyNot(path) ?? whyNotWritable(path, whyNot)) : "it is not a file that is fixed"
    if (!file || reason !== undefined) {
      for (const diagnostic of fixes) refused.set(diagnostic, reason!)
      continue
    }
    const after = tryFixes(file, fixes, refused)
    if (after !== file.text) texts.set(path, { before: file.text, after })
  }
  return { texts, refused }
}

/** Findings as they are shown: each whose fix is not written says why. */
export function withReasons(
  diagnostics: readonly Diagnostic[],
  files: readonly FixableFile[],
  whyNot: (file: string) => string | undefined = () => undefined,
): readonly Diagnostic[] {
  return explained(diagnostics, planFixes(files, diagnostics, whyNot))
}

/** The same where the plan is there already. */
export const explained = (
  diagnostics: readonly Diagnostic[],
  { refused }: Pick<FixPlan, "refused">,
): readonly Diagnostic[] =>
  diagnostics.map((diagnostic) => {
    const notFixed = refused.get(diagnostic)
    return notFixed === undefined ? diagnostic : { ...diagnostic, notFixed }
  })

/** A definition with what a fix may not do to it: a new mistake, another agent, or one with more rights. */
export const fixableAgent = (file: ReadFile): FixableFile => ({
  path: file.path,
  text: file.text,
  refuse: (mended) => {
    // Read in the same way, so that what is compared differs by the fix alone.
    const read = (text: string) => readText({ path: file.path, text, hash: "" }, file.format, {})
    const [before, after] = [read(file.text), read(mended)]
    if (after.repaired) return "the file would still not be valid YAML"
    if (before.agent && !after.agent) return "no agent could be read any more"
    const errors = errorsOf(after)
    if (errors.length > errorsOf(before).length)
      return `it would be wrong in another way: ${errors.find((message) => !errorsOf(before).includes(message)) ?? errors[0]}`
    if (!before.agent || !after.agent) return undefined
    if (before.agent.name !== after.agent.name) return `the agent would be called ${after.agent.name}`
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

/** All of them where nothing speaks against it, else as many as can be one after the other. */
function tryFixes(file: FixableFile, fixes: readonly Diagnostic[], refused: Map<Diagnostic, string>): string {
  const together = applyFixes(file.text, fixes)
  if (together.text !== file.text && file.refuse(together.text) === undefined) {
    // What met another fix is tried on the new text, when that is checked.
    for (const diagnostic of together.skipped) tryAlone(file, diagnostic, refused)
    return together.text
  }
  const taken: Diagnostic[] = []
  for (const diagnostic of fixes) {
    const { text, skipped } = applyFixes(file.text, [...taken, diagnostic])
    if (skipped.length > 0) tryAlone(file, diagnostic, refused)
    else {
      const reason = whyNotTaken(file, text, applyFixes(file.text, taken).text)
      if (reason === undefined) taken.push(diagnostic)
      else refused.set(diagnostic, reason)
    }
  }
  return applyFixes(file.text, taken).text
}

function tryAlone(file: FixableFile, diagnostic: Diagnostic, refused: Map<Diagnostic, string>): void {
  const reason = whyNotTaken(file, applyFixes(file.text, [diagnostic]).text, file.text)
  if (reason !== undefined) refused.set(diagnostic, reason)
}

const whyNotTaken = (file: FixableFile, text: string, before: string): string | undefined =>
  text === before ? "it would change nothing" : file.refuse(text)

/** The file that a link leads to is the one that is written. */
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

const errorsOf = ({ problems }: ReadFile): readonly string[] =>
  problems.filter(({ severity }) => severity === "error").map(({ message }) => message)

/** A denial in other letters is the same denial. */
const widens = ({ tools: before }: Agent, { tools: after }: Agent): boolean => {
  const denied = new Set(after.deny.map(plainName))
  return (
    (before.mode === "list" && after.mode === "inherit") ||
    before.deny.some((name) => !denied.has(plainName(name)))
  )
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]+/g, "")
