/** Facts about a JSON text that JSON.parse does not report. */
export interface JsonShape {
  /** The first key that its object already has, quotes included. */
  readonly duplicate: { readonly start: number; readonly end: number } | undefined
  /** The deepest nesting of objects and lists. */
  readonly depth: number
  readonly values: number
}

/** Scans valid JSON once, without recursion. */
export function shapeOfJson(json: string): JsonShape {
  const open: (Set<string> | undefined)[] = []
  let duplicate: JsonShape["duplicate"]
  let depth = 0
  let values = 1
  let isKey = false
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '"') {
      const end = endOfString(json, at)
      const keys = open.at(-1)
      if (isKey && keys) {
        const key = JSON.parse(json.slice(at, end)) as string
        if (keys.has(key)) duplicate ??= { start: at, end }
        keys.add(key)
      }
      isKey = false
      at = end - 1
    } else if (character === "{" || character === "[") {
      open.push(character === "{" ? new Set() : undefined)
      depth = Math.max(depth, open.length)
      values++
      isKey = character === "{"
    } else if (character === "}" || character === "]") open.pop()
    else if (character === ",") {
      values++
      isKey = open.at(-1) !== undefined
    }
  }
  return { duplicate, depth, values }
}

/** The offset after the closing quote. */
function endOfString(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1
  return at + 1
}
