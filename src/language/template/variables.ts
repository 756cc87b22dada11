import { type NameReference, type NameUse, referencesIn, referencesInLink } from "../expression/names.ts"
import type { Node } from "../expression/node.ts"
import type { AssignmentTarget, FilterLink, TemplateNode } from "./node.ts"
import { targetNames } from "./target.ts"

/** The names that a template takes from outside, each at its first use. */
export function freeNames(nodes: readonly TemplateNode[]): readonly NameUse[] {
  const uses = new Map<string, NameUse>()
  for (const { name, offset } of freeReferences(nodes)) if (!uses.has(name)) uses.set(name, { name, offset })
  return [...uses.values()]
}

/** Every use of such a name, with the keys that follow it. */
export function freeReferences(nodes: readonly TemplateNode[]): readonly NameReference[] {
  const references: NameReference[] = []
  collect(nodes, new Set(), references)
  return references
}

type Found = NameReference[]

/** Collects names. `declared` grows on the way: a name that is set in a branch counts as set after it. */
function collect(nodes: readonly TemplateNode[], declared: Set<string>, found: Found): void {
  for (const node of nodes) {
    switch (node.type) {
      case "text":
        break
      case "print":
        use(node.value, declared, found)
        break
      case "if":
        for (const { test, body } of node.branches) {
          use(test, declared, found)
          collect(body, declared, found)
        }
        collect(node.otherwise, declared, found)
        break
      case "for": {
        use(node.items, declared, found)
        const inner = declare(node.target, new Set(declared))
        if (node.test !== undefined) use(node.test, inner, found)
        collect(node.body, inner.add("loop"), found)
        collect(node.otherwise, new Set(declared), found)
        break
      }
      case "set":
        use(node.value, declared, found)
        declare(node.target, declared)
        break
      case "set-block":
        collectFiltered(node, declared, found)
        declare(node.target, declared)
        break
      case "filter":
        collectFiltered(node, declared, found)
        break
      case "with": {
        const inner = new Set(declared)
        for (const { value } of node.assignments) use(value, declared, found)
        for (const { target } of node.assignments) declare(target, inner)
        collect(node.body, inner, found)
        break
      }
    }
  }
}

function collectFiltered(
  node: { readonly body: readonly TemplateNode[]; readonly filters: readonly FilterLink[] },
  declared: Set<string>,
  found: Found,
): void {
  add(node.filters.flatMap(referencesInLink), declared, found)
  collect(node.body, new Set(declared), found)
}

function use(node: Node, declared: ReadonlySet<string>, found: Found): void {
  add(referencesIn(node), declared, found)
}

function add(uses: readonly NameReference[], declared: ReadonlySet<string>, found: Found): void {
  for (const each of uses) if (!declared.has(each.name)) found.push(each)
}

function declare(target: AssignmentTarget, declared: Set<string>): Set<string> {
  for (const name of targetNames(target)) declared.add(name)
  return declared
}
