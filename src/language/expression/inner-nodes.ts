import type { FormatField, Link, Node } from "./node.ts"

/** The direct parts of an expression, in the order in which they are written. */
export function listInnerNodes(node: Node): readonly Node[] {
  switch (node.type) {
    case "literal":
    case "name":
      return []
    case "list":
    case "tuple":
    case "set":
      return node.items
    case "dict":
      return node.entries.flatMap(({ key, value }) => (key === undefined ? [value] : [key, value]))
    case "unary":
    case "starred":
      return [node.operand]
    case "logic":
    case "concat":
      return node.operands
    case "comparison":
    case "arithmetic":
      return [node.first, ...node.rest.map(({ operand }) => operand)]
    case "conditional":
      return [node.then, node.test, ...(node.otherwise === undefined ? [] : [node.otherwise])]
    case "comprehension":
      return [
        node.element,
        ...(node.value === undefined ? [] : [node.value]),
        ...node.clauses.flatMap(({ items, tests }) => [items, ...tests]),
      ]
    case "format":
      return node.parts.flatMap(innerNodesOfPart)
    case "access":
      return [node.base, ...node.links.flatMap(listLinkNodes)]
  }
}

export function listLinkNodes(link: Link): readonly Node[] {
  switch (link.type) {
    case "attribute":
      return []
    case "item":
      return [link.item]
    case "slice":
      return [link.from, link.to, link.step].filter((bound) => bound !== undefined)
    case "call":
    case "filter":
    case "test":
      return [...link.arguments.positional, ...link.arguments.named.map(({ value }) => value)]
  }
}

const innerNodesOfPart = (part: string | FormatField): readonly Node[] =>
  typeof part === "string" ? [] : [part.value, ...part.spec.flatMap(innerNodesOfPart)]
