import { apply, bind } from "../given.ts"
import type { Meter } from "../meter.ts"
import { itemsOf } from "../sequence.ts"
import type { Arguments, Callable, SetValue, Value } from "../value.ts"
import { combined, setOf } from "./sets.ts"

/** A method of sets, bound to one. What they are given may be anything that can be gone through. */
export function setMethodOf(owner: SetValue, name: string): Callable | undefined {
  const method = methods.get(name)
  if (method === undefined) return undefined
  return {
    type: "callable",
    name,
    call: (given, meter) => apply((_owner, all) => method(owner, all, meter), owner, given, meter),
  }
}

type SetMethod = (owner: SetValue, given: Arguments, meter: Meter) => Value

const methods: ReadonlyMap<string, SetMethod> = new Map<string, SetMethod>([
  ["copy", (owner, given, meter) => only(given, [], meter) && { ...owner }],
  ["union", withAll("|")],
  ["intersection", withAll("&")],
  ["difference", withAll("-")],
  ["symmetric_difference", (owner, given, meter) => combined("^", owner, otherOf(given, meter), meter)],
  ["issubset", (owner, given, meter) => isWithin(owner, otherOf(given, meter))],
  ["issuperset", (owner, given, meter) => isWithin(otherOf(given, meter), owner)],
  [
    "isdisjoint",
    (owner, given, meter) => combined("&", owner, otherOf(given, meter), meter).members.size === 0,
  ],
])

export const setMethodNames: readonly string[] = [...methods.keys()]

function withAll(operator: "|" | "&" | "-"): SetMethod {
  return (owner, { positional, named }, meter) => {
    bind({ positional: [], named }, [], meter)
    return positional.reduce<SetValue>(
      (set, other) => combined(operator, set, setOf(itemsOf(other, meter), meter), meter),
      { ...owner },
    )
  }
}

const only = (given: Arguments, parameters: readonly string[], meter: Meter) => bind(given, parameters, meter)

const otherOf = (given: Arguments, meter: Meter): SetValue =>
  setOf(itemsOf(only(given, ["other"], meter)[0]!, meter), meter)

const isWithin = (inner: SetValue, outer: SetValue): boolean =>
  [...inner.members.keys()].every((id) => outer.members.has(id))
