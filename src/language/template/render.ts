import { applyFilter, evaluateNode } from "../expression/evaluate.ts"
import { ExpressionFailure } from "../expression/failure.ts"
import type { Meter } from "../expression/meter.ts"
import { printValue } from "../expression/print.ts"
import { listIterableItems } from "../expression/sequence.ts"
import { isTrue, type Value } from "../expression/value.ts"
import { Frame } from "./frame.ts"
import { makeLoopValue } from "./loop.ts"
import type { FilterLink, ForNode, TemplateNode } from "./node.ts"

/** Renders nodes to text. Inserted values are never rendered again as templates. */
export function renderNodes(nodes: readonly TemplateNode[], frame: Frame, meter: Meter): string {
  const output = new Output(meter)
  renderBody(nodes, frame, output, meter)
  return output.text()
}

class Output {
  readonly #meter: Meter
  readonly #parts: string[] = []
  #length = 0

  constructor(meter: Meter) {
    this.#meter = meter
  }

  write(text: string, offset: number): void {
    const { characters } = this.#meter.limits
    this.#length += text.length
    if (this.#length > characters)
      throw new ExpressionFailure(`The output is longer than ${characters} characters.`, offset, "characters")
    this.#meter.spend(text.length >> 6)
    this.#parts.push(text)
  }

  text(): string {
    return this.#parts.join("")
  }
}

function renderBody(nodes: readonly TemplateNode[], frame: Frame, output: Output, meter: Meter): void {
  for (const node of nodes) renderNode(node, frame, output, meter)
}

function renderNode(node: TemplateNode, frame: Frame, output: Output, meter: Meter): void {
  meter.place = node.offset
  meter.spend(1)
  switch (node.type) {
    case "text":
      return output.write(node.text, node.offset)
    case "print": {
      const value = evaluateNode(node.value, frame, meter)
      meter.place = node.value.offset
      return output.write(printValue(value, meter), node.offset)
    }
    case "if": {
      const branch = node.branches.find(({ test }) => isTrue(evaluateNode(test, frame, meter)))
      return renderBody(branch?.body ?? node.otherwise, frame, output, meter)
    }
    case "for":
      return renderFor(node, frame, output, meter)
    case "set":
      return frame.assign(node.target, evaluateNode(node.value, frame, meter), meter)
    case "set-block":
      return frame.assign(node.target, captured(node, frame, meter), meter)
    case "filter":
      return output.write(printValue(captured(node, frame, meter), meter), node.offset)
    case "with": {
      const inner = new Frame(frame)
      // All values are evaluated outside of the block, even if a name is set twice.
      const values = node.assignments.map(({ value }) => evaluateNode(value, frame, meter))
      for (const [index, { target }] of node.assignments.entries())
        inner.assign(target, values[index]!, meter)
      return renderBody(node.body, inner, output, meter)
    }
  }
}

function captured(
  node: { readonly body: readonly TemplateNode[]; readonly filters: readonly FilterLink[] },
  frame: Frame,
  meter: Meter,
): Value {
  const inner = new Frame(frame)
  let value: Value = renderNodes(node.body, inner, meter)
  for (const filter of node.filters) value = applyFilter(filter, value, inner, meter)
  return value
}

function renderFor(node: ForNode, frame: Frame, output: Output, meter: Meter): void {
  const all = evaluateNode(node.items, frame, meter)
  meter.place = node.items.offset
  const items = selected(node, listIterableItems(all, meter), frame, meter)
  if (items.length === 0) return renderBody(node.otherwise, new Frame(frame), output, meter)
  const memory = {}
  for (const [index, item] of items.entries()) {
    meter.place = node.offset
    meter.spend(1)
    const inner = new Frame(frame)
    inner.set("loop", makeLoopValue(items, index, memory))
    inner.assign(node.target, item, meter)
    renderBody(node.body, inner, output, meter)
  }
}

/** The items that meet the condition of the loop. `loop` counts only these. */
function selected(node: ForNode, items: readonly Value[], frame: Frame, meter: Meter): readonly Value[] {
  const { test, target } = node
  if (test === undefined) return items
  return items.filter((item) => {
    const inner = new Frame(frame)
    inner.assign(target, item, meter)
    return isTrue(evaluateNode(test, inner, meter))
  })
}
