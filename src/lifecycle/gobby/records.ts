import { knownNames } from "../../errors.ts"
import { innerNodes } from "../../expression/inner-nodes.ts"
import type { Link, Node } from "../../expression/node.ts"
import { namesOf } from "../../expression/parse-comprehension.ts"
import type { TextProblem } from "../when.ts"
import { fixedRecords } from "./offered.ts"

/** Keys that a condition looks for in what has none of that name: they are null, whatever happens. */
export function unknownKeys(node: Node, outer: readonly string[] = []): readonly TextProblem[] {
  const own =
    node.type === "comprehension"
      ? [...outer, ...node.clauses.flatMap(({ target }) => namesOf(target))]
      : outer
  const inner = innerNodes(node).flatMap((part) => unknownKeys(part, own))
  if (node.type !== "access" || node.base.type !== "name") return inner
  const { name } = node.base
  const message = own.includes(name) ? undefined : missingKey(name, node.links)
  return message === undefined ? inner : [...inner, { message, offset: node.offset, length: name.length }]
}

function missingKey(record: string, links: readonly Link[]): string | undefined {
  const key = Object.hasOwn(fixedRecords, record) ? keyOf(links) : undefined
  if (key === undefined) return undefined
  return fixedRecords[record]!.includes(key)
    ? missingKey(`${record}.${key}`, links.slice(links[1]?.type === "call" ? 2 : 1))
    : `\`${record}\` has no ${JSON.stringify(key)} here. ${knownNames(key, fixedRecords[record]!)}`
}

/** `event.tool_name`, `event["tool_name"]` and `event.get("tool_name")` ask for the same. */
function keyOf([first, second]: readonly Link[]): string | undefined {
  if (first?.type === "item") return textOf(first.item)
  if (first?.type !== "attribute") return undefined
  if (second?.type !== "call") return first.name
  return first.name === "get" ? textOf(second.given.positional[0]) : undefined
}

const textOf = (node: Node | undefined): string | undefined =>
  node?.type === "literal" && typeof node.value === "string" ? node.value : undefined

/**
 * In Gobby the type and the source of an event are texts that also have a `value`, which is the same text. Here the type is
 * a text, and the source has a value.
 */
export function withPlainTypes(node: Node): Node {
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== "object" || part === null || ("type" in part && part.type === "literal")) return part
    const walked = Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]))
    const access = walked as Node
    if (access.type !== "access" || access.base.type !== "name" || access.base.name !== "event") return walked
    return { ...access, links: plainLinks(access.links) }
  }
  return walk(node) as Node
}

function plainLinks(links: readonly Link[]): readonly Link[] {
  const [first, second, ...rest] = links
  const key = first && keyOf([first])
  const hasValue = second !== undefined && keyOf([second]) === "value"
  if (key === "event_type" && hasValue) return [first!, ...rest]
  if (key !== "source" || hasValue) return links
  return [first!, { ...first!, type: "attribute", name: "value" } as Link, ...links.slice(1)]
}
