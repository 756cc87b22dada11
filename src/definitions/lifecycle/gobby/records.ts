import type { TextProblem } from "../../../ground/diagnostics/problem.ts"
import { listKnownNames } from "../../../ground/errors.ts"
import type { Link, Node } from "../../../language/expression/node.ts"
import { getAccessedKey, listNameAccesses } from "../accesses-in.ts"
import { fixedRecords } from "./gobby-names.ts"

/** Finds keys that a condition reads from a record that never has them. They are always null. */
export const findUnknownRecordKeys = (node: Node): readonly TextProblem[] =>
  listNameAccesses(node).flatMap(({ name, links, offset }) => {
    const message = missingKey(name, links)
    return message === undefined ? [] : [{ message, offset, length: name.length }]
  })

function missingKey(record: string, links: readonly Link[]): string | undefined {
  const key = Object.hasOwn(fixedRecords, record) ? getAccessedKey(links) : undefined
  if (key === undefined) return undefined
  return fixedRecords[record]!.includes(key)
    ? missingKey(`${record}.${key}`, links.slice(links[1]?.type === "call" ? 2 : 1))
    : `\`${record}\` has no ${JSON.stringify(key)} here. ${listKnownNames(key, fixedRecords[record]!)}`
}

/**
 * In Gobby, the type and the source of an event are texts that also have a `value`, which is the same text. Here the type
 * is a text, and the source is a record with a `value`. So conditions are rewritten to fit.
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
  const key = first && getAccessedKey([first])
  const hasValue = second !== undefined && getAccessedKey([second]) === "value"
  if (key === "event_type" && hasValue) return [first!, ...rest]
  if (key !== "source" || hasValue) return links
  return [first!, { ...first!, type: "attribute", name: "value" } as Link, ...links.slice(1)]
}
