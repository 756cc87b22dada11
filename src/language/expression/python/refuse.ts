import { knownNames } from "../../../ground/errors.ts"
import { Failure } from "../failure.ts"
import { filters } from "../filters/index.ts"
import { functions } from "../functions.ts"
import { innerNodes } from "../inner-nodes.ts"
import type { Reference } from "../names.ts"
import type { Node } from "../node.ts"
import { tests } from "../tests.ts"
import { allMethods } from "./methods.ts"

/** Fails for what is wrong whatever a condition is asked of. `free` are the names that no loop in it gives values. */
export function refuseMistakes(node: Node, free: readonly Reference[]): void {
  const places = new Set(free.map(({ offset }) => offset))
  const isFree = (inner: Node): inner is Node & { type: "name" } =>
    inner.type === "name" && places.has(inner.offset)
  const visit = (inner: Node): void => {
    refuseMethods(inner)
    refuseTests(inner, isFree)
    refuseFilters(inner, isFree)
    for (const part of innerNodes(inner)) visit(part)
  }
  visit(node)
}

/** Why a name is not known, where it is a word of templates; else nothing. */
export function wordOfTemplates(name: string): string | undefined {
  if (filters.has(name))
    return `\`${name}\` is a filter of templates. A condition is Python: write ${instead.get(name) ?? "a function, such as len(…), or a method"}.`
  if (tests.has(name))
    return `\`${name}\` is a test of templates. A condition is Python: compare, or ask isinstance(…, str).`
  return undefined
}

const instead: ReadonlyMap<string, string> = new Map([
  ["length", "len(…)"],
  ["count", "len(…)"],
  ["string", "str(…)"],
  ["first", "…[0]"],
  ["last", "…[-1]"],
  ["sort", "sorted(…)"],
  ["unique", "set(…)"],
  ["lower", "….lower()"],
  ["upper", "….upper()"],
  ["trim", "….strip()"],
  ["join", "', '.join(…)"],
  ["replace", "….replace(…, …)"],
  ["default", "… or …"],
  ["d", "… or …"],
  ["select", "[x for x in … if …]"],
  ["selectattr", "[x for x in … if …]"],
  ["reject", "[x for x in … if not …]"],
])

/** Data is plain, so what no kind of value has can be called on none: whoever asks for it has misspelled it. */
function refuseMethods(node: Node): void {
  const links = node.type === "access" ? node.links : []
  for (const [index, link] of links.entries())
    if (link.type === "attribute" && links[index + 1]?.type === "call" && !allMethods.includes(link.name))
      throw new Failure(
        `There is no method ${JSON.stringify(link.name)}. ${knownNames(link.name, allMethods)}`,
        link.offset,
      )
}

type IsFree = (node: Node) => node is Node & { type: "name" }

/** `is` of Python compares two values. */
function refuseTests(node: Node, isFree: IsFree): void {
  for (const { operator, operand } of node.type === "comparison" ? node.rest : []) {
    if ((operator !== "is" && operator !== "is not") || !isFree(operand)) continue
    const { name, offset } = operand
    if (name !== "defined" && name !== "undefined") continue
    const isThere = (operator === "is") === (name === "defined")
    throw new Failure(
      `\`${operator} ${name}\` is for templates. A condition is Python, and what is not there is None: write \`${isThere ? "is not None" : "is None"}\`.`,
      offset,
    )
  }
}

/** `|` of Python joins sets, dicts and bits. */
function refuseFilters(node: Node, isFree: IsFree): void {
  for (const { operator, operand } of node.type === "arithmetic" ? node.rest : [])
    if (operator === "|" && isFree(operand) && functions.has(operand.name))
      throw new Failure(
        `\`| ${operand.name}\` is for templates. A condition is Python: write \`${operand.name}(…)\`.`,
        operand.offset,
      )
}
