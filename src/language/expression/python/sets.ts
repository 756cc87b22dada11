import { requireKeyId } from "../mapping.ts"
import type { Meter } from "../meter.ts"
import { isSetLike, listIterableItems } from "../sequence.ts"
import { type DictEntry, describeValue, isType, type SetValue, type Value } from "../value.ts"

/** Makes a set. Fails for values that cannot be in a set. */
export function setOf(items: readonly Value[], meter: Meter): SetValue {
  meter.reserveItems(items.length)
  const members = new Map<string, Value>()
  for (const item of items) {
    const id = requireKeyId(item, meter)
    if (!members.has(id)) members.set(id, item)
  }
  return { type: "set", members }
}

/** The entries of a dict, for a dict that contains it with `**`. */
export function requireDictEntries(
  value: Value,
  meter: Meter,
): readonly (DictEntry & { readonly id: string })[] {
  if (!isType(value, "mapping"))
    throw meter.failure(`"**" takes the entries of a dict, not ${describeValue(value)}.`)
  meter.reserveItems(value.entries.size)
  return Array.from(value.entries, ([id, { key, value }]) => ({ id, key, value }))
}

export type SetOperator = "|" | "&" | "-" | "^"

/** Combines two sets. Undefined: neither is a set. The result of `keys()` works like a set, and accepts any list. */
export function combineSets(
  operator: SetOperator,
  left: Value,
  right: Value,
  meter: Meter,
): SetValue | undefined {
  const areSets = isSetLike(left) && isSetLike(right)
  const isView = [left, right].some((side) => isSetLike(side) && !isType(side, "set"))
  if (!areSets && !(isView && isIterable(left) && isIterable(right))) return undefined
  return combineSetValues(
    operator,
    setOf(listIterableItems(left, meter), meter),
    setOf(listIterableItems(right, meter), meter),
    meter,
  )
}

export function combineSetValues(
  operator: SetOperator,
  left: SetValue,
  right: SetValue,
  meter: Meter,
): SetValue {
  meter.reserveItems(left.members.size + right.members.size)
  const [mine, theirs] = [[...left.members], [...right.members]]
  const notIn = (other: SetValue) => (entry: readonly [string, Value]) => !other.members.has(entry[0])
  switch (operator) {
    case "|":
      return { type: "set", members: new Map([...mine, ...theirs.filter(notIn(left))]) }
    case "&":
      // 1 and True are the same member. Python keeps the one from the smaller set.
      return {
        type: "set",
        members: new Map(
          right.members.size > left.members.size
            ? mine.filter(([id]) => right.members.has(id))
            : theirs.filter(([id]) => left.members.has(id)),
        ),
      }
    case "-":
      return { type: "set", members: new Map(mine.filter(notIn(right))) }
    case "^":
      return { type: "set", members: new Map([...mine.filter(notIn(right)), ...theirs.filter(notIn(left))]) }
  }
}

const isIterable = (value: Value): boolean =>
  typeof value === "string" ||
  isType(value, "sequence") ||
  isType(value, "mapping") ||
  isType(value, "iterator") ||
  isType(value, "set")
