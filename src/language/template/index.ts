import type { Json } from "../../ground/message.ts"
import { attempt, type ExpressionProblem } from "../expression/failure.ts"
import { evaluate } from "../expression/index.ts"
import { variableNames } from "../expression/json.ts"
import { type Limits, Meter } from "../expression/meter.ts"
import type { NameUse, Reference } from "../expression/names.ts"
import { Frame } from "./frame.ts"
import type { TemplateNode } from "./node.ts"
import { parseNodes } from "./parse.ts"
import { renderNodes } from "./render.ts"
import { unsetNames } from "./unset.ts"
import { freeNames, freeReferences } from "./variables.ts"

/** What is wrong with a template, and where in its text; `limit` is set when a limit was met. */
export type TemplateProblem = ExpressionProblem

/** A template that can be rendered any number of times. What is in it is nobody else's concern. */
export interface Template {
  readonly type: "template"
  /** As it is written. */
  readonly text: string
  readonly nodes: readonly TemplateNode[]
}

export type ParsedTemplate = Template | { readonly type: "invalid"; readonly problem: TemplateProblem }

export type Rendered =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "failed"; readonly problem: TemplateProblem }

/** Reads a template in the language of Jinja2, without what reaches beyond the template. Never throws. */
export function parseTemplate(text: string): ParsedTemplate {
  const parsed = attempt(() => parseNodes(text))
  if (parsed.type === "failed") return { type: "invalid", problem: parsed.problem }
  return { type: "template", text, nodes: parsed.result }
}

/** The variables that a template uses and does not set itself, each where it is first used. */
export function variablesOf({ nodes }: Template): readonly NameUse[] {
  return freeNames(nodes)
}

/** Those of them that it needs, given that only `variables` are set. What has a default, or is only asked about, is not. */
export function unsetVariables(
  { nodes }: Template,
  variables: Readonly<Record<string, Json>>,
): readonly NameUse[] {
  return unsetNames(nodes, variables)
}

/** Every use of such a variable, with what is looked up in it. */
export function referencesOf({ nodes }: Template): readonly Reference[] {
  return freeReferences(nodes)
}

/**
 * What a template comes to as plain data: of one that is a single `{{ … }}` what that is, such as a list or a number; of
 * any other its text.
 */
export function renderValue(
  template: Template,
  variables: Readonly<Record<string, Json>>,
  limits?: Partial<Limits>,
): { readonly type: "value"; readonly value: Json } | Extract<Rendered, { type: "failed" }> {
  const [only, ...more] = template.nodes
  if (only?.type === "print" && more.length === 0)
    return evaluate({ type: "expression", node: only.value }, variables, limits)
  const rendered = renderTemplate(template, variables, limits)
  return rendered.type === "text" ? { type: "value", value: rendered.text } : rendered
}

/** Renders a template with plain data. Never throws and never takes more than the limits. */
export function renderTemplate(
  { nodes }: Template,
  variables: Readonly<Record<string, Json>>,
  limits?: Partial<Limits>,
): Rendered {
  const meter = new Meter(limits)
  const rendered = attempt(() => renderNodes(nodes, new Frame(variableNames(variables, "jinja")), meter))
  return rendered.type === "failed" ? rendered : { type: "text", text: rendered.result }
}
