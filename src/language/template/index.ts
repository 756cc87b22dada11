import type { Json } from "../../ground/message.ts"
import { attempt, type ExpressionProblem } from "../expression/failure.ts"
import { evaluate } from "../expression/index.ts"
import { createVariableScope } from "../expression/json.ts"
import { type ExpressionLimits, Meter } from "../expression/meter.ts"
import type { NameReference, NameUse } from "../expression/names.ts"
import { Frame } from "./frame.ts"
import type { TemplateNode } from "./node.ts"
import { parseNodes } from "./parse.ts"
import { renderNodes } from "./render.ts"
import { findUnsetNames } from "./unset.ts"
import { freeNames, freeReferences } from "./variables.ts"

/** A problem of a template, with its offset. `limit` is set if a limit was reached. */
export type TemplateProblem = ExpressionProblem

/** A template that can be rendered any number of times. Its nodes are internal. */
export interface Template {
  readonly type: "template"
  /** The source text. */
  readonly text: string
  readonly nodes: readonly TemplateNode[]
}

export type ParsedTemplate = Template | { readonly type: "invalid"; readonly problem: TemplateProblem }

export type Rendered =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "failed"; readonly problem: TemplateProblem }

/** Parses a Jinja2 template. Tags that reach beyond the template are refused. Never throws. */
export function parseTemplate(text: string): ParsedTemplate {
  const parsed = attempt(() => parseNodes(text))
  if (parsed.type === "failed") return { type: "invalid", problem: parsed.problem }
  return { type: "template", text, nodes: parsed.result }
}

/** The variables that a template uses and does not set itself, each at its first use. */
export function listUsedVariables({ nodes }: Template): readonly NameUse[] {
  return freeNames(nodes)
}

/** The variables that a template needs and that are not in `variables`. Those with a default, or only tested, are not needed. */
export function findUnsetVariables(
  { nodes }: Template,
  variables: Readonly<Record<string, Json>>,
): readonly NameUse[] {
  return findUnsetNames(nodes, variables)
}

/** Every use of such a variable, with the keys that follow it. */
export function listTemplateReferences({ nodes }: Template): readonly NameReference[] {
  return freeReferences(nodes)
}

/**
 * Renders a template to plain data. A template that is a single `{{ … }}` becomes its value, such as a list or a number. Any
 * other becomes text.
 */
export function renderValue(
  template: Template,
  variables: Readonly<Record<string, Json>>,
  limits?: Partial<ExpressionLimits>,
): { readonly type: "value"; readonly value: Json } | Extract<Rendered, { type: "failed" }> {
  const [only, ...more] = template.nodes
  if (only?.type === "print" && more.length === 0)
    return evaluate({ type: "expression", node: only.value }, variables, limits)
  const rendered = renderTemplate(template, variables, limits)
  return rendered.type === "text" ? { type: "value", value: rendered.text } : rendered
}

/** Renders a template with plain data. Never throws, and never exceeds the limits. */
export function renderTemplate(
  { nodes }: Template,
  variables: Readonly<Record<string, Json>>,
  limits?: Partial<ExpressionLimits>,
): Rendered {
  const meter = new Meter(limits)
  const rendered = attempt(() =>
    renderNodes(nodes, new Frame(createVariableScope(variables, "jinja")), meter),
  )
  return rendered.type === "failed" ? rendered : { type: "text", text: rendered.result }
}
