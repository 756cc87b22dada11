import { apply, bind } from "../given.ts"
import { keyOf } from "../mapping.ts"
import type { Meter } from "../meter.ts"
import { itemsOf, pullFrom } from "../sequence.ts"
import { type Arguments, type Callable, isType, type SetValue, type Value } from "../value.ts"
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
  ["issuperset", (owner, given, meter) => noneOf(given, (id) => !owner.members.has(id), meter)],
  ["isdisjoint", (owner, given, meter) => noneOf(given, (id) => owner.members.has(id), meter)],
])

export const setMethodNames: readonly string[] = [...methods.keys()]

function withAll(operator: "|" | "&" | "-"): SetMethod {
  return (owner, { positional, named }, meter) => {
    bind({ positional: [], named }, [], meter)
    return positional.reduce<SetValue>(
      (set, other) => {
        const members = setOf(itemsOf(other, meter), meter)
        // Of 1 and True, which are the same member, Python keeps the one from a list.
        if (operator === "&" && !isType(other, "set")) return within(members, set)
        return combined(operator, set, members, meter)
      },
      { ...owner },
    )
  }
}

const within = ({ members }: SetValue, other: SetValue): SetValue => ({
  type: "set",
  members: new Map([...members].filter(([id]) => other.members.has(id))),
})

const only = (given: Arguments, parameters: readonly string[], meter: Meter) => bind(given, parameters, meter)

const otherOf = (given: Arguments, meter: Meter): SetValue =>
  setOf(itemsOf(only(given, ["other"], meter)[0]!, meter), meter)

/** Looks no further than to the first. */
function noneOf(given: Arguments, isOne: (id: string) => boolean, meter: Meter): boolean {
  const pull = pullFrom(only(given, ["other"], meter)[0]!, meter)
  for (let item = pull(); item !== undefined; item = pull()) if (isOne(keyOf(item, meter))) return false
  return true
}

const isWithin = (inner: SetValue, outer: SetValue): boolean =>
  [...inner.members.keys()].every((id) => outer.members.has(id))
