import type { PlacedProblem } from "../diagnostics/problem.ts"
import { isMap, type Json } from "../message.ts"

type Node = { readonly [keyword: string]: Json }

/**
 * Follows everything that a schema says about one value: its references and the schemas that it combines. If
 * that leads back to itself without going into the value, no value can ever be checked.
 */
export function findReferenceProblem(schema: Json): PlacedProblem | undefined {
  const all: (readonly [Node, PlacedProblem["path"]])[] = []
  collect(schema, [], all)
  // Without references each schema is visited at most once.
  if (all.length <= mostLooks && !all.some(([node]) => refers(node))) return undefined
  const paths = new Map(all.toReversed())
  const names = namedSchemas(all)
  const open = new Set<Node>()
  const looks = new Map<Node, number>()
  let problem: PlacedProblem | undefined

  /** The number of times one value is checked for a node. */
  const visit = (node: Node): number => {
    const cached = looks.get(node)
    if (cached !== undefined) return cached
    open.add(node)
    let count = 1
    for (const [target, place] of sameValue(schema, names, node, paths.get(node)!)) {
      if (problem) break
      if (open.has(target)) problem = { path: place, message: endless }
      else count += visit(target)
      if (count > mostLooks) problem ??= { path: place, message: tooMany }
    }
    open.delete(node)
    looks.set(node, count)
    return count
  }

  for (const [node] of all) if (!problem) visit(node)
  return problem
}

const endless =
  "refers back to itself without going into the value, so checking a value against it would never end"
const mostLooks = 10_000
const tooMany = `has every value checked more than ${mostLooks} times, because references in it lead to others again and again`

const references = ["$ref", "$recursiveRef"] as const

const refers = (node: Node): boolean => references.some((keyword) => typeof node[keyword] === "string")

function* sameValue(
  root: Json,
  names: ReadonlyMap<string, Node>,
  node: Node,
  path: PlacedProblem["path"],
): Generator<readonly [Node, PlacedProblem["path"]]> {
  for (const keyword of references) {
    const target = resolveReference(root, names, node[keyword])
    if (target) yield [target, [...path, keyword]]
  }
  for (const keyword of ["not", "if", "then", "else"]) {
    const inner = node[keyword]
    if (isMap(inner)) yield [inner, [...path, keyword]]
  }
  for (const keyword of ["allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies"]) {
    const inner = node[keyword]
    if (typeof inner !== "object" || inner === null) continue
    for (const [name, one] of Object.entries(inner))
      if (isMap(one)) yield [one, [...path, keyword, Array.isArray(inner) ? Number(name) : name]]
  }
}

function resolveReference(
  root: Json,
  names: ReadonlyMap<string, Node>,
  reference: Json | undefined,
): Node | undefined {
  if (typeof reference !== "string") return undefined
  const named = names.get(reference)
  if (named) return named
  const [base = "", pointer = ""] = reference.split("#")
  let place: Json | undefined = base === "" ? root : names.get(base)
  if (pointer !== "" && !pointer.startsWith("/")) return undefined
  for (const step of pointer.split("/").slice(1)) {
    if (typeof place !== "object" || place === null) return undefined
    const key = unescapeStep(step)
    place = Object.hasOwn(place, key) ? (place as { readonly [key: string]: Json })[key] : undefined
  }
  return isMap(place) ? place : undefined
}

function unescapeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")
  } catch {
    return step
  }
}

/** The names that `$id` and `$anchor` give to places in a schema. */
function namedSchemas(all: readonly (readonly [Node, unknown])[]): ReadonlyMap<string, Node> {
  const names = new Map<string, Node>()
  for (const [node] of all) {
    const { $id, $anchor } = node
    if (typeof $id === "string") names.set($id, node)
    if (typeof $anchor === "string") names.set(`#${$anchor}`, node)
  }
  return names
}

/** Everything in a schema that could be one: extra entries do no harm. */
function collect(
  value: Json,
  path: PlacedProblem["path"],
  all: (readonly [Node, PlacedProblem["path"]])[],
): void {
  if (isMap(value)) all.push([value, path])
  if (typeof value !== "object" || value === null) return
  for (const [key, inner] of Object.entries(value))
    collect(inner, [...path, Array.isArray(value) ? Number(key) : key], all)
}
