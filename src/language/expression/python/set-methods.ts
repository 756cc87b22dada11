import { applyOperation, bind } from "../bind-arguments.ts"
import { requireKeyId } from "../mapping.ts"
import type { Meter } from "../meter.ts"
import { listIterableItems, pullFrom } from "../sequence.ts"
import { type Arguments, type Callable, isType, type SetValue, type Value } from "../value.ts"
import { combineSetValues, setOf } from "./sets.ts"

/** A method of sets, bound to a set. Its arguments may be anything iterable. */
export function setMethodOf(owner: SetValue, name: string): Callable | undefined {
  const method = methods.get(name)
  if (method === undefined) return undefined
  return {
    type: "callable",
    name,
    call: (callArguments, meter) =>
      applyOperation((_owner, all) => method(owner, all, meter), owner, callArguments, meter),
  }
}

type SetMethod = (owner: SetValue, callArguments: Arguments, meter: Meter) => Value

const methods: ReadonlyMap<string, SetMethod> = new Map<string, SetMethod>([
  ["copy", (owner, callArguments, meter) => only(callArguments, [], meter) && { ...owner }],
  ["union", withAll("|")],
  ["intersection", withAll("&")],
  ["difference", withAll("-")],
  [
    "symmetric_difference",
    (owner, callArguments, meter) => combineSetValues("^", owner, otherOf(callArguments, meter), meter),
  ],
  ["issubset", (owner, callArguments, meter) => isWithin(owner, otherOf(callArguments, meter))],
  [
    "issuperset",
    (owner, callArguments, meter) => noneOf(callArguments, (id) => !owner.members.has(id), meter),
  ],
  [
    "isdisjoint",
    (owner, callArguments, meter) => noneOf(callArguments, (id) => owner.members.has(id), meter),
  ],
])

export const setMethodNames: readonly string[] = [...methods.keys()]

function withAll(operator: "|" | "&" | "-"): SetMethod {
  return (owner, { positional, named }, meter) => {
    bind({ positional: [], named }, [], meter)
    return positional.reduce<SetValue>(
      (set, other) => {
        const members = setOf(listIterableItems(other, meter), meter)
        // 1 and True are the same member. Python keeps the one from a list.
        if (operator === "&" && !isType(other, "set")) return within(members, set)
        return combineSetValues(operator, set, members, meter)
      },
      { ...owner },
    )
  }
}

const within = ({ members }: SetValue, other: SetValue): SetValue => ({
  type: "set",
  members: new Map([...members].filter(([id]) => other.members.has(id))),
})

const only = (callArguments: Arguments, parameters: readonly string[], meter: Meter) =>
  bind(callArguments, parameters, meter)

const otherOf = (callArguments: Arguments, meter: Meter): SetValue =>
  setOf(listIterableItems(only(callArguments, ["other"], meter)[0]!, meter), meter)

/** Stops at the first match. */
function noneOf(callArguments: Arguments, isOne: (id: string) => boolean, meter: Meter): boolean {
  const pull = pullFrom(only(callArguments, ["other"], meter)[0]!, meter)
  for (let item = pull(); item !== undefined; item = pull())
    if (isOne(requireKeyId(item, meter))) return false
  return true
}

const isWithin = (inner: SetValue, outer: SetValue): boolean =>
  [...inner.members.keys()].every((id) => outer.members.has(id))
