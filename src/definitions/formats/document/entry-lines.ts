import { plainKey, resemblesRestriction } from "../../../ground/restricting.ts"
import type { Line } from "./line.ts"
import { isProse } from "./prose.ts"

/** The lines of YAML, with what each looks like by itself. */
export function linesOf(yaml: string, knownKeys: ReadonlySet<string>): readonly Line[] {
  const lines: Line[] = []
  const seen = new Set<string>()
  // The keys begin where the first of them does.
  let indent: number | undefined
  for (let start = 0; start < yaml.length; ) {
    const end = yaml.indexOf("\n", start) + 1 || yaml.length
    const text = yaml.slice(start, end)
    const content = text.trim()
    start = end
    if (content === "") lines.push({ start: end - text.length, text, type: "blank" })
    else if (content.startsWith("#") || (indent === undefined && content === "---"))
      lines.push({ start: end - text.length, text, type: "comment" })
    else {
      indent ??= text.length - text.trimStart().length
      const line = { start: end - text.length, text, ...kindOf(text, indent, knownKeys, seen) }
      if (line.key !== undefined) seen.add(line.key)
      lines.push(line)
    }
  }
  return lines
}

function kindOf(
  text: string,
  indent: number,
  knownKeys: ReadonlySet<string>,
  seen: ReadonlySet<string>,
): Omit<Line, "start" | "text"> {
  const rest = text.slice(Math.min(indent, text.length - text.trimStart().length))
  if (/^\s/.test(rest)) return { type: "inner" }
  const key = /^(["']?)([\p{L}_][\p{L}\p{N}_.-]*)\1[ \t]*:(?=\s|$)/u.exec(rest)?.[2]
  if (key !== undefined) {
    // A known key that comes twice stays a duplicate: text must not swallow it.
    return { type: "key", key, is: knownKeys.has(key) ? "known" : narrowing(key, knownKeys) }
  }
  const tight = /^([A-Za-z_][\w-]*):(?=[^\s/:])/.exec(rest)?.[1]
  const isTight = tight !== undefined && knownKeys.has(tight) && !seen.has(tight)
  // `a:b: 1` is a key with a colon in it.
  return isTight && (isProse(tight) || !/:\s/.test(rest))
    ? { type: "key", key: tight, is: "known", isTight: true }
    : { type: "text" }
}

/**
 * Text must not swallow what would gate or narrow the agent: such a key is told to be unknown. Only a word in capitals
 * that is no key in other letters may be a heading.
 */
function narrowing(key: string, knownKeys: ReadonlySet<string>): "narrowing" | "heading" | "word" {
  const narrows =
    resemblesRestriction(key) !== undefined || /^(?:hooks?|mcp[\w-]*|rules|variables|workflows?)$/.test(key)
  if (!narrows) return "word"
  const isRespelled = plainKeysOf(knownKeys).has(plainKey(key))
  return /^\p{Lu}/u.test(key) && !isRespelled ? "heading" : "narrowing"
}

/** Worked out once for each format. */
function plainKeysOf(knownKeys: ReadonlySet<string>): ReadonlySet<string> {
  const known = plainKeys.get(knownKeys) ?? new Set([...knownKeys].map(plainKey))
  plainKeys.set(knownKeys, known)
  return known
}

const plainKeys = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>()
