import type { Json } from "../../ground/message.ts"
import type { ExpressionDialect } from "./dialect.ts"
import type { NameScope } from "./evaluator.ts"
import { makeMapping, requireKeyId } from "./mapping.ts"
import type { Meter } from "./meter.ts"
import { listIterableItems } from "./sequence.ts"
import { listValue, type Value } from "./value.ts"

/** Looks up variables. Each is converted when it is first used. Properties that objects inherit in JavaScript do not count. */
export function createVariableScope(
  variables: Readonly<Record<string, Json | undefined>>,
  dialect: ExpressionDialect,
): NameScope {
  const converted = new Map<string, Value | undefined>()
  return {
    dialect,
    lookUp: (name, meter) => {
      if (!converted.has(name)) {
        const json = Object.hasOwn(variables, name) ? variables[name] : undefined
        converted.set(name, json === undefined ? undefined : fromJson(json, meter))
      }
      return converted.get(name)
    },
  }
}

/** Converts a value to plain data. A value without plain data, such as a method, becomes null. */
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
      return meter.nested(() => listIterableItems(value, meter).map((item) => toJson(item, meter)))
    default:
      return null
  }
}

/** Converts plain data to a value. Anything else is refused, so that no JavaScript object is ever reachable. */
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

/** True if JSON.stringify writes the number without an exponent. Python reads numbers with an exponent as floats. */
function isWrittenAsInteger(number: number): boolean {
  return Number.isInteger(number) && Math.abs(number) < 1e21
}

function fromObject(json: Exclude<Json, null | boolean | number | string>, meter: Meter): Value {
  if (Array.isArray(json)) return listValue(Array.from(json, (item: Json) => fromJson(item ?? null, meter)))
  const prototype = Object.getPrototypeOf(json)
  if (prototype !== Object.prototype && prototype !== null)
    throw meter.failure("A variable holds an object of a class; only plain JSON data can be used here.")
  return makeMapping(
    Object.entries(json as Readonly<Record<string, Json | undefined>>).flatMap(([key, value]) =>
      value === undefined ? [] : [{ id: requireKeyId(key, meter), key, value: fromJson(value, meter) }],
    ),
  )
}
