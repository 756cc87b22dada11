import type { Node, Pair, YAMLMap } from "yaml"
import type { Span } from "../../../ground/diagnostics/position.ts"
import { describeThrown } from "../../../ground/errors.ts"
import type { Json } from "../../../ground/message.ts"
import { readPlainYaml } from "./plain-yaml.ts"

export type YamlResult =
  | { readonly type: "value"; readonly value: Json }
  | { readonly type: "invalid"; readonly message: string; readonly offset: number }

export type KeyPath = readonly (string | number)[]

/** The most values, after aliases are followed, and the deepest nesting. Real definitions stay far below both. */
export const maxYamlValues = 50_000
export const maxYamlDepth = 50

/** Reads YAML 1.2 (core schema: no dates, no merge keys, no custom tags). Never throws, never runs anything. */
export function readYaml(text: string, duplicates: "refused" | "last-wins" = "refused"): YamlResult {
  const plain = duplicates === "refused" ? readPlainYaml(text) : undefined
  if (plain !== undefined) return { type: "value", value: plain }
  const { CORE_SCHEMA, load, YAMLException } = values()
  try {
    const value = load(text, { schema: CORE_SCHEMA, json: duplicates === "last-wins" }) ?? null
    const refusal = refuse(value, { remaining: maxYamlValues }, maxYamlDepth)
    return refusal === undefined
      ? { type: "value", value: value as Json }
      : { type: "invalid", message: refusal, offset: 0 }
  } catch (error) {
    if (error instanceof YAMLException)
      return { type: "invalid", message: error.reason, offset: error.mark?.position ?? 0 }
    if (error instanceof RangeError) return { type: "invalid", message: tooDeepMessage, offset: 0 }
    return { type: "invalid", message: describeThrown(error), offset: 0 }
  }
}

/**
 * The error of a stricter reader for YAML that ours accepts, such as a quoted text that goes on at column 0. The
 * stricter reader is slow, so it is asked only if some line begins unlike a key.
 */
export function findStrictError(text: string): YamlResult | undefined {
  if (!/^(?![\s#]|["']?[\p{L}_$@][^:\n"']*["']?[ \t]*:(?:[ \t\r\n]|$)|- |[\]}]|---\s*$)./mu.test(text))
    return undefined
  const { parseDocument } = places()
  const [error] = parseDocument(text, { schema: "core", strict: true, logLevel: "silent" }).errors
  return (
    error && {
      type: "invalid",
      message: error.message.split("\n")[0]!.replace(/ at line .*$/, ""),
      offset: error.pos[0],
    }
  )
}

/**
 * Finds keys and values of valid YAML by their path. It uses the library `yaml`, which loads at first use. `js-yaml`,
 * which reads the values, is four times as fast but does not report places.
 */
export function locateYaml(text: string): (path: KeyPath, place: "key" | "value") => Span | undefined {
  const { isMap, isScalar, isSeq, parseDocument } = places()
  const { contents } = parseDocument(text, { schema: "core", uniqueKeys: false, logLevel: "silent" })
  // The last pair of each name, by map: a file may have findings about tens of thousands of keys.
  const indexes = new Map<YAMLMap, ReadonlyMap<string, Pair>>()
  const pairsOf = (map: YAMLMap): ReadonlyMap<string, Pair> => {
    const cached = indexes.get(map)
    if (cached) return cached
    const index = new Map(
      map.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])),
    )
    indexes.set(map, index)
    return index
  }
  return (path, place) => {
    let node: unknown = contents
    let key: Node | undefined
    for (const step of path) {
      key = undefined
      if (isSeq(node) && typeof step === "number") node = node.items[step]
      else if (isMap(node)) {
        const pair = pairsOf(node).get(String(step))
        key = pair?.key as Node | undefined
        node = pair?.value ?? pair?.key
      } else return undefined
      if (!node) return undefined
    }
    const range = (place === "key" && key ? key : (node as Node | null))?.range
    return range ? { start: range[0], end: trimEnd(text, range[0], range[1]) } : undefined
  }
}

/** Finds the unquoted values (not keys) as the source spells them, with their places. */
export function findPlainScalars(text: string): readonly { readonly source: string; readonly span: Span }[] {
  const { parseDocument, visit } = places()
  const scalars: { source: string; span: Span }[] = []
  visit(parseDocument(text, { schema: "core", uniqueKeys: false, logLevel: "silent" }), {
    Scalar(key, { type, source, range }) {
      if (key !== "key" && type === "PLAIN" && source !== undefined && range)
        scalars.push({ source, span: { start: range[0], end: range[1] } })
    },
  })
  return scalars
}

/** Writes plain values as YAML, one key per line. */
export function writeYaml(value: Json): string {
  const { CORE_SCHEMA, dump } = values()
  return dump(value, { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true })
}

// `js-yaml` is loaded at first use, synchronously: importing cadre loads no other package.
let loaded: typeof import("js-yaml") | undefined
const values = (): typeof import("js-yaml") => {
  loaded ??= load("js-yaml") as typeof import("js-yaml")
  return loaded
}
const places = () => load("yaml") as typeof import("yaml")

const load = (name: string): unknown =>
  process.getBuiltinModule("node:module").createRequire(import.meta.url)(name)

export const tooManyMessage = "it has too many values once its aliases are followed"
export const tooDeepMessage = "its lists and maps are nested too deeply"

/** Refuses values that JSON cannot express, and a few aliases that stand for millions of values. */
function refuse(value: unknown, count: { remaining: number }, depth: number): string | undefined {
  if (--count.remaining < 0) return tooManyMessage
  if (typeof value === "number" && !Number.isFinite(value)) return `${value} is not a finite number`
  if (typeof value !== "object" || value === null) return undefined
  if (depth === 0) return tooDeepMessage
  for (const inner of Object.values(value)) {
    const refusal = refuse(inner, count, depth - 1)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** A block ends where its text does, not where the next key begins. */
function trimEnd(text: string, start: number, end: number): number {
  let last = end
  while (last > start && /\s/.test(text[last - 1]!)) last--
  return last
}
