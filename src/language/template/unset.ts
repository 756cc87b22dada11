import type { Json } from "../../ground/message.ts"
import { evaluateNode } from "../expression/evaluate.ts"
import type { NameScope } from "../expression/evaluator.ts"
import { attempt } from "../expression/failure.ts"
import { listInnerNodes, listLinkNodes } from "../expression/inner-nodes.ts"
import { createVariableScope } from "../expression/json.ts"
import { Meter } from "../expression/meter.ts"
import type { NameUse } from "../expression/names.ts"
import type { Node } from "../expression/node.ts"
import { listIterableItems } from "../expression/sequence.ts"
import { isTrue, type Value } from "../expression/value.ts"
import type { AssignmentTarget, FilterLink, ForNode, TemplateNode } from "./node.ts"
import { listTargetNames } from "./target.ts"

/**
 * The variables that a template needs and that are not set, each at its first use. A variable that is only tested (`is
 * defined`, `default`, a truth test) is not needed. Branches that the set variables rule out do not count.
 */
export function findUnsetNames(
  nodes: readonly TemplateNode[],
  variables: Readonly<Record<string, Json>>,
): readonly NameUse[] {
  const search = new Search(variables)
  search.walk(nodes, new Map())
  return [...search.uses.values()].sort((left, right) => left.offset - right.offset)
}

/** Names that the template itself sets, with their values if these are known in advance. */
type Locals = Map<string, Value | undefined>

/** The use of a value. An unset name is false if only its truth counts. */
type Purpose = "value" | "truth"

class Search {
  readonly uses = new Map<string, NameUse>()
  readonly #variables: Readonly<Record<string, Json>>
  readonly #names: NameScope
  readonly #meter = new Meter()

  constructor(variables: Readonly<Record<string, Json>>) {
    this.#variables = variables
    this.#names = createVariableScope(variables, "jinja")
  }

  walk(nodes: readonly TemplateNode[], locals: Locals): void {
    for (const node of nodes) this.#visit(node, locals)
  }

  #visit(node: TemplateNode, locals: Locals): void {
    switch (node.type) {
      case "text":
        return
      case "print":
        this.#use(node.value, "value", locals)
        return
      case "if":
        return this.#choose(node.branches, node.otherwise, locals)
      case "for":
        return this.#loop(node, locals)
      case "set":
        return assign(node.target, this.#valueOf(node.value, "value", locals), locals)
      case "set-block":
        this.#filtered(node, locals)
        return assign(node.target, undefined, locals)
      case "filter":
        return this.#filtered(node, locals)
      case "with": {
        const inner = new Map(locals)
        for (const { target, value } of node.assignments)
          assign(target, this.#valueOf(value, "value", locals), inner)
        return this.walk(node.body, inner)
      }
    }
  }

  #choose(
    branches: readonly { readonly test: Node; readonly body: readonly TemplateNode[] }[],
    otherwise: readonly TemplateNode[],
    locals: Locals,
  ): void {
    for (const [index, { test, body }] of branches.entries()) {
      const isTaken = this.#truthOf(test, locals)
      if (isTaken === false) continue
      if (isTaken) return this.walk(body, locals)
      const [taken, skipped] = [new Map(locals), new Map(locals)]
      this.walk(body, taken)
      this.#choose(branches.slice(index + 1), otherwise, skipped)
      // It is unknown which branch is taken, so names that differ have an unknown value afterwards.
      for (const name of new Set([...taken.keys(), ...skipped.keys()]))
        if (taken.get(name) !== skipped.get(name)) locals.set(name, undefined)
        else locals.set(name, taken.get(name))
      return
    }
    this.walk(otherwise, locals)
  }

  #loop({ target, items, test, body, otherwise }: ForNode, locals: Locals): void {
    const value = this.#valueOf(items, "value", locals)
    const itemsResult = value === undefined ? undefined : attempt(() => listIterableItems(value, this.#meter))
    const isEmpty = itemsResult?.type === "done" ? itemsResult.result.length === 0 : undefined
    if (isEmpty !== true) {
      const inner: Locals = new Map(locals)
      assign(target, undefined, inner)
      if (test !== undefined) this.#use(test, "truth", inner)
      this.walk(body, inner.set("loop", undefined))
    }
    if (isEmpty !== false || test !== undefined) this.walk(otherwise, new Map(locals))
  }

  #filtered(
    node: { readonly body: readonly TemplateNode[]; readonly filters: readonly FilterLink[] },
    locals: Locals,
  ): void {
    this.#useAll(node.filters.flatMap(listLinkNodes), locals)
    this.walk(node.body, new Map(locals))
  }

  /** True if all names that a node needs are known. Records those that are not set. */
  #use(node: Node, purpose: Purpose, locals: Locals): boolean {
    switch (node.type) {
      case "name":
        return this.#useName(node, purpose, locals)
      case "unary":
        return this.#use(node.operand, node.operator === "not" ? "truth" : "value", locals)
      case "logic":
        return this.#useLogic(node, purpose, locals)
      case "conditional": {
        const isTaken = this.#truthOf(node.test, locals)
        const then = isTaken === false || this.#use(node.then, purpose, locals)
        const otherwise = isTaken === true || !node.otherwise || this.#use(node.otherwise, purpose, locals)
        return isTaken !== undefined && then && otherwise
      }
      case "access": {
        const base = this.#use(node.base, asksWhetherSet(node) ? "truth" : "value", locals)
        return this.#useAll(node.links.flatMap(listLinkNodes), locals) && base
      }
      default:
        return this.#useAll(listInnerNodes(node), locals)
    }
  }

  #useAll(nodes: readonly Node[], locals: Locals): boolean {
    return nodes.map((inner) => this.#use(inner, "value", locals)).every((isKnown) => isKnown)
  }

  #useName({ name, offset }: NameUse, purpose: Purpose, locals: Locals): boolean {
    if (locals.has(name)) return locals.get(name) !== undefined
    if (name === "range" || Object.hasOwn(this.#variables, name) || purpose === "truth") return true
    const before = this.uses.get(name)
    if (!before || offset < before.offset) this.uses.set(name, { name, offset })
    return false
  }

  /** Uses the operands of `and` and `or`. Only the truth of all but the last counts, and the first decisive one ends it. */
  #useLogic(
    { operator, operands }: Node & { readonly type: "logic" },
    purpose: Purpose,
    locals: Locals,
  ): boolean {
    let isKnown = true
    for (const operand of operands.slice(0, -1)) {
      const truth = this.#truthOf(operand, locals)
      if (isKnown && truth === (operator === "or")) return true
      isKnown &&= truth !== undefined
    }
    return this.#use(operands.at(-1)!, purpose, locals) && isKnown
  }

  #truthOf(node: Node, locals: Locals): boolean | undefined {
    const value = this.#valueOf(node, "truth", locals)
    return value === undefined ? undefined : isTrue(value)
  }

  /** The value of a node. Undefined: it depends on unknown names, or cannot be evaluated. */
  #valueOf(node: Node, purpose: Purpose, locals: Locals): Value | undefined {
    if (!this.#use(node, purpose, locals)) return undefined
    const lookUp: NameScope["lookUp"] = (name, meter, use) =>
      locals.has(name) ? locals.get(name) : this.#names.lookUp(name, meter, use)
    const worked = attempt(() => evaluateNode(node, { dialect: "jinja", lookUp }, this.#meter))
    return worked.type === "done" ? worked.result : undefined
  }
}

/** True for `x is defined` and `x | default(…)`, which do not need `x`. `x.y is defined` does: Jinja fails at `x.y`. */
function asksWhetherSet({ base, links: [link] }: Node & { readonly type: "access" }): boolean {
  if (base.type !== "name") return false
  if (link?.type === "test") return link.name === "defined" || link.name === "undefined"
  return link?.type === "filter" && (link.name === "default" || link.name === "d")
}

function assign(target: AssignmentTarget, value: Value | undefined, locals: Locals): void {
  if (target.type === "name") locals.set(target.name, value)
  else for (const name of listTargetNames(target)) locals.set(name, undefined)
}
