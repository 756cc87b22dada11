import { readYaml } from "../../../definitions/formats/document/yaml.ts"
import type { ReadFile } from "../../../definitions/registry/file.ts"
import { writeFixes } from "../../../definitions/registry/fix.ts"
import {
  explained,
  type FixableFile,
  fixableAgent,
  planFixes,
  withReasons,
} from "../../../definitions/registry/plan-fixes.ts"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"

/** What a check found, and what of it may be written. */
export interface Checked {
  readonly diagnostics: readonly Diagnostic[]
  readonly agents: readonly ReadFile[]
  readonly settings: readonly { readonly path: string; readonly text: string }[]
  /** Why a file is not to be written; undefined where it may be. */
  readonly whyNot: (file: string) => string | undefined
}

interface Fixed<Found extends Checked> {
  readonly found: Found
  /** With the reason at each whose fix is not written. */
  readonly diagnostics: readonly Diagnostic[]
  /** Files that were changed. */
  readonly changed: readonly string[]
}

/** A fix may make room for another; a handful of rounds is more than any file needs. */
const mostRounds = 10

/** Writes fixes and checks again, until there is none left to be written. */
export async function fixFindings<Found extends Checked>(check: () => Promise<Found>): Promise<Fixed<Found>> {
  const failed = new Map<string, string>()
  const changed = new Set<string>()
  for (let round = 0; ; round++) {
    const found = await check()
    const whyNot = (file: string) => failed.get(file) ?? found.whyNot(file)
    const plan = planFixes(fixableFiles(found), found.diagnostics, whyNot)
    if (plan.texts.size === 0 || round === mostRounds)
      return { found, diagnostics: explained(found.diagnostics, plan), changed: [...changed] }
    const written = writeFixes(plan)
    for (const file of written.changed) changed.add(file)
    for (const [file, reason] of written.failed) failed.set(file, reason)
  }
}

/** The findings without writing anything: a fix that would not be written says why. */
export const vetFindings = (found: Checked): readonly Diagnostic[] =>
  withReasons(found.diagnostics, fixableFiles(found), found.whyNot)

/** What `--fix` came to, in one line. */
export function fixedText(
  changed: readonly string[],
  diagnostics: readonly Diagnostic[],
  base: string,
): string {
  const left = diagnostics.filter(({ notFixed }) => notFixed !== undefined).length
  const unwritten = `${left} ${left === 1 ? "fix was" : "fixes were"} not written; the ${left === 1 ? "finding says" : "findings say"} why.`
  if (changed.length === 0)
    return left === 0 ? "There was nothing to fix." : `Nothing was fixed. ${unwritten}`
  const files = changed.map((file) => escapeText(shownPath(file, base))).join(", ")
  return `Fixed ${files}.${left === 0 ? "" : ` ${unwritten}`}`
}

const fixableFiles = ({ agents, settings }: Checked): readonly FixableFile[] => [
  ...agents.map(fixableAgent),
  ...settings.map(({ path, text }) => ({
    path,
    text,
    refuse: (mended: string) =>
      readYaml(mended).type === "value" ? undefined : "the file would not be valid YAML",
  })),
]
