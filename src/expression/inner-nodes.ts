import type { Link, Node } from "./node.ts"

/** The parts of an expression, in the order in which they are written. */
export function innerNodes(node: Node): readonly Node[] {
  switch (node.type) {
    case "literal":
    case "name":
      return []
    case "list":
    case "tuple":
      return node.items
    case "dict":
      return node.entries.flatMap(({ key, value }) => [key, value])
    case "unary":
      return [node.operand]
    case "logic":
    case "concat":
      return node.operands
    case "comparison":
    case "arithmetic":
      return [node.first, ...node.rest.map(({ operand }) => operand)]
    case "conditional":
      return [node.then, node.test, ...(node.otherwise === undefined ? [] : [node.otherwise])]
    case "access":
      return [node.base, ...node.links.flatMap(innerNodesOf)]
  }
}

export function innerNodesOf(link: Link): readonly Node[] {
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
      return [...link.given.positional, ...link.given.named.map(({ value }) => value)]
  }
}
