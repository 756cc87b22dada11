import { resemblesRestriction } from "../../../ground/restricting.ts"
import type { Problem } from "../problem.ts"

/** So far below the front matter its rest may begin. */
const mostLines = 60

/**
 * A line `---` inside a text ends the front matter there. What follows, up to the line that was meant to end it, is
 * taken for instructions, and a key in it that would have narrowed the agent is lost.
 */
export function lostKeys(body: string, start: number, knownKeys: ReadonlySet<string>): readonly Problem[] {
  const problems: Problem[] = []
  let at = 0
  let hasBegun = false
  for (let count = 0; count < mostLines && at <= body.length; count++) {
    const end = body.indexOf("\n", at)
    const line = body.slice(at, end < 0 ? body.length : end)
    const isRule = /^---\s*$/.test(line)
    // A second block of front matter may begin at once.
    if (isRule && hasBegun) return problems
    if (/^ {0,3}(?:#{1,6} |```|~~~)/.test(line)) return []
    if (line.trim() !== "") hasBegun = true
    const key = /^([A-Za-z_][\w-]*):\s/.exec(line)?.[1]
    if (key !== undefined && knownKeys.has(key) && resemblesRestriction(key)?.distance === 0)
      problems.push({
        code: "key-restricting",
        severity: "error",
        message: `\`${key}\` stands below the line \`---\` that ends the front matter, so it is not read, and the agent would have more rights than it says. Move it above that line. A line \`---\` inside a text must be indented, below \`|\`.`,
        at: { type: "span", span: { start: start + at, end: start + at + key.length } },
      })
    at += line.length + 1
  }
  return []
}
