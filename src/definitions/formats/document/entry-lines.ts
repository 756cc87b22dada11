import { resemblesRestriction, toPlainKey } from "../../../ground/restricting.ts"
import type { YamlLine } from "./line.ts"
import { isProse } from "./prose.ts"

/** Splits YAML into lines and classifies each line by itself. */
export function classifyLines(yaml: string, knownKeys: ReadonlySet<string>): readonly YamlLine[] {
  const lines: YamlLine[] = []
  const seen = new Set<string>()
  // The first key sets the indentation of all keys.
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
): Omit<YamlLine, "start" | "text"> {
  const rest = text.slice(Math.min(indent, text.length - text.trimStart().length))
  if (/^\s/.test(rest)) return { type: "inner" }
  const key = /^(["']?)([\p{L}_][\p{L}\p{N}_.-]*)\1[ \t]*:(?=\s|$)/u.exec(rest)?.[2]
  if (key !== undefined) {
    // A known key that appears twice stays a duplicate: running text must not absorb it.
    return { type: "key", key, keyKind: knownKeys.has(key) ? "known" : classifyWord(key, knownKeys) }
  }
  const tight = /^([A-Za-z_][\w-]*):(?=[^\s/:])/.exec(rest)?.[1]
  const isTight = tight !== undefined && knownKeys.has(tight) && !seen.has(tight)
  // `a:b: 1` is a key with a colon in it.
  return isTight && (isProse(tight) || !/:\s/.test(rest))
    ? { type: "key", key: tight, keyKind: "known", isTight: true }
    : { type: "text" }
}

/**
 * Running text must not absorb a key that would gate or narrow the agent: such a key is reported as unknown. A word
 * that begins with a capital may be a heading, unless it is a known key in another spelling.
 */
function classifyWord(key: string, knownKeys: ReadonlySet<string>): "narrowing" | "heading" | "word" {
  const narrows =
    resemblesRestriction(key) !== undefined || /^(?:hooks?|mcp[\w-]*|rules|variables|workflows?)$/.test(key)
  if (!narrows) return "word"
  const isRespelled = plainKeysOf(knownKeys).has(toPlainKey(key))
  return /^\p{Lu}/u.test(key) && !isRespelled ? "heading" : "narrowing"
}

/** Computed once for each format. */
function plainKeysOf(knownKeys: ReadonlySet<string>): ReadonlySet<string> {
  const plain = plainKeys.get(knownKeys) ?? new Set([...knownKeys].map(toPlainKey))
  plainKeys.set(knownKeys, plain)
  return plain
}

const plainKeys = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>()
