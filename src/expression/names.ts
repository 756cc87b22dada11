import { innerNodes, innerNodesOf } from "./inner-nodes.ts"
import type { Link, Node } from "./node.ts"

export interface NameUse {
  readonly name: string
  readonly offset: number
}

/** Every name that an expression looks up, in the order in which they are written, without the built-in `range`. */
export function namesIn(node: Node): readonly NameUse[] {
  if (node.type !== "name") return innerNodes(node).flatMap(namesIn)
  return node.name === "range" ? [] : [{ name: node.name, offset: node.offset }]
}

export const namesInLink = (link: Link): readonly NameUse[] => innerNodesOf(link).flatMap(namesIn)
