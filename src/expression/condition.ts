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
import { allMethods } from "./methods.ts"
import { type Reference, referencesIn } from "./names.ts"
import type { Node } from "./node.ts"
import { parseExpressionNode } from "./parse.ts"
import type { Token } from "./token.ts"
import { isTrue, type Value } from "./value.ts"

/** An expression that is asked only whether it holds, with the names that it looks up. */
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
    const cursor = new Cursor(lex(text, 0, text.length, []).tokens.map(inOneSpelling))
    const node = parseExpressionNode(cursor)
    cursor.expectEnd()
    refuseUnknownMethods(node)
    return node
  })
  if (parsed.type === "failed") return { type: "invalid", problem: parsed.problem }
  const names = referencesIn(parsed.result).filter(({ name }) => !functions.has(name))
  return { type: "condition", text, node: parsed.result, names }
}

/**
 * Whether a condition holds. Unlike in a template, what is not there is null: a name, a key, whatever is looked up in null;
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

function workOut(node: Node, variables: Readonly<Record<string, Json>>, meter: Meter): Value {
  const given = variableNames(variables)
  return evaluateNode(
    node,
    { lookUp: (name, meter) => given.lookUp(name, meter) ?? functions.get(name), absent: "null" },
    meter,
  )
}

/** Some milliseconds at most: conditions are asked before every call. */
const conditionLimits: Limits = { steps: 200_000, characters: 1_000_000, items: 10_000 }

/** Data is plain, so what no kind of value has can be called on none: whoever asks for it has misspelled it. */
function refuseUnknownMethods(node: Node): void {
  const links = node.type === "access" ? node.links : []
  for (const [index, link] of links.entries())
    if (link.type === "attribute" && links[index + 1]?.type === "call" && !allMethods().includes(link.name))
      throw new Failure(
        `There is no method ${JSON.stringify(link.name)}. ${knownNames(link.name, allMethods())}`,
        link.offset,
      )
  for (const inner of innerNodes(node)) refuseUnknownMethods(inner)
}

const spellings = new Map([
  ["None", "none"],
  ["null", "none"],
  ["True", "true"],
  ["False", "false"],
])

/** Python and YAML write these otherwise; behind a dot it is the name of a key. */
function inOneSpelling(token: Token, index: number, tokens: readonly Token[]): Token {
  const text =
    token.type === "name" && tokens[index - 1]?.text !== "." ? spellings.get(token.text) : undefined
  return text === undefined ? token : ({ ...token, text } as Token)
}
