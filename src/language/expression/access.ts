import { knownNames } from "../../ground/errors.ts"
import { idOf } from "./mapping.ts"
import type { Meter } from "./meter.ts"
import { methodNames, methodOf } from "./methods.ts"
import { hasIndexes, sliceOf } from "./sequence.ts"
import { describe, isType, isUndefined, undefinedValue, type Value } from "./value.ts"

/** `owner.name`: a method if there is one of that name, else what is stored under the name. */
export function attributeOf(owner: Value, name: string, meter: Meter): Value {
  refuse(owner, name, meter)
  const found = methodOf(owner, name) ?? stored(owner, name, meter)
  return found === undefined ? missing(owner, name) : found
}

/** `owner[key]`: what is stored under the key, else a method of that name. */
export function itemOf(owner: Value, key: Value, meter: Meter): Value {
  refuse(owner, key, meter)
  const found = stored(owner, key, meter)
  if (found !== undefined) return found
  return typeof key === "string" ? (methodOf(owner, key) ?? missing(owner, key)) : missing(owner, key)
}

/** `owner[from:to:step]`, of a text or a list. */
export function slicedOf(owner: Value, bounds: { from: Value; to: Value; step: Value }, meter: Meter): Value {
  if (isUndefined(owner)) throw meter.failure(owner.explain())
  const from = boundOf(bounds.from, meter)
  const to = boundOf(bounds.to, meter)
  const step = boundOf(bounds.step, meter) ?? 1n
  if (step === 0n) throw meter.failure("The step of a slice cannot be 0.")
  if (typeof owner === "string") {
    meter.spend(owner.length)
    return sliceOf(Array.from(owner), from, to, step).join("")
  }
  if (hasIndexes(owner)) {
    meter.spend(owner.items.length)
    return {
      type: "sequence",
      kind: owner.kind === "tuple" ? "tuple" : "list",
      items: sliceOf(owner.items, from, to, step),
    }
  }
  throw meter.failure(`${describe(owner)} cannot be sliced: only strings and lists can.`)
}

/** Nothing that Python keeps under such a name can be reached. */
export function refusePrivate(name: string, meter: Meter): void {
  if (name.startsWith("__"))
    throw meter.failure(`"${name}" cannot be used: names that begin with "__" are refused.`)
}

function refuse(owner: Value, key: Value, meter: Meter): void {
  if (typeof key === "string") refusePrivate(key, meter)
  if (isUndefined(owner)) throw meter.failure(owner.explain())
}

function stored(owner: Value, key: Value, meter: Meter): Value | undefined {
  if (isType(owner, "mapping")) {
    const id = idOf(key, meter)
    return id === undefined ? undefined : owner.entries.get(id)?.value
  }
  if (isType(owner, "special")) return typeof key === "string" ? owner.attribute(key) : undefined
  const index = typeof key === "boolean" ? BigInt(key) : key
  if (typeof index !== "bigint") return undefined
  if (typeof owner === "string") {
    meter.spend(owner.length >> 4)
    return at(Array.from(owner), index)
  }
  return hasIndexes(owner) ? at(owner.items, index) : undefined
}

function at(items: readonly Value[], index: bigint): Value | undefined {
  return items.at(Number(index))
}

function missing(owner: Value, key: Value): Value {
  return undefinedValue(() => {
    if (typeof key !== "string") return `${describe(owner)} has no such item.`
    const shown = key.length > 50 ? `${key.slice(0, 50)}…` : key
    if (isType(owner, "mapping")) return `The dict has no key "${shown}".`
    const known = methodNames(owner)
    return `${describe(owner)} has no attribute "${shown}".${known.length > 0 ? ` ${knownNames(shown, known)}` : ""}`
  })
}

export function boundOf(value: Value, meter: Meter): bigint | undefined {
  if (value === null) return undefined
  if (typeof value === "boolean") return BigInt(value)
  if (typeof value === "bigint") return value
  throw meter.failure(`The bounds of a slice are integers, not ${describe(value)}.`)
}
