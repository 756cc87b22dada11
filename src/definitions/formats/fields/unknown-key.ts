import type { DiagnosticSeverity } from "../../../ground/diagnostics/diagnostic.ts"
import { resemblesRestriction, toPlainKey } from "../../../ground/restricting.ts"
import type { KeyPath } from "../document/yaml.ts"
import type { Format } from "../format.ts"
import type { Problem, Repair } from "../problem.ts"
import { findNearMiss } from "./near-miss.ts"

/** The finding about a key that a format does not know. */
export interface UnknownKeyFinding {
  readonly problem: Problem
  /** The known key with the same meaning, as a candidate for a rename. */
  readonly rename: string | undefined
}

/** Tells a key that would have narrowed the agent from a misspelt one, and both from a key of another tool. */
export function explainUnknownKey(
  { title, unknownKeys, unknownLimits }: Pick<Format, "title" | "unknownKeys" | "unknownLimits">,
  key: string,
  knownKeys: ReadonlySet<string>,
): UnknownKeyFinding {
  const at = { type: "key", path: [key] } as const
  const miss = findNearMiss(key, knownKeys)
  const rename = miss?.same && miss.key !== undefined && !miss.key.includes(".") ? miss.key : undefined
  const notKey = `\`${key}\` is not a key of ${title} files`
  if (miss?.restricts && unknownLimits === "warned" && resemblesRestriction(key)?.bounds === "work") {
    const message = `${notKey}: it is kept and has no effect, so it does not limit this agent. Set limits below \`limits:\` in the configuration.`
    return { problem: { code: "key-unknown", severity: "warning", message, at }, rename }
  }
  if (miss?.restricts) return { problem: explainRestricting(notKey, miss.key, at.path), rename }
  if (miss) {
    const severity = unknownKeys === "refused" ? "error" : "warning"
    const message = `${notKey} and has no effect.${suggest(miss.key)}`
    return { problem: { code: "key-near-miss", severity, message, at }, rename }
  }
  const severity = unknownKeys === "refused" ? "error" : unknownKeys === "warned" ? "warning" : "info"
  const message = `${notKey}: it is kept and has no effect.`
  return { problem: { code: "key-unknown", severity, message, at }, rename }
}

interface Inner {
  /** The beginning of the message: "`key` is not a key of …". */
  readonly is: string
  /** The end of the message for a key that is not a misspelt one. */
  readonly otherwise: string
  readonly severity: DiagnosticSeverity
  /** Keys, in plain spelling, that mean something else at this place and restrict nothing. */
  readonly harmless?: ReadonlySet<string>
}

/** Explains an unknown key inside the value of another key, where it may have been meant to narrow the agent too. */
export function explainInnerKey(
  path: KeyPath,
  knownKeys: ReadonlySet<string>,
  { is, otherwise, severity, harmless }: Inner,
): Problem {
  const key = String(path.at(-1))
  const miss = harmless?.has(toPlainKey(key)) ? undefined : findNearMiss(key, knownKeys)
  const at = { type: "key", path } as const
  if (miss?.restricts) return explainRestricting(is, miss.key, path)
  return miss
    ? {
        code: "key-near-miss",
        severity: "warning",
        message: `${is} and has no effect.${suggest(miss.key)}`,
        at,
      }
    : { code: "key-unknown", severity, message: `${is}${otherwise}`, at }
}

export const makeRenameRepair = (key: string, to: string): Repair => ({
  title: `Rename it to \`${to}\``,
  edits: [{ at: { type: "key", path: [key] }, text: to }],
})

/** The number of unknown keys that are reported one by one. */
const most = 100

/** Shortens the findings about a file that is no agent definition and has thousands of unknown keys. */
export function capUnknownKeys(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= most) return problems
  const unknown = problems.filter(({ code }) => code === "key-unknown")
  const first = unknown[most]
  if (!first) return problems
  const remaining = new Set(unknown.slice(most))
  return [
    ...problems.filter((problem) => !remaining.has(problem)),
    {
      ...first,
      message: `… and ${unknown.length - most} more unknown keys. Is this file an agent definition?`,
    },
  ]
}

const explainRestricting = (is: string, suggestion: string | undefined, path: KeyPath): Problem => ({
  code: "key-restricting",
  severity: "error",
  message: `${is}. It would be ignored, and the agent would have more rights than its file says.${suggest(suggestion)}`,
  at: { type: "key", path },
})

const suggest = (suggestion: string | undefined): string =>
  suggestion === undefined ? "" : ` Did you mean \`${suggestion}\`?`
