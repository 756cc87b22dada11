import type { Json } from "../../ground/message.ts"
import {
  type Condition,
  checkCondition,
  evaluateToJson,
  parseCondition,
} from "../../language/expression/condition.ts"
import type { NameReference } from "../../language/expression/names.ts"
import {
  listTemplateReferences,
  parseTemplate,
  renderTemplate,
  renderValue,
  type Template,
} from "../../language/template/index.ts"

/** The texts of a pipeline: templates, which are rendered once, and expressions. They can use plain data only. */

export type TextScope = Readonly<Record<string, Json>>

/** The result of a text, or the problem. */
export type TextResult<Value> = { readonly value: Value } | { readonly problem: string }

/** A parsed text, with the names that it uses. */
export type ParsedText =
  | { readonly type: "read"; readonly references: readonly NameReference[] }
  | { readonly type: "invalid"; readonly message: string; readonly offset: number }

export function readTemplate(text: string): ParsedText {
  const parsed = templateOf(text)
  if (parsed.type === "invalid") return { type: "invalid", ...parsed.problem }
  return { type: "read", references: listTemplateReferences(parsed) }
}

export function readExpression(text: string): ParsedText {
  const parsed = conditionOf(text)
  if (parsed.type === "invalid") return { type: "invalid", ...parsed.problem }
  return { type: "read", references: parsed.names }
}

export function fillText(text: string, scope: TextScope): TextResult<string> {
  const template = templateOf(text)
  if (template.type === "invalid") return { problem: template.problem.message }
  const rendered = renderTemplate(template, scope)
  return rendered.type === "text" ? { value: rendered.text } : { problem: rendered.problem.message }
}

/** Fills in every text of a value. A text that is a single `{{ … }}` becomes the value itself, such as a list or a number. */
export function fillValue(value: Json, scope: TextScope): TextResult<Json> {
  if (typeof value === "string") return fillWhole(value, scope)
  if (typeof value !== "object" || value === null) return { value }
  const filled: [string, Json][] = []
  for (const [key, inner] of Object.entries(value)) {
    const one = fillValue(inner, scope)
    if ("problem" in one) return one
    filled.push([key, one.value])
  }
  return { value: Array.isArray(value) ? filled.map(([, inner]) => inner) : Object.fromEntries(filled) }
}

function fillWhole(text: string, scope: TextScope): TextResult<Json> {
  const template = templateOf(text)
  if (template.type === "invalid") return { problem: template.problem.message }
  const rendered = renderValue(template, scope)
  return rendered.type === "value" ? rendered : { problem: rendered.problem.message }
}

export function testCondition(text: string, scope: TextScope): TextResult<boolean> {
  const condition = conditionOf(text)
  if (condition.type === "invalid") return { problem: condition.problem.message }
  const answer = checkCondition(condition, scope, {})
  return answer.type === "value" ? { value: answer.isTrue } : { problem: answer.problem.message }
}

export function evaluateText(text: string, scope: TextScope): TextResult<Json> {
  const condition = conditionOf(text)
  if (condition.type === "invalid") return { problem: condition.problem.message }
  const answer = evaluateToJson(condition, scope)
  return answer.type === "value" ? answer : { problem: answer.problem.message }
}

/** Caches parsed texts, because a text is filled in for every item of a list and after every result. */
function readOnce<Read>(read: (text: string) => Read): (text: string) => Read {
  const cache = new Map<string, Read>()
  return (text) => {
    const before = cache.get(text)
    if (before !== undefined) return before
    const now = read(text)
    if (cache.size >= mostKept) cache.clear()
    cache.set(text, now)
    return now
  }
}

const mostKept = 500

const templateOf: (text: string) => ReturnType<typeof parseTemplate> | Template = readOnce(parseTemplate)
const conditionOf: (text: string) => ReturnType<typeof parseCondition> | Condition = readOnce(parseCondition)
