import { requireInteger } from "./bind-arguments.ts"
import { areEqual } from "./compare.ts"
import { identifyKey } from "./mapping.ts"
import { bindMethod, type Method } from "./method.ts"
import { hasIndexes, listIterableItems } from "./sequence.ts"
import { stringMethods } from "./string-methods.ts"
import {
  type Callable,
  describeValue,
  type ExpressionSequence,
  isType,
  type Mapping,
  makeTuple,
  type Value,
} from "./value.ts"

/** A method of a value, bound to the value. JavaScript's own methods are never looked up. */
export function findMethod(owner: Value, name: string): Callable | undefined {
  if (typeof owner === "string") return bindMethod(owner, name, stringMethods)
  if (isType(owner, "mapping")) return bindMethod(owner, name, mappingMethods)
  return hasIndexes(owner) ? bindMethod(owner, name, sequenceMethods) : undefined
}

export function listMethodNames(owner: Value): readonly string[] {
  if (typeof owner === "string") return [...stringMethods.keys()]
  return hasIndexes(owner) ? [...sequenceMethods.keys()] : []
}

/** True if a dict has this method. `d.items` is the method, even if `d` has a key `items`. */
export const isMappingMethod = (name: string | number): boolean => mappingMethods.has(String(name))

export const mappingMethods: ReadonlyMap<string, Method<Mapping>> = new Map([
  [
    "get",
    {
      parameters: ["key", "default?"],
      run: ({ entries }, [key, otherwise = null], meter) => {
        const id = identifyKey(key!, meter)
        if (id === undefined) throw meter.failure(`${describeValue(key!)} cannot be a key of a dict.`)
        return entries.has(id) ? entries.get(id)!.value : otherwise
      },
    },
  ],
  ["keys", view("dict_keys", ({ key }) => key)],
  ["values", view("dict_values", ({ value }) => value)],
  ["items", view("dict_items", ({ key, value }) => makeTuple([key, value]))],
] satisfies [string, Method<Mapping>][])

export const sequenceMethods: ReadonlyMap<string, Method<ExpressionSequence>> = new Map([
  [
    "index",
    {
      parameters: ["value", "start?"],
      run: (owner, [value, start], meter) => {
        const items = listIterableItems(owner, meter)
        const first = requireInteger(start, 0, meter)
        const from = first < 0 ? Math.max(0, first + items.length) : first
        const index = items.findIndex((item, index) => index >= from && areEqual(item, value!, meter))
        if (index < 0) throw meter.failure("The value was not found, so it has no index.")
        return BigInt(index)
      },
    },
  ],
  [
    "count",
    {
      parameters: ["value"],
      run: (owner, [value], meter) =>
        BigInt(listIterableItems(owner, meter).filter((item) => areEqual(item, value!, meter)).length),
    },
  ],
] satisfies [string, Method<ExpressionSequence>][])

function view(
  kind: ExpressionSequence["kind"],
  pick: (entry: { key: Value; value: Value }) => Value,
): Method<Mapping> {
  return {
    parameters: [],
    run: ({ entries }, _given, meter) => {
      meter.spend(entries.size)
      return { type: "sequence", kind, items: Array.from(entries.values(), pick) }
    },
  }
}
