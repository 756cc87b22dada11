import type { GivenNodes, Link, Node } from "./node.ts"

export interface NameUse {
  readonly name: string
  readonly offset: number
}

/** Every name that an expression looks up, in the order in which they are written, without the built-in `range`. */
export function namesIn(node: Node): readonly NameUse[] {
  switch (node.type) {
    case "literal":
      return []
    case "name":
      return node.name === "range" ? [] : [{ name: node.name, offset: node.offset }]
    case "list":
    case "tuple":
      return node.items.flatMap(namesIn)
    case "dict":
      return node.entries.flatMap(({ key, value }) => [...namesIn(key), ...namesIn(value)])
    case "unary":
      return namesIn(node.operand)
    case "logic":
    case "concat":
      return node.operands.flatMap(namesIn)
    case "comparison":
    case "arithmetic":
      return [...namesIn(node.first), ...node.rest.flatMap(({ operand }) => namesIn(operand))]
    case "conditional":
      return [
        ...namesIn(node.then),
        ...namesIn(node.test),
        ...(node.otherwise === undefined ? [] : namesIn(node.otherwise)),
      ]
    case "access":
      return [...namesIn(node.base), ...node.links.flatMap(namesInLink)]
  }
}

export function namesInLink(link: Link): readonly NameUse[] {
  switch (link.type) {
    case "attribute":
      return []
    case "item":
      return namesIn(link.item)
    case "slice":
      return [link.from, link.to, link.step].flatMap((bound) => (bound === undefined ? [] : namesIn(bound)))
    case "call":
    case "filter":
    case "test":
      return namesInGiven(link.given)
  }
}

function namesInGiven({ positional, named }: GivenNodes): readonly NameUse[] {
  return [...positional.flatMap(namesIn), ...named.flatMap(({ value }) => namesIn(value))]
}
