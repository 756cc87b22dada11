import { listKnownNames } from "../../../ground/errors.ts"
import type { Meter } from "../meter.ts"
import { describeValue, isType, type Value } from "../value.ts"

/** Python's `isinstance`. A boolean is also an integer. A type is named by the function that makes its values. */
export function isOfType(value: Value, types: Value, meter: Meter): boolean {
  if (isType(types, "sequence") && types.kind === "tuple")
    return types.items.some((type) => isOfType(value, type, meter))
  const name = isType(types, "callable") && types.kind === "function" ? types.name : undefined
  const test = name === undefined ? undefined : tests.get(name)
  if (test === undefined)
    throw meter.failure(
      `isinstance takes a type or a tuple of them, not ${describeValue(types)}. ${listKnownNames(name ?? "", tests.keys())}`,
    )
  return test(value)
}

const ofKind =
  (kind: "list" | "tuple" | "range") =>
  (value: Value): boolean =>
    isType(value, "sequence") && value.kind === kind

const tests: ReadonlyMap<string, (value: Value) => boolean> = new Map<string, (value: Value) => boolean>([
  ["bool", (value) => typeof value === "boolean"],
  ["dict", (value) => isType(value, "mapping")],
  ["float", (value) => typeof value === "number"],
  ["int", (value) => typeof value === "bigint" || typeof value === "boolean"],
  ["list", ofKind("list")],
  ["range", ofKind("range")],
  ["set", (value) => isType(value, "set")],
  ["str", (value) => typeof value === "string"],
  ["tuple", ofKind("tuple")],
])
