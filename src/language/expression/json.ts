import type { Json } from "../../ground/message.ts"
import type { Dialect } from "./dialect.ts"
import type { Names } from "./evaluator.ts"
import { keyOf, mapping } from "./mapping.ts"
import type { Meter } from "./meter.ts"
import { itemsOf } from "./sequence.ts"
import { list, type Value } from "./value.ts"

/** The names of variables. Each is taken in when it is first used; what JavaScript puts on objects does not count. */
export function variableNames(
  variables: Readonly<Record<string, Json | undefined>>,
  dialect: Dialect,
): Names {
  const taken = new Map<string, Value | undefined>()
  return {
    dialect,
    lookUp: (name, meter) => {
      if (!taken.has(name)) {
        const json = Object.hasOwn(variables, name) ? variables[name] : undefined
        taken.set(name, json === undefined ? undefined : fromJson(json, meter))
      }
      return taken.get(name)
    },
  }
}

/** Gives the plain data of a value; what has none, such as a method, is null. */
export function toJson(value: Value, meter: Meter): Json {
  meter.spend(1)
  if (typeof value === "bigint") return Number(value)
  if (typeof value !== "object" || value === null) return value
  switch (value.type) {
    case "sequence":
      return meter.nested(() => value.items.map((item) => toJson(item, meter)))
    case "mapping":
      return meter.nested(() =>
        Object.fromEntries(
          [...value.entries.values()].map(({ key, value }) => [
            String(toJson(key, meter)),
            toJson(value, meter),
          ]),
        ),
      )
    case "set":
    case "iterator":
      return meter.nested(() => itemsOf(value, meter).map((item) => toJson(item, meter)))
    default:
      return null
  }
}

/** Takes plain data in. What is not plain data is refused, so that no object of JavaScript is ever reachable. */
function fromJson(json: Json, meter: Meter): Value {
  meter.spend(1)
  switch (typeof json) {
    case "boolean":
      return json
    case "string":
      meter.spend(json.length >> 6)
      return json
    case "number":
      return isWrittenAsInteger(json) ? BigInt(json) : json
    case "object":
      return json === null ? null : meter.nested(() => fromObject(json, meter))
    default:
      throw meter.failure(`A variable holds a ${typeof json}; only plain JSON data can be used here.`)
  }
}

/** JSON.stringify writes larger numbers with an exponent, and Python reads those as floats. */
function isWrittenAsInteger(number: number): boolean {
  return Number.isInteger(number) && Math.abs(number) < 1e21
}

function fromObject(json: Exclude<Json, null | boolean | number | string>, meter: Meter): Value {
  if (Array.isArray(json)) return list(Array.from(json, (item: Json) => fromJson(item ?? null, meter)))
  const prototype = Object.getPrototypeOf(json)
  if (prototype !== Object.prototype && prototype !== null)
    throw meter.failure("A variable holds an object of a class; only plain JSON data can be used here.")
  return mapping(
    Object.entries(json as Readonly<Record<string, Json | undefined>>).flatMap(([key, value]) =>
      value === undefined ? [] : [{ id: keyOf(key, meter), key, value: fromJson(value, meter) }],
    ),
  )
}
