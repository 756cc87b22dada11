import { areEqual } from "./compare.ts"
import { integerGiven } from "./given.ts"
import { idOf } from "./mapping.ts"
import { boundTo, type Method } from "./method.ts"
import { hasIndexes, itemsOf } from "./sequence.ts"
import { stringMethods } from "./string-methods.ts"
import { type Callable, describe, isType, type Mapping, type Sequence, tuple, type Value } from "./value.ts"

/** A method of a value's kind, bound to the value. There are no others: nothing is looked up in JavaScript. */
export function methodOf(owner: Value, name: string): Callable | undefined {
  if (typeof owner === "string") return boundTo(owner, name, stringMethods)
  if (isType(owner, "mapping")) return boundTo(owner, name, mappingMethods)
  return hasIndexes(owner) ? boundTo(owner, name, sequenceMethods) : undefined
}

export function methodNames(owner: Value): readonly string[] {
  if (typeof owner === "string") return [...stringMethods.keys()]
  return hasIndexes(owner) ? [...sequenceMethods.keys()] : []
}

/** Behind a dot it is the method that is meant, whatever is stored under the name. */
export const isMappingMethod = (name: string | number): boolean => mappingMethods.has(String(name))

export const mappingMethods: ReadonlyMap<string, Method<Mapping>> = new Map([
  [
    "get",
    {
      parameters: ["key", "default?"],
      run: ({ entries }, [key, otherwise = null], meter) => {
        const id = idOf(key!, meter)
        if (id === undefined) throw meter.failure(`${describe(key!)} cannot be a key of a dict.`)
        return entries.has(id) ? entries.get(id)!.value : otherwise
      },
    },
  ],
  ["keys", view("dict_keys", ({ key }) => key)],
  ["values", view("dict_values", ({ value }) => value)],
  ["items", view("dict_items", ({ key, value }) => tuple([key, value]))],
] satisfies [string, Method<Mapping>][])

export const sequenceMethods: ReadonlyMap<string, Method<Sequence>> = new Map([
  [
    "index",
    {
      parameters: ["value", "start?"],
      run: (owner, [value, start], meter) => {
        const items = itemsOf(owner, meter)
        const given = integerGiven(start, 0, meter)
        const from = given < 0 ? Math.max(0, given + items.length) : given
        const found = items.findIndex((item, index) => index >= from && areEqual(item, value!, meter))
        if (found < 0) throw meter.failure("This value is not in the list, so it has no index.")
        return BigInt(found)
      },
    },
  ],
  [
    "count",
    {
      parameters: ["value"],
      run: (owner, [value], meter) =>
        BigInt(itemsOf(owner, meter).filter((item) => areEqual(item, value!, meter)).length),
    },
  ],
] satisfies [string, Method<Sequence>][])

function view(kind: Sequence["kind"], pick: (entry: { key: Value; value: Value }) => Value): Method<Mapping> {
  return {
    parameters: [],
    run: ({ entries }, _given, meter) => {
      meter.spend(entries.size)
      return { type: "sequence", kind, items: Array.from(entries.values(), pick) }
    },
  }
}
