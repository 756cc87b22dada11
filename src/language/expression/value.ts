import type { Meter } from "./meter.ts"

/** A value of Python. An integer is a `bigint` and a float is a `number`, so that 1 and 1.0 differ. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | ExpressionSequence
  | Mapping
  | SetValue
  | Iterator
  | Undefined
  | Callable
  | Special

type Plain = null | boolean | bigint | number | string

export interface ExpressionSequence {
  readonly type: "sequence"
  readonly kind: "list" | "tuple" | "range" | "iterator" | "dict_keys" | "dict_values" | "dict_items"
  readonly items: readonly Value[]
  /** The printed text of a range. */
  readonly text?: string
}

export interface Mapping {
  readonly type: "mapping"
  /** Entries by `keyOf` the key: 1, 1.0 and true are the same key, "1" is another. */
  readonly entries: ReadonlyMap<string, DictEntry>
}

/** A set, with its members in the order of their insertion. Only Python has sets and iterators. */
export interface SetValue {
  readonly type: "set"
  /** Members by `keyOf`. */
  readonly members: ReadonlyMap<string, Value>
}

/** A lazy sequence that can be read once. Undefined is its end. */
export interface Iterator {
  readonly type: "iterator"
  readonly next: () => Value | undefined
}

export interface DictEntry {
  readonly key: Value
  readonly value: Value
}

/** The value of a missing name or key. It prints as nothing, and is false and empty. Any other use fails with the explanation. */
export interface Undefined {
  readonly type: "undefined"
  /** A function, because most explanations are never needed. */
  readonly explain: () => string
}

export interface Callable {
  readonly type: "callable"
  readonly name: string
  /** Left out: it is a method. */
  readonly kind?: "function"
  readonly call: (callArguments: Arguments, meter: Meter) => Value
}

/** A value that only the engine makes, such as `loop`, which computes its own attributes. */
export interface Special {
  readonly type: "special"
  readonly text: string
  readonly length: number
  readonly attribute: (name: string) => Value | undefined
}

export interface Arguments {
  readonly positional: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

export function listValue(items: readonly Value[]): ExpressionSequence {
  return { type: "sequence", kind: "list", items }
}

export function makeTuple(items: readonly Value[]): ExpressionSequence {
  return { type: "sequence", kind: "tuple", items }
}

/** A lazy result of a filter: it can be looped over, but has no length, no index and no text. */
export function makeLazySequence(items: readonly Value[]): ExpressionSequence {
  return { type: "sequence", kind: "iterator", items }
}

export function makeUndefined(explain: () => string): Undefined {
  return { type: "undefined", explain }
}

export function isUndefined(value: Value): value is Undefined {
  return isType(value, "undefined")
}

export function isType<Type extends Exclude<Value, Plain>["type"]>(
  value: Value,
  type: Type,
): value is Extract<Value, { type: Type }> {
  return typeof value === "object" && value !== null && value.type === type
}

export function isTrue(value: Value): boolean {
  switch (typeof value) {
    case "boolean":
      return value
    case "bigint":
      return value !== 0n
    case "number":
      return value !== 0
    case "string":
      return value !== ""
    default:
      break
  }
  if (value === null) return false
  switch (value.type) {
    case "sequence":
      return value.kind === "iterator" || value.items.length > 0
    case "mapping":
      return value.entries.size > 0
    case "set":
      return value.members.size > 0
    case "undefined":
      return false
    case "iterator":
    case "callable":
    case "special":
      return true
  }
}

/** Describes a value with its article, for messages. */
export function describeValue(value: Value): string {
  switch (typeof value) {
    case "boolean":
      return "a boolean"
    case "bigint":
      return "an integer"
    case "number":
      return "a float"
    case "string":
      return "a string"
    default:
      break
  }
  if (value === null) return "none"
  switch (value.type) {
    case "sequence":
      return value.kind === "iterator" ? "an iterator" : `a ${value.kind}`
    case "mapping":
      return "a dict"
    case "set":
      return "a set"
    case "iterator":
      return "an iterator"
    case "undefined":
      return "an undefined value"
    case "callable":
      return `the ${value.kind ?? "method"} "${value.name}"`
    case "special":
      return "the loop"
  }
}
