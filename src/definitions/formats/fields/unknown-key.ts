import type { Severity } from "../../../ground/diagnostics/diagnostic.ts"
import { plainKey, resemblesRestriction } from "../../../ground/restricting.ts"
import type { Path } from "../document/yaml.ts"
import type { Format } from "../format.ts"
import type { Problem, Repair } from "../problem.ts"
import { nearMiss } from "./near-miss.ts"

/** What is to be said of a key that a format does not know. */
export interface Explained {
  readonly problem: Problem
  /** The key it may be renamed to, where that is not there yet and takes the value. */
  readonly rename: string | undefined
}

/** Tells a key that would have narrowed the agent from a slip, and both from a key of somebody else's. */
export function explainKey(
  { title, unknownKeys, unknownLimits }: Pick<Format, "title" | "unknownKeys" | "unknownLimits">,
  key: string,
  known: ReadonlySet<string>,
): Explained {
  const at = { type: "key", path: [key] } as const
  const miss = nearMiss(key, known)
  const rename = miss?.same && miss.key !== undefined && !miss.key.includes(".") ? miss.key : undefined
  const unread = `\`${key}\` is no key of ${title} files`
  if (miss?.restricts && unknownLimits === "warned" && resemblesRestriction(key)?.bounds === "work") {
    const message = `${unread}: it is kept and has no effect, so nothing limits this agent by it. Limits go below \`limits:\` in the configuration.`
    return { problem: { code: "key-unknown", severity: "warning", message, at }, rename }
  }
  if (miss?.restricts) return { problem: restricting(unread, miss.key, at.path), rename }
  if (miss) {
    const severity = unknownKeys === "refused" ? "error" : "warning"
    const message = `${unread} and has no effect.${instead(miss.key)}`
    return { problem: { code: "key-near-miss", severity, message, at }, rename }
  }
  const severity = unknownKeys === "refused" ? "error" : unknownKeys === "warned" ? "warning" : "info"
  const message = `${unread}: it is kept and has no effect.`
  return { problem: { code: "key-unknown", severity, message, at }, rename }
}

interface Inner {
  /** The beginning of what is said: which key it is, and of what it is none. */
  readonly is: string
  /** How that ends where the key is nobody's slip. */
  readonly otherwise: string
  readonly severity: Severity
  /** Words, in plain spelling, that mean something else at this place. */
  readonly harmless?: ReadonlySet<string>
}

/** The same of a key inside the value of another, where it can have been meant to narrow the agent too. */
export function explainInner(
  path: Path,
  known: ReadonlySet<string>,
  { is, otherwise, severity, harmless }: Inner,
): Problem {
  const key = String(path.at(-1))
  const miss = harmless?.has(plainKey(key)) ? undefined : nearMiss(key, known)
  const at = { type: "key", path } as const
  if (miss?.restricts) return restricting(is, miss.key, path)
  return miss
    ? {
        code: "key-near-miss",
        severity: "warning",
        message: `${is} and has no effect.${instead(miss.key)}`,
        at,
      }
    : { code: "key-unknown", severity, message: `${is}${otherwise}`, at }
}

export const renaming = (key: string, to: string): Repair => ({
  title: `Rename it to \`${to}\``,
  edits: [{ at: { type: "key", path: [key] }, text: to }],
})

/** So many keys that a format does not know are told one by one. */
const most = 100

/** A file of something else has thousands of keys: after some of them the point is made. */
export function capped(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= most) return problems
  const unknown = problems.filter(({ code }) => code === "key-unknown")
  const first = unknown[most]
  if (!first) return problems
  const left = new Set(unknown.slice(most))
  return [
    ...problems.filter((problem) => !left.has(problem)),
    {
      ...first,
      message: `… and ${unknown.length - most} more keys that are not known here: is this a definition of an agent?`,
    },
  ]
}

const restricting = (is: string, meant: string | undefined, path: Path): Problem => ({
  code: "key-restricting",
  severity: "error",
  message: `${is} and would be ignored there, so the agent would have more rights than it says.${instead(meant)}`,
  at: { type: "key", path },
})

const instead = (meant: string | undefined): string =>
  meant === undefined ? "" : ` Did you mean \`${meant}\`?`
