import { resemblesRestriction } from "../../../ground/restricting.ts"
import type { Problem } from "../problem.ts"

/** The number of lines below the front matter that are searched. */
const mostLines = 60

/**
 * Finds restricting keys that were cut off by a line `---` inside a text. Such a line ends the front matter early: the
 * keys after it become instructions, and no longer narrow the agent.
 */
export function findLostKeys(
  body: string,
  start: number,
  knownKeys: ReadonlySet<string>,
): readonly Problem[] {
  const problems: Problem[] = []
  let at = 0
  let hasBegun = false
  for (let count = 0; count < mostLines && at <= body.length; count++) {
    const end = body.indexOf("\n", at)
    const line = body.slice(at, end < 0 ? body.length : end)
    const isRule = /^---\s*$/.test(line)
    // A `---` in the first line of text opens a second block of front matter. A later one ends the search.
    if (isRule && hasBegun) return problems
    if (/^ {0,3}(?:#{1,6} |```|~~~)/.test(line)) return []
    if (line.trim() !== "") hasBegun = true
    const key = /^([A-Za-z_][\w-]*):\s/.exec(line)?.[1]
    if (key !== undefined && knownKeys.has(key) && resemblesRestriction(key)?.distance === 0)
      problems.push({
        code: "key-restricting",
        severity: "error",
        message: `\`${key}\` is below the line \`---\` that ends the front matter, so it is not read. The agent would have more rights than the file says. Move the key above that line. If the \`---\` is part of a text, indent that text below \`|\`.`,
        at: { type: "span", span: { start: start + at, end: start + at + key.length } },
      })
    at += line.length + 1
  }
  return []
}
