import { listLinkReferences, listReferences, type NameReference, type NameUse } from "../expression/names.ts"
import type { Node } from "../expression/node.ts"
import type { AssignmentTarget, FilterLink, TemplateNode } from "./node.ts"
import { listTargetNames } from "./target.ts"

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
function collect(nodes: readonly TemplateNode[], declared: Set<string>, references: Found): void {
  for (const node of nodes) {
    switch (node.type) {
      case "text":
        break
      case "print":
        use(node.value, declared, references)
        break
      case "if":
        for (const { test, body } of node.branches) {
          use(test, declared, references)
          collect(body, declared, references)
        }
        collect(node.otherwise, declared, references)
        break
      case "for": {
        use(node.items, declared, references)
        const inner = declare(node.target, new Set(declared))
        if (node.test !== undefined) use(node.test, inner, references)
        collect(node.body, inner.add("loop"), references)
        collect(node.otherwise, new Set(declared), references)
        break
      }
      case "set":
        use(node.value, declared, references)
        declare(node.target, declared)
        break
      case "set-block":
        collectFiltered(node, declared, references)
        declare(node.target, declared)
        break
      case "filter":
        collectFiltered(node, declared, references)
        break
      case "with": {
        const inner = new Set(declared)
        for (const { value } of node.assignments) use(value, declared, references)
        for (const { target } of node.assignments) declare(target, inner)
        collect(node.body, inner, references)
        break
      }
    }
  }
}

function collectFiltered(
  node: { readonly body: readonly TemplateNode[]; readonly filters: readonly FilterLink[] },
  declared: Set<string>,
  references: Found,
): void {
  add(node.filters.flatMap(listLinkReferences), declared, references)
  collect(node.body, new Set(declared), references)
}

function use(node: Node, declared: ReadonlySet<string>, references: Found): void {
  add(listReferences(node), declared, references)
}

function add(uses: readonly NameReference[], declared: ReadonlySet<string>, references: Found): void {
  for (const each of uses) if (!declared.has(each.name)) references.push(each)
}

function declare(target: AssignmentTarget, declared: Set<string>): Set<string> {
  for (const name of listTargetNames(target)) declared.add(name)
  return declared
}
