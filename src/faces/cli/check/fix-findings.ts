import { readYaml } from "../../../definitions/formats/document/yaml.ts"
import type { DefinitionFile } from "../../../definitions/registry/file.ts"
import { writeFixes } from "../../../definitions/registry/fix.ts"
import {
  addFixReasons,
  explainFixes,
  type FixableFile,
  makeFixableAgent,
  planFixes,
} from "../../../definitions/registry/plan-fixes.ts"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"

/** The findings of a check, and the files that `--fix` may write. */
export interface CheckResult {
  readonly diagnostics: readonly Diagnostic[]
  readonly agents: readonly DefinitionFile[]
  readonly settings: readonly { readonly path: string; readonly text: string }[]
  /** The reason not to write a file; undefined if the file may be written. */
  readonly whyNot: (file: string) => string | undefined
}

interface Fixed<Found extends CheckResult> {
  readonly result: Found
  /** All findings. A finding whose fix was not written has the reason. */
  readonly diagnostics: readonly Diagnostic[]
  /** Files that were changed. */
  readonly changed: readonly string[]
}

/** One fix can make another one possible, so the check runs again. Real files need far fewer rounds. */
const mostRounds = 10

/** Writes fixes and checks again, until no fix remains to be written. */
export async function fixFindings<Found extends CheckResult>(
  check: () => Promise<Found>,
): Promise<Fixed<Found>> {
  const failed = new Map<string, string>()
  const changed = new Set<string>()
  for (let round = 0; ; round++) {
    const result = await check()
    const whyNot = (file: string) => failed.get(file) ?? result.whyNot(file)
    const plan = planFixes(fixableFiles(result), result.diagnostics, whyNot)
    if (plan.texts.size === 0 || round === mostRounds)
      return { result, diagnostics: addFixReasons(result.diagnostics, plan), changed: [...changed] }
    const outcome = writeFixes(plan)
    for (const file of outcome.changed) changed.add(file)
    for (const [file, reason] of outcome.failed) failed.set(file, reason)
  }
}

/** Writes nothing. Each finding whose fix would not be written gets the reason. */
export const vetFindings = (result: CheckResult): readonly Diagnostic[] =>
  explainFixes(result.diagnostics, fixableFiles(result), result.whyNot)

/** The result of `--fix`, in one line. */
export function fixResultText(
  changed: readonly string[],
  diagnostics: readonly Diagnostic[],
  base: string,
): string {
  const unwrittenCount = diagnostics.filter(({ notFixed }) => notFixed !== undefined).length
  const unwritten = `${unwrittenCount} ${unwrittenCount === 1 ? "fix was" : "fixes were"} not written; the ${unwrittenCount === 1 ? "finding says" : "findings say"} why.`
  if (changed.length === 0)
    return unwrittenCount === 0 ? "Nothing to fix." : `Nothing was fixed. ${unwritten}`
  const files = changed.map((file) => escapeText(toDisplayPath(file, base))).join(", ")
  return `Fixed ${files}.${unwrittenCount === 0 ? "" : ` ${unwritten}`}`
}

const fixableFiles = ({ agents, settings }: CheckResult): readonly FixableFile[] => [
  ...agents.map(makeFixableAgent),
  ...settings.map(({ path, text }) => ({
    path,
    text,
    refuse: (mended: string) =>
      readYaml(mended).type === "value" ? undefined : "the file would not be valid YAML",
  })),
]
