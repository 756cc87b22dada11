import { attributeOf, itemOf, slicedOf } from "./access.ts"
import { calculate, changeSign } from "./arithmetic.ts"
import { areEqual, compare, contains } from "./compare.ts"
import { filters } from "./filters/index.ts"
import { apply } from "./given.ts"
import { keyOf, mapping } from "./mapping.ts"
import type { Meter } from "./meter.ts"
import type { Comparison, GivenNodes, Link, Node } from "./node.ts"
import { textOf } from "./print.ts"
import { range } from "./range.ts"
import { tests } from "./tests.ts"
import {
  type Arguments,
  describe,
  isTrue,
  isType,
  isUndefined,
  list,
  tuple,
  undefinedValue,
  type Value,
} from "./value.ts"

/** What the names in an expression stand for. */
export interface Names {
  readonly lookUp: (name: string, meter: Meter) => Value | undefined
  /** What is not there is null, and nothing is in it. Left out: it is undefined. */
  readonly absent?: "null"
}

export function evaluateNode(node: Node, names: Names, meter: Meter): Value {
  meter.place = node.offset
  meter.spend(1)
  const evaluated = (inner: Node): Value => evaluateNode(inner, names, meter)
  switch (node.type) {
    case "literal":
      return node.value
    case "name":
      return named(node.name, names, meter)
    case "list":
      return list(node.items.map(evaluated))
    case "tuple":
      return tuple(node.items.map(evaluated))
    case "dict":
      return mapping(
        node.entries.map((entry) => {
          const [key, value] = [evaluated(entry.key), evaluated(entry.value)]
          meter.place = entry.key.offset
          return { id: keyOf(key, meter), key, value }
        }),
      )
    case "unary": {
      const operand = evaluated(node.operand)
      meter.place = node.offset
      return node.operator === "not" ? !isTrue(operand) : changeSign(node.operator, operand, meter)
    }
    case "logic":
      return evaluateLogic(node.operator, node.operands, evaluated)
    case "concat": {
      const values = node.operands.map(evaluated)
      meter.place = node.offset
      const texts = values.map((value) => textOf(value, meter))
      return meter.join(texts, "")
    }
    case "comparison": {
      let left = evaluated(node.first)
      for (const { operator, operand, offset } of node.rest) {
        const right = evaluated(operand)
        meter.place = offset
        if (!holds(operator, left, right, names, meter)) return false
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
        result = calculate(operator, result, right, meter)
      }
      return result
    }
    case "conditional":
      if (isTrue(evaluated(node.test))) return evaluated(node.then)
      return node.otherwise === undefined
        ? undefinedValue(() => "The condition is false and there is no else.")
        : evaluated(node.otherwise)
    case "access": {
      let value = evaluated(node.base)
      for (const link of node.links) value = follow(link, value, names, meter)
      return value
    }
  }
}

export function applyFilter(
  link: Link & { type: "filter" },
  value: Value,
  names: Names,
  meter: Meter,
): Value {
  const given = evaluateGiven(link.given, names, meter)
  meter.place = link.offset
  return apply(filters.get(link.name)!, value, given, meter)
}

function named(name: string, names: Names, meter: Meter): Value {
  const value = names.lookUp(name, meter)
  if (value !== undefined) return value
  return name === "range"
    ? range
    : there(
        undefinedValue(() => `"${name}" is undefined.`),
        names,
      )
}

const there = (value: Value, { absent }: Names): Value =>
  absent === "null" && isUndefined(value) ? null : value

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

function holds(operator: Comparison, left: Value, right: Value, names: Names, meter: Meter): boolean {
  if (right === null && names.absent === "null") {
    if (operator === "in") return false
    if (operator === "not in") return true
  }
  switch (operator) {
    case "==":
      return areEqual(left, right, meter)
    case "!=":
      return !areEqual(left, right, meter)
    case "<":
      return compare(left, right, meter) < 0
    case "<=":
      return compare(left, right, meter) <= 0
    case ">":
      return compare(left, right, meter) > 0
    case ">=":
      return compare(left, right, meter) >= 0
    case "in":
      return contains(right, left, meter)
    case "not in":
      return !contains(right, left, meter)
  }
}

function follow(link: Link, value: Value, names: Names, meter: Meter): Value {
  switch (link.type) {
    case "attribute":
      meter.place = link.offset
      meter.spend(1)
      return there(attributeOf(value, link.name, meter), names)
    case "item": {
      const item = evaluateNode(link.item, names, meter)
      meter.place = link.offset
      return there(itemOf(value, item, meter), names)
    }
    case "slice": {
      const [from, to, step] = [link.from, link.to, link.step].map((bound) =>
        bound === undefined ? null : evaluateNode(bound, names, meter),
      ) as [Value, Value, Value]
      meter.place = link.offset
      return slicedOf(value, { from, to, step }, meter)
    }
    case "call": {
      const given = evaluateGiven(link.given, names, meter)
      meter.place = link.offset
      meter.spend(1)
      if (isUndefined(value)) throw meter.failure(value.explain())
      if (!isType(value, "callable")) throw meter.failure(`${describe(value)} cannot be called.`)
      return value.call(given, meter)
    }
    case "filter":
      return applyFilter(link, value, names, meter)
    case "test": {
      const given = evaluateGiven(link.given, names, meter)
      meter.place = link.offset
      const answer = apply(tests.get(link.name)!, value, given, meter)
      return link.answer === "is" ? answer : !answer
    }
  }
}

function evaluateGiven(given: GivenNodes, names: Names, meter: Meter): Arguments {
  return {
    positional: given.positional.map((node) => evaluateNode(node, names, meter)),
    named: new Map(given.named.map(({ name, value }) => [name, evaluateNode(value, names, meter)])),
  }
}
