import { innerNodes, innerNodesOf } from "./inner-nodes.ts"
import type { Comprehension, Link, Node } from "./node.ts"
import { namesOf } from "./parse/comprehension.ts"

export interface NameUse {
  readonly name: string
  readonly offset: number
}

/** A name with what is looked up in it, as far as that is written out: `steps.review.value` but not `steps[name]`. */
export interface Reference extends NameUse {
  readonly path: readonly (string | number)[]
  /** `more`: something else is done with it, such as a filter, an item that is worked out, or a call. */
  readonly rest: "none" | "more"
  /** It is the name of a function: `len(…)`. */
  readonly isCalled?: true
}

/** Every name that an expression looks up, in the order in which they are written, without the built-in `range`. */
export const namesIn = (node: Node): readonly NameUse[] =>
  referencesIn(node).map(({ name, offset }) => ({ name, offset }))

/** The same, with what is looked up in them. Names that a loop in brackets gives values are its own, and not among them. */
export function referencesIn(node: Node): readonly Reference[] {
  switch (node.type) {
    case "name":
      return node.name === "range" ? [] : [{ name: node.name, offset: node.offset, path: [], rest: "none" }]
    case "access":
      return [...accessed(node.base, node.links), ...node.links.flatMap(referencesInLink)]
    case "comprehension":
      return referencesInLoop(node)
    default:
      return innerNodes(node).flatMap(referencesIn)
  }
}

export const referencesInLink = (link: Link): readonly Reference[] => innerNodesOf(link).flatMap(referencesIn)

/** What the first loop goes through is looked up outside of it. */
function referencesInLoop(node: Comprehension): readonly Reference[] {
  const own = new Set(node.clauses.flatMap(({ target }) => namesOf(target)))
  const first = node.clauses[0]!.items
  return innerNodes(node).flatMap((inner) =>
    inner === first ? referencesIn(inner) : referencesIn(inner).filter(({ name }) => !own.has(name)),
  )
}

function accessed(base: Node, links: readonly Link[]): readonly Reference[] {
  const found = referencesIn(base)
  if (base.type !== "name" || !found[0]) return found
  if (links[0]!.type === "call") return [{ ...found[0], rest: "more", isCalled: true }]
  const path: (string | number)[] = []
  for (const [index, link] of links.entries()) {
    const key = links[index + 1]?.type === "call" ? undefined : keyOf(link)
    if (key === undefined) return [{ ...found[0], path, rest: "more" }]
    path.push(key)
  }
  return [{ ...found[0], path }]
}

function keyOf(link: Link): string | number | undefined {
  if (link.type === "attribute") return link.name
  const value = link.type === "item" && link.item.type === "literal" ? link.item.value : undefined
  if (typeof value === "bigint") return Number(value)
  return typeof value === "string" ? value : undefined
}
