import { calculate } from "./arithmetic.ts"
import { type Test, withParameters } from "./bind-arguments.ts"
import { areEqual, compare, contains, toNumericValue } from "./compare.ts"
import type { Meter } from "./meter.ts"
import { printValue } from "./print.ts"
import { hasIndexes } from "./sequence.ts"
import { isType, isUndefined, type Value } from "./value.ts"

/** The tests that can follow `is`, and that select and reject take by name. */
export const tests: ReadonlyMap<string, Test> = new Map([
  ["defined", plain((value) => !isUndefined(value))],
  ["undefined", plain(isUndefined)],
  ["none", plain((value) => value === null)],
  ["boolean", plain((value) => typeof value === "boolean")],
  ["true", plain((value) => value === true)],
  ["false", plain((value) => value === false)],
  ["integer", plain((value) => typeof value === "bigint")],
  ["float", plain((value) => typeof value === "number")],
  ["number", plain((value) => toNumericValue(value) !== undefined)],
  ["string", plain((value) => typeof value === "string")],
  ["mapping", plain((value) => isType(value, "mapping"))],
  ["sequence", plain(isSequence)],
  ["iterable", plain((value) => isSequence(value) || isType(value, "sequence"))],
  ["callable", plain((value) => isType(value, "callable") || isUndefined(value))],
  ["odd", plain((value, meter) => leavesRest(value, 2n, 1n, meter))],
  ["even", plain((value, meter) => leavesRest(value, 2n, 0n, meter))],
  ["divisibleby", withParameters(["num"], (value, [number], meter) => leavesRest(value, number!, 0n, meter))],
  ["lower", plain((value, meter) => hasCase(printValue(value, meter), "lower"))],
  ["upper", plain((value, meter) => hasCase(printValue(value, meter), "upper"))],
  ["sameas", comparing((left, right) => typeof left === typeof right && left === right)],
  ["in", comparing((value, container, meter) => contains(container, value, meter))],
  ...aliases(["eq", "equalto", "=="], areEqual),
  ...aliases(["ne", "!="], (left, right, meter) => !areEqual(left, right, meter)),
  ...aliases(["gt", "greaterthan", ">"], (left, right, meter) => compare(left, right, meter) > 0),
  ...aliases(["ge", ">="], (left, right, meter) => compare(left, right, meter) >= 0),
  ...aliases(["lt", "lessthan", "<"], (left, right, meter) => compare(left, right, meter) < 0),
  ...aliases(["le", "<="], (left, right, meter) => compare(left, right, meter) <= 0),
])

function plain(test: (value: Value, meter: Meter) => boolean): Test {
  return withParameters([], (value, _given, meter) => test(value, meter))
}

function comparing(test: (left: Value, right: Value, meter: Meter) => boolean): Test {
  return withParameters(["other"], (value, [other], meter) => test(value, other!, meter))
}

function aliases(
  names: readonly string[],
  test: (left: Value, right: Value, meter: Meter) => boolean,
): [string, Test][] {
  return names.map((name) => [name, comparing(test)])
}

function isSequence(value: Value): boolean {
  return typeof value === "string" || isUndefined(value) || isType(value, "mapping") || hasIndexes(value)
}

function leavesRest(value: Value, divisor: Value, rest: bigint, meter: Meter): boolean {
  return areEqual(calculate("%", value, divisor, meter), rest, meter)
}

/** True if all letters have this case. As in Python, there must be at least one letter with a case. */
function hasCase(text: string, wanted: "lower" | "upper"): boolean {
  const same = wanted === "lower" ? text.toLowerCase() : text.toUpperCase()
  return text === same && text.toLowerCase() !== text.toUpperCase()
}
