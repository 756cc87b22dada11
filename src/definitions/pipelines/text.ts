import type { Json } from "../../ground/message.ts"
import { type Condition, comesTo, holds, parseCondition } from "../../language/expression/condition.ts"
import type { Reference } from "../../language/expression/names.ts"
import {
  parseTemplate,
  referencesOf,
  renderTemplate,
  renderValue,
  type Template,
} from "../../language/template/index.ts"

/** The texts of a pipeline: templates, which are filled in once, and expressions. What they see is plain data. */

export type Scope = Readonly<Record<string, Json>>

/** What a text came to, or why it came to nothing. */
export type Filled<Value> = { readonly value: Value } | { readonly problem: string }

/** What a text says before it is filled in. */
export type ReadText =
  | { readonly type: "read"; readonly references: readonly Reference[] }
  | { readonly type: "invalid"; readonly message: string; readonly offset: number }

export function readTemplate(text: string): ReadText {
  const parsed = templateOf(text)
  if (parsed.type === "invalid") return { type: "invalid", ...parsed.problem }
  return { type: "read", references: referencesOf(parsed) }
}

export function readExpression(text: string): ReadText {
  const parsed = conditionOf(text)
  if (parsed.type === "invalid") return { type: "invalid", ...parsed.problem }
  return { type: "read", references: parsed.names }
}

export function fillText(text: string, scope: Scope): Filled<string> {
  const template = templateOf(text)
  if (template.type === "invalid") return { problem: template.problem.message }
  const rendered = renderTemplate(template, scope)
  return rendered.type === "text" ? { value: rendered.text } : { problem: rendered.problem.message }
}

/** Fills in every text of a value. One that is a single `{{ … }}` gives what that is, a list or a number, and not its text. */
export function fillValue(value: Json, scope: Scope): Filled<Json> {
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

function fillWhole(text: string, scope: Scope): Filled<Json> {
  const template = templateOf(text)
  if (template.type === "invalid") return { problem: template.problem.message }
  const given = renderValue(template, scope)
  return given.type === "value" ? given : { problem: given.problem.message }
}

export function isSo(text: string, scope: Scope): Filled<boolean> {
  const condition = conditionOf(text)
  if (condition.type === "invalid") return { problem: condition.problem.message }
  const answer = holds(condition, scope, {})
  return answer.type === "value" ? { value: answer.isTrue } : { problem: answer.problem.message }
}

export function workOut(text: string, scope: Scope): Filled<Json> {
  const condition = conditionOf(text)
  if (condition.type === "invalid") return { problem: condition.problem.message }
  const answer = comesTo(condition, scope)
  return answer.type === "value" ? answer : { problem: answer.problem.message }
}

/** Read once: a text is filled in for every item of a list, and looked at after every result. */
function readOnce<Read>(read: (text: string) => Read): (text: string) => Read {
  const known = new Map<string, Read>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const now = read(text)
    if (known.size >= mostKept) known.clear()
    known.set(text, now)
    return now
  }
}

const mostKept = 500

const templateOf: (text: string) => ReturnType<typeof parseTemplate> | Template = readOnce(parseTemplate)
const conditionOf: (text: string) => ReturnType<typeof parseCondition> | Condition = readOnce(parseCondition)
