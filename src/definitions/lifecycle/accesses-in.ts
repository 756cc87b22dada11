import { listInnerNodes } from "../../language/expression/inner-nodes.ts"
import type { Link, Node } from "../../language/expression/node.ts"
import { listLoopNames } from "../../language/expression/parse/comprehension.ts"

/** An access of a condition to an offered name. A loop variable of the same name is not an access. */
export interface NameAccess {
  readonly name: string
  readonly links: readonly Link[]
  readonly offset: number
}

export function listNameAccesses(node: Node, outer: readonly string[] = []): readonly NameAccess[] {
  const own =
    node.type === "comprehension"
      ? [...outer, ...node.clauses.flatMap(({ target }) => listLoopNames(target))]
      : outer
  const inner = listInnerNodes(node).flatMap((part) => listNameAccesses(part, own))
  if (node.type !== "access" || node.base.type !== "name" || own.includes(node.base.name)) return inner
  return [...inner, { name: node.base.name, links: node.links, offset: node.offset }]
}

/** `event.tool_name`, `event["tool_name"]` and `event.get("tool_name")` all have the key `tool_name`. */
export function getAccessedKey([first, second]: readonly Link[]): string | undefined {
  if (first?.type === "item") return textOf(first.item)
  if (first?.type !== "attribute") return undefined
  if (second?.type !== "call") return first.name
  return first.name === "get" ? textOf(second.arguments.positional[0]) : undefined
}

const textOf = (node: Node | undefined): string | undefined =>
  node?.type === "literal" && typeof node.value === "string" ? node.value : undefined
