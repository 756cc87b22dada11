import { listInnerNodes, listLinkNodes } from "./inner-nodes.ts"
import type { Comprehension, Link, Node } from "./node.ts"
import { listLoopNames } from "./parse/comprehension.ts"

export interface NameUse {
  readonly name: string
  readonly offset: number
}

/** A name with the constant keys after it: `steps.review.value`, but not `steps[name]`. */
export interface NameReference extends NameUse {
  readonly path: readonly (string | number)[]
  /** `more`: something follows the path, such as a filter, a computed item or a call. */
  readonly rest: "none" | "more"
  /** The name is called as a function: `len(…)`. */
  readonly isCalled?: true
}

/** Every name that an expression uses, in their order, without the built-in `range`. */
export const listUsedNames = (node: Node): readonly NameUse[] =>
  listReferences(node).map(({ name, offset }) => ({ name, offset }))

/** Every name that an expression uses, with its path. Variables of a comprehension are left out. */
export function listReferences(node: Node): readonly NameReference[] {
  switch (node.type) {
    case "name":
      return node.name === "range" ? [] : [{ name: node.name, offset: node.offset, path: [], rest: "none" }]
    case "access":
      return [...accessed(node.base, node.links), ...node.links.flatMap(listLinkReferences)]
    case "comprehension":
      return referencesInLoop(node)
    default:
      return listInnerNodes(node).flatMap(listReferences)
  }
}

export const listLinkReferences = (link: Link): readonly NameReference[] =>
  listLinkNodes(link).flatMap(listReferences)

/** The items of the first loop are evaluated outside of the comprehension. */
function referencesInLoop(node: Comprehension): readonly NameReference[] {
  const own = new Set(node.clauses.flatMap(({ target }) => listLoopNames(target)))
  const first = node.clauses[0]!.items
  return listInnerNodes(node).flatMap((inner) =>
    inner === first ? listReferences(inner) : listReferences(inner).filter(({ name }) => !own.has(name)),
  )
}

function accessed(base: Node, links: readonly Link[]): readonly NameReference[] {
  const references = listReferences(base)
  if (base.type !== "name" || !references[0]) return references
  if (links[0]!.type === "call") return [{ ...references[0], rest: "more", isCalled: true }]
  const path: (string | number)[] = []
  for (const [index, link] of links.entries()) {
    const key = links[index + 1]?.type === "call" ? undefined : keyOf(link)
    if (key === undefined) return [{ ...references[0], path, rest: "more" }]
    path.push(key)
  }
  return [{ ...references[0], path }]
}

function keyOf(link: Link): string | number | undefined {
  if (link.type === "attribute") return link.name
  const value = link.type === "item" && link.item.type === "literal" ? link.item.value : undefined
  if (typeof value === "bigint") return Number(value)
  return typeof value === "string" ? value : undefined
}
