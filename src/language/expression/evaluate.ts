import { lookUpAttribute, lookUpItem, sliceValue } from "./access.ts"
import { calculate, changeSign, type Sum } from "./arithmetic.ts"
import { applyOperation } from "./bind-arguments.ts"
import type { NameScope } from "./evaluator.ts"
import { filters } from "./filters/index.ts"
import { satisfiesComparison } from "./holds.ts"
import { makeMapping, requireKeyId } from "./mapping.ts"
import type { Meter } from "./meter.ts"
import type { Arithmetic, EntryNode, GivenNodes, Link, Node } from "./node.ts"
import { printValue } from "./print.ts"
import { lookUpPythonAttribute, lookUpPythonItem, slicePythonValue } from "./python/access.ts"
import { calculateInPython, invert } from "./python/arithmetic.ts"
import { evaluateComprehension } from "./python/comprehension.ts"
import { renderFormatString } from "./python/format-string.ts"
import { requireDictEntries, setOf } from "./python/sets.ts"
import { range } from "./range.ts"
import { listIterableItems } from "./sequence.ts"
import { tests } from "./tests.ts"
import {
  type Arguments,
  describeValue,
  isTrue,
  isType,
  isUndefined,
  listValue,
  makeTuple,
  makeUndefined,
  type Value,
} from "./value.ts"

export function evaluateNode(node: Node, names: NameScope, meter: Meter): Value {
  meter.place = node.offset
  meter.spend(1)
  const evaluated = (inner: Node): Value => evaluateNode(inner, names, meter)
  switch (node.type) {
    case "literal":
      return node.value
    case "name":
      return lookUpName(node.name, "value", names, meter)
    case "list":
      return listValue(evaluateItems(node.items, names, meter))
    case "tuple":
      return makeTuple(evaluateItems(node.items, names, meter))
    case "set":
      return setOf(evaluateItems(node.items, names, meter), meter)
    case "starred":
      throw meter.failure('"*" is not allowed here.')
    case "dict":
      return makeMapping(node.entries.flatMap((entry) => evaluateEntry(entry, names, meter)))
    case "unary": {
      const operand = evaluated(node.operand)
      meter.place = node.offset
      if (node.operator === "not") return !isTrue(operand)
      return node.operator === "~" ? invert(operand, meter) : changeSign(node.operator, operand, meter)
    }
    case "logic":
      return evaluateLogic(node.operator, node.operands, evaluated)
    case "concat": {
      const values = node.operands.map(evaluated)
      meter.place = node.offset
      const texts = values.map((value) => printValue(value, meter))
      return meter.join(texts, "")
    }
    case "comparison": {
      let left = evaluated(node.first)
      for (const { operator, operand, offset } of node.rest) {
        const right = evaluated(operand)
        meter.place = offset
        if (!satisfiesComparison(operator, left, right, names.dialect, meter)) return false
        left = right
      }
      return true
    }
    case "arithmetic": {
      let result = evaluated(node.first)
      for (const { operator, operand, offset } of node.rest) {
        const right = evaluated(operand)
        meter.place = offset
        meter.spend(1)
        result = ways[names.dialect].calculate(operator, result, right, meter)
      }
      return result
    }
    case "conditional":
      if (isTrue(evaluated(node.test))) return evaluated(node.then)
      return node.otherwise === undefined
        ? makeUndefined(() => "The condition is false and there is no else.")
        : evaluated(node.otherwise)
    case "comprehension":
      return evaluateComprehension(node, names, meter, evaluateNode)
    case "format":
      return renderFormatString(node.parts, names, meter, evaluateNode)
    case "access": {
      let value = evaluateBase(node, names, meter)
      for (const link of node.links) value = follow(link, value, names, meter)
      return value
    }
  }
}

/** The operations that differ between the dialects. */
const ways = {
  jinja: {
    attribute: lookUpAttribute,
    item: lookUpItem,
    slice: sliceValue,
    // Jinja's grammar has no other operators.
    calculate: (operator: Arithmetic, left: Value, right: Value, meter: Meter) =>
      calculate(operator as Sum, left, right, meter),
  },
  python: {
    attribute: lookUpPythonAttribute,
    item: lookUpPythonItem,
    slice: slicePythonValue,
    calculate: calculateInPython,
  },
}

export function applyFilter(
  link: Link & { type: "filter" },
  value: Value,
  names: NameScope,
  meter: Meter,
): Value {
  const callArguments = evaluateGiven(link.arguments, names, meter)
  meter.place = link.offset
  return applyOperation(filters.get(link.name)!, value, callArguments, meter)
}

function evaluateBase({ base, links }: Node & { type: "access" }, names: NameScope, meter: Meter): Value {
  if (base.type !== "name" || links[0]?.type !== "call") return evaluateNode(base, names, meter)
  meter.place = base.offset
  meter.spend(1)
  return lookUpName(base.name, "call", names, meter)
}

function lookUpName(
  name: string,
  use: "value" | "call",
  { lookUp, dialect }: NameScope,
  meter: Meter,
): Value {
  const value = lookUp(name, meter, use)
  if (value !== undefined) return value
  if (dialect === "python") return null
  return name === "range" ? range : makeUndefined(() => `"${name}" is undefined.`)
}

function evaluateItems(items: readonly Node[], names: NameScope, meter: Meter): readonly Value[] {
  if (!items.some(({ type }) => type === "starred"))
    return items.map((item) => evaluateNode(item, names, meter))
  const all = items.flatMap((item) =>
    item.type === "starred"
      ? listIterableItems(evaluateNode(item.operand, names, meter), meter)
      : [evaluateNode(item, names, meter)],
  )
  meter.reserveItems(all.length)
  return all
}

function evaluateEntry(
  entry: EntryNode,
  names: NameScope,
  meter: Meter,
): ReturnType<typeof requireDictEntries> {
  if (entry.key === undefined) return requireDictEntries(evaluateNode(entry.value, names, meter), meter)
  const [key, value] = [evaluateNode(entry.key, names, meter), evaluateNode(entry.value, names, meter)]
  meter.place = entry.key.offset
  return [{ id: requireKeyId(key, meter), key, value }]
}

function evaluateLogic(
  operator: "and" | "or",
  operands: readonly Node[],
  evaluated: (node: Node) => Value,
): Value {
  const stop = operator === "or"
  let value: Value = null
  for (const operand of operands) {
    value = evaluated(operand)
    if (isTrue(value) === stop) break
  }
  return value
}

function follow(link: Link, value: Value, names: NameScope, meter: Meter): Value {
  const way = ways[names.dialect]
  switch (link.type) {
    case "attribute":
      meter.place = link.offset
      meter.spend(1)
      return way.attribute(value, link.name, meter)
    case "item": {
      const item = evaluateNode(link.item, names, meter)
      meter.place = link.offset
      return way.item(value, item, meter)
    }
    case "slice": {
      const [from, to, step] = [link.from, link.to, link.step].map((bound) =>
        bound === undefined ? null : evaluateNode(bound, names, meter),
      ) as [Value, Value, Value]
      meter.place = link.offset
      return way.slice(value, { from, to, step }, meter)
    }
    case "call": {
      const callArguments = evaluateGiven(link.arguments, names, meter)
      meter.place = link.offset
      meter.spend(1)
      if (isUndefined(value)) throw meter.failure(value.explain())
      if (!isType(value, "callable")) throw meter.failure(`${describeValue(value)} cannot be called.`)
      return value.call(callArguments, meter)
    }
    case "filter":
      return applyFilter(link, value, names, meter)
    case "test": {
      const callArguments = evaluateGiven(link.arguments, names, meter)
      meter.place = link.offset
      const answer = applyOperation(tests.get(link.name)!, value, callArguments, meter)
      return link.answer === "is" ? answer : !answer
    }
  }
}

function evaluateGiven(nodes: GivenNodes, names: NameScope, meter: Meter): Arguments {
  return {
    positional: evaluateItems(nodes.positional, names, meter),
    named: new Map(nodes.named.map(({ name, value }) => [name, evaluateNode(value, names, meter)])),
  }
}
