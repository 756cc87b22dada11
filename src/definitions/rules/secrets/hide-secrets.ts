import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { createOffsetFinder, type TextRange } from "../../../ground/diagnostics/position.ts"
import { maskSecrets } from "./secrets.ts"

/**
 * Makes the secrets of a file unreadable, for excerpts of it. Every offset stays the same. Three things count: the shape of
 * a secret, the name of its value, and a finding that calls something a secret.
 */
export function hideSecrets(text: string, findings: readonly Pick<Diagnostic, "code" | "range">[]): string {
  const offsetOf = createOffsetFinder(text)
  let hidden = hideNamed(maskSecrets(text))
  for (const { code, range } of findings) {
    if (!secretCodes.has(code)) continue
    const start = offsetOf(range.start)
    if (start === undefined) continue
    const end = endOfValue(text, offsetOf(range.end) ?? text.length, range)
    hidden = hidden.slice(0, start) + hideWords(hidden.slice(start, end)) + hidden.slice(end)
  }
  return hidden
}

const secretCodes: ReadonlySet<string> = new Set([
  "mcp-server-secret",
  "secret-in-definition",
  "secret-in-file",
  "secret-written-out",
])

/** A finding may point at the key. Then the value is the rest of the line, with the deeper lines below it. */
function endOfValue(text: string, end: number, { start }: TextRange): number {
  if (!/^["']?[ \t]*[:=]/.test(text.slice(end, end + 20))) return end
  const lineEnd = text.indexOf("\n", end)
  if (lineEnd < 0) return text.length
  const indentOf = (line: string) => line.search(/\S/)
  const own = indentOf(text.split("\n", start.line).at(-1)!)
  let last = lineEnd
  while (last < text.length) {
    const next = text.indexOf("\n", last + 1)
    const line = text.slice(last + 1, next < 0 ? text.length : next)
    if (line.trim() !== "" && indentOf(line) <= own) break
    last = next < 0 ? text.length : next
  }
  return last
}

/** Hides every word that is not the name of something. */
const hideWords = (text: string): string =>
  text.replace(/[^\s"'`{}[\],:=]{4,}(?![^\s"'`{}[\],:=])(?!["'`]?\s*[:=])/g, (word) =>
    "*".repeat(word.length),
  )

/** Hides values whose name says that they are secrets. A variable, a path and a number are none. */
const hideNamed = (text: string): string =>
  text.replace(namedValue, (whole, name: string, quoted?: string, word?: string) => {
    const value = quoted ?? word!
    if (/\$\{|^(?:[~/.]|[\d.]+$|true$|false$)/.test(value)) return whole
    const start = whole.lastIndexOf(value)
    return start < name.length
      ? whole
      : whole.slice(0, start) + "*".repeat(value.length) + whole.slice(start + value.length)
  })

/** `API_KEY: value`, `"token": "value"`, `--token=value`, `"--token", "value"`. */
const namedValue =
  /([\w-]{0,60}(?:[_-]key|[a-z]key|token|secret|passw(?:or)?d|credentials?|authorization))["'`]?[ \t]{0,20}[:=,][ \t]{0,20}(?:["'`]((?:[^"'`\n\\]|\\.){8,2000})["'`]|([^\s"'`,{}[\]]{8,2000}))/gi
