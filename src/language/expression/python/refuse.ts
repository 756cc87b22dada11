import { listKnownNames } from "../../../ground/errors.ts"
import { ExpressionFailure } from "../failure.ts"
import { filters } from "../filters/index.ts"
import { functions } from "../functions.ts"
import { listInnerNodes } from "../inner-nodes.ts"
import type { NameReference } from "../names.ts"
import type { Node } from "../node.ts"
import { tests } from "../tests.ts"
import { allMethods } from "./methods.ts"

/** Refuses conditions that are wrong for any values. `free` are the names that are not loop variables. */
export function refuseMistakes(node: Node, free: readonly NameReference[]): void {
  const places = new Set(free.map(({ offset }) => offset))
  const isFree = (inner: Node): inner is Node & { type: "name" } =>
    inner.type === "name" && places.has(inner.offset)
  const visit = (inner: Node): void => {
    refuseMethods(inner)
    refuseTests(inner, isFree)
    refuseFilters(inner, isFree)
    for (const part of listInnerNodes(inner)) visit(part)
  }
  visit(node)
}

/** Explains an unknown name that is a filter or test of templates. Undefined: it is neither. */
export function explainTemplateWord(name: string): string | undefined {
  if (filters.has(name))
    return `\`${name}\` is a filter of templates. A condition is written in Python: write ${instead.get(name) ?? "a function, such as len(…), or a method"}.`
  if (tests.has(name))
    return `\`${name}\` is a test of templates. A condition is written in Python: compare values, or use isinstance(…, str).`
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

/** Refuses methods that no kind of value has. They must be typos. */
function refuseMethods(node: Node): void {
  const links = node.type === "access" ? node.links : []
  for (const [index, link] of links.entries())
    if (link.type === "attribute" && links[index + 1]?.type === "call" && !allMethods.includes(link.name))
      throw new ExpressionFailure(
        `Unknown method ${JSON.stringify(link.name)}. ${listKnownNames(link.name, allMethods)}`,
        link.offset,
      )
}

type IsFree = (node: Node) => node is Node & { type: "name" }

/** Refuses `is defined` and `is undefined`, because Python's `is` compares two values. */
function refuseTests(node: Node, isFree: IsFree): void {
  for (const { operator, operand } of node.type === "comparison" ? node.rest : []) {
    if ((operator !== "is" && operator !== "is not") || !isFree(operand)) continue
    const { name, offset } = operand
    if (name !== "defined" && name !== "undefined") continue
    const isThere = (operator === "is") === (name === "defined")
    throw new ExpressionFailure(
      `\`${operator} ${name}\` is for templates. A condition is written in Python, where a missing value is None: write \`${isThere ? "is not None" : "is None"}\`.`,
      offset,
    )
  }
}

/** Refuses filters after `|`, because Python's `|` joins sets, dicts and bits. */
function refuseFilters(node: Node, isFree: IsFree): void {
  for (const { operator, operand } of node.type === "arithmetic" ? node.rest : [])
    if (operator === "|" && isFree(operand) && functions.has(operand.name))
      throw new ExpressionFailure(
        `\`| ${operand.name}\` is for templates. A condition is written in Python: write \`${operand.name}(…)\`.`,
        operand.offset,
      )
}
