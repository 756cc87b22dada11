import { knownNames } from "../errors.ts"
import type { Json } from "../message.ts"
import { Cursor } from "./cursor.ts"
import { evaluateNode } from "./evaluate.ts"
import { attempt, Failure, type Problem } from "./failure.ts"
import { functions } from "./functions.ts"
import { innerNodes } from "./inner-nodes.ts"
import { toJson, variableNames } from "./json.ts"
import { lex } from "./lex.ts"
import { type Limits, Meter } from "./meter.ts"
import { type Reference, referencesIn } from "./names.ts"
import type { Node } from "./node.ts"
import { parseExpressionNode } from "./parse.ts"
import { allMethods } from "./python/methods.ts"
import { isTrue, type Value } from "./value.ts"

/** An expression of Python that is asked only whether it holds, with the names that it looks up. */
export interface Condition {
  readonly type: "condition"
  /** As it is written. */
  readonly text: string
  readonly node: Node
  readonly names: readonly Reference[]
}

const longestCondition = 10_000

/** Reads a condition such as `tool_name == "Bash" and "pytest" in command`. Never throws. */
export function parseCondition(
  text: string,
): Condition | { readonly type: "invalid"; readonly problem: Problem } {
  const parsed = attempt(() => {
    if (text.length > longestCondition)
      throw new Failure(
        `A condition may have at most ${longestCondition} characters.`,
        longestCondition,
        "characters",
      )
    const { tokens } = lex(text, { start: 0, end: text.length, closers: [], dialect: "python" })
    const cursor = new Cursor(tokens, "python")
    const node = parseExpressionNode(cursor)
    cursor.expectEnd()
    refuseUnknown(node)
    return node
  })
  if (parsed.type === "failed") return { type: "invalid", problem: parsed.problem }
  const names = referencesIn(parsed.result).filter(({ name }) => !functions.has(name))
  return { type: "condition", text, node: parsed.result, names }
}

/**
 * Whether a condition holds. Unlike in Python, what is not there is null: a name, a key, whatever is looked up in null;
 * and nothing is in null. Never throws and never takes more than the limits.
 */
export function holds(
  { node }: Condition,
  variables: Readonly<Record<string, Json>>,
  limits: Partial<Limits> = conditionLimits,
):
  | { readonly type: "value"; readonly isTrue: boolean }
  | { readonly type: "failed"; readonly problem: Problem } {
  const evaluated = attempt(() => isTrue(workOut(node, variables, new Meter(limits))))
  return evaluated.type === "failed" ? evaluated : { type: "value", isTrue: evaluated.result }
}

/** What a condition comes to as plain data, by the same rules. */
export function comesTo(
  { node }: Condition,
  variables: Readonly<Record<string, Json>>,
  limits?: Partial<Limits>,
): { readonly type: "value"; readonly value: Json } | { readonly type: "failed"; readonly problem: Problem } {
  const evaluated = attempt(() => {
    const meter = new Meter(limits)
    return toJson(workOut(node, variables, meter), meter)
  })
  return evaluated.type === "failed" ? evaluated : { type: "value", value: evaluated.result }
}

/** What a condition comes to as a value of Python. Throws a Failure. */
export function workOut(node: Node, variables: Readonly<Record<string, Json>>, meter: Meter): Value {
  const given = variableNames(variables, "python")
  const lookUp = (name: string, meter: Meter) => given.lookUp(name, meter) ?? functions.get(name)
  return evaluateNode(node, { lookUp, dialect: "python" }, meter)
}

/** Some milliseconds at most: conditions are asked before every call. */
const conditionLimits: Limits = { steps: 200_000, characters: 1_000_000, items: 10_000 }

/**
 * What is wrong whatever it is asked of. Data is plain, so what no kind of value has can be called on none: whoever asks
 * for it has misspelled it. And `is` of Python compares, so a test of templates behind it would be no name of anything.
 */
function refuseUnknown(node: Node): void {
  const links = node.type === "access" ? node.links : []
  for (const [index, link] of links.entries())
    if (link.type === "attribute" && links[index + 1]?.type === "call" && !allMethods.includes(link.name))
      throw new Failure(
        `There is no method ${JSON.stringify(link.name)}. ${knownNames(link.name, allMethods)}`,
        link.offset,
      )
  for (const { operator, operand } of node.type === "comparison" ? node.rest : [])
    if ((operator === "is" || operator === "is not") && operand.type === "name" && isAboutBeing(operand.name))
      throw new Failure(
        `\`${operator} ${operand.name}\` is for templates. A condition is Python, in which what is not there is None: write \`${isThere(operator, operand.name) ? "is not None" : "is None"}\`.`,
        operand.offset,
      )
  for (const inner of innerNodes(node)) refuseUnknown(inner)
}

const isAboutBeing = (name: string): boolean => name === "defined" || name === "undefined"

const isThere = (operator: "is" | "is not", name: string): boolean =>
  (operator === "is") === (name === "defined")
