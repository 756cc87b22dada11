import { requireInteger } from "../bind-arguments.ts"
import { areEqual } from "../compare.ts"
import type { Meter } from "../meter.ts"
import { bindMethod, type Method } from "../method.ts"
import { mappingMethods, sequenceMethods } from "../methods.ts"
import { hasIndexes, listIterableItems } from "../sequence.ts"
import { type Callable, type ExpressionSequence, isType, type Mapping, type Value } from "../value.ts"
import { setMethodNames, setMethodOf } from "./set-methods.ts"
import { pythonStringMethods } from "./string-methods.ts"

/** A method of a value, bound to the value. No method changes its value. */
export function findPythonMethod(owner: Value, name: string): Callable | undefined {
  if (typeof owner === "string") return bindMethod(owner, name, pythonStringMethods)
  if (isType(owner, "mapping")) return bindMethod(owner, name, dictMethods)
  if (isType(owner, "set")) return setMethodOf(owner, name)
  if (!hasIndexes(owner)) return undefined
  return bindMethod(owner, name, owner.kind === "list" ? listMethods : rowMethods)
}

const dictMethods: ReadonlyMap<string, Method<Mapping>> = new Map([
  ...mappingMethods,
  ["copy", { parameters: [], run: (owner) => ({ ...owner }) }],
])

const rowMethods: ReadonlyMap<string, Method<ExpressionSequence>> = new Map([
  ...sequenceMethods,
  ["index", { parameters: ["value", "start?", "stop?"], run: indexOf }],
])

const listMethods: ReadonlyMap<string, Method<ExpressionSequence>> = new Map([
  ...rowMethods,
  ["copy", { parameters: [], run: (owner) => ({ ...owner }) }],
])

/** The names of the methods of all kinds of values. */
export const allMethods: readonly string[] = [
  ...new Set([
    ...pythonStringMethods.keys(),
    ...dictMethods.keys(),
    ...listMethods.keys(),
    ...setMethodNames,
  ]),
]

function indexOf(
  owner: ExpressionSequence,
  [value, start, stop]: readonly (Value | undefined)[],
  meter: Meter,
): Value {
  const items = listIterableItems(owner, meter)
  const placed = (index: number): number => (index < 0 ? Math.max(0, index + items.length) : index)
  const from = placed(requireInteger(start, 0, meter))
  const to = placed(requireInteger(stop, items.length, meter))
  const position = items.findIndex(
    (item, index) => index >= from && index < to && areEqual(item, value!, meter),
  )
  if (position < 0) throw meter.failure("This value is not in the list, so it has no index.")
  return BigInt(position)
}
