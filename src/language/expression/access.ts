import { listKnownNames } from "../../ground/errors.ts"
import { identifyKey } from "./mapping.ts"
import type { Meter } from "./meter.ts"
import { findMethod, listMethodNames } from "./methods.ts"
import { hasIndexes, sliceOf } from "./sequence.ts"
import { describeValue, isType, isUndefined, makeUndefined, type Value } from "./value.ts"

/** `owner.name`: the method of that name, or else the stored value. */
export function lookUpAttribute(owner: Value, name: string, meter: Meter): Value {
  refuse(owner, name, meter)
  const value = findMethod(owner, name) ?? stored(owner, name, meter)
  return value === undefined ? missing(owner, name) : value
}

/** `owner[key]`: the stored value, or else the method of that name. */
export function lookUpItem(owner: Value, key: Value, meter: Meter): Value {
  refuse(owner, key, meter)
  const value = stored(owner, key, meter)
  if (value !== undefined) return value
  return typeof key === "string" ? (findMethod(owner, key) ?? missing(owner, key)) : missing(owner, key)
}

/** `owner[from:to:step]`, of a text or a list. */
export function sliceValue(
  owner: Value,
  bounds: { from: Value; to: Value; step: Value },
  meter: Meter,
): Value {
  if (isUndefined(owner)) throw meter.failure(owner.explain())
  const from = readBound(bounds.from, meter)
  const to = readBound(bounds.to, meter)
  const step = readBound(bounds.step, meter) ?? 1n
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
  throw meter.failure(`${describeValue(owner)} cannot be sliced: only strings and lists can.`)
}

/** Refuses names that begin with `__`, so that no internals of Python can be reached. */
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
    const id = identifyKey(key, meter)
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
  return makeUndefined(() => {
    if (typeof key !== "string") return `${describeValue(owner)} has no such item.`
    const shortKey = key.length > 50 ? `${key.slice(0, 50)}…` : key
    if (isType(owner, "mapping")) return `The dict has no key "${shortKey}".`
    const knownMethods = listMethodNames(owner)
    return `${describeValue(owner)} has no attribute "${shortKey}".${knownMethods.length > 0 ? ` ${listKnownNames(shortKey, knownMethods)}` : ""}`
  })
}

export function readBound(value: Value, meter: Meter): bigint | undefined {
  if (value === null) return undefined
  if (typeof value === "boolean") return BigInt(value)
  if (typeof value === "bigint") return value
  throw meter.failure(`The bounds of a slice are integers, not ${describeValue(value)}.`)
}
