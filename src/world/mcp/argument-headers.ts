import { isMap, type Json, type JsonMap } from "../../ground/message.ts"

/** An argument that a server at an address also expects as a header, so that what lies before it can route the call. */
export interface ArgumentHeader {
  readonly header: string
  /** The keys that lead to the argument. */
  readonly path: readonly string[]
}

/**
 * Finds the arguments that a schema marks with `x-mcp-header`. The protocol of 2026-07-28 has a client leave a tool out
 * whose marks break its rules. `why` is a phrase that follows the tool's name.
 */
export function findArgumentHeaders(
  schema: JsonMap,
): { readonly headers: readonly ArgumentHeader[] } | { readonly why: string } {
  const headers: ArgumentHeader[] = []
  const used = new Set<string>()
  const judge: Judge = (mark, type, path) => {
    if (typeof mark !== "string" || !token.test(mark)) return "that is not the name of a header"
    if (path === undefined) return "at a place that is not a plain argument"
    if (!headerTypes.has(type)) return "on an argument that is not a string, an integer or a boolean"
    if (used.has(mark.toLowerCase())) return "that another argument has, too"
    used.add(mark.toLowerCase())
    headers.push({ header: `Mcp-Param-${mark}`, path })
    return undefined
  }
  let problem: string | undefined
  try {
    problem = visit(schema, [], judge)
  } catch {
    return { why: "has a schema that is nested too deeply" }
  }
  return problem === undefined ? { headers } : { why: `has an \`x-mcp-header\` ${problem}` }
}

/** The headers of one call. An argument that is missing or null has none. */
export function makeArgumentHeaders(
  headers: readonly ArgumentHeader[],
  input: JsonMap,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    headers.flatMap(({ header, path }) => {
      const value = path.reduce<Json | undefined>((node, key) => (isMap(node) ? node[key] : undefined), input)
      const isSent = typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value)
      return isSent ? [[header, encode(String(value))]] : []
    }),
  )
}

type Judge = (mark: Json, type: Json | undefined, path: readonly string[] | undefined) => string | undefined

/** Asks about every mark, and returns the first problem. `path` is undefined below anything else than `properties`. */
function visit(
  node: Json | undefined,
  path: readonly string[] | undefined,
  judge: Judge,
): string | undefined {
  if (Array.isArray(node)) return firstOf(node, (one) => visit(one, undefined, judge))
  if (!isMap(node)) return undefined
  const { [markKey]: mark, properties, ...others } = node
  const own = mark === undefined ? undefined : judge(mark, node.type, path?.length ? path : undefined)
  return (
    own ??
    firstOf(Object.entries(isMap(properties) ? properties : {}), ([key, one]) =>
      visit(one, path && [...path, key], judge),
    ) ??
    firstOf(
      Object.entries(others).filter(([key]) => !valueKeywords.has(key)),
      ([, one]) => visit(one, undefined, judge),
    )
  )
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const result = find(item)
    if (result !== undefined) return result
  }
  return undefined
}

const markKey = "x-mcp-header"
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const headerTypes: ReadonlySet<Json | undefined> = new Set(["string", "integer", "boolean"])

/** Their values are no schemas. */
const valueKeywords: ReadonlySet<string> = new Set(["const", "default", "enum", "examples", "required"])

/** Text that a header cannot carry as it is, or that looks like such a text, is sent in base64. */
const encode = (text: string): string =>
  /^(?![ \t])[\t\x20-\x7e]*(?<![ \t])$/.test(text) && !/^=\?base64\?.*\?=$/i.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString("base64")}?=`
