import { applyOperation, type Filter, type Test } from "../bind-arguments.ts"
import type { Meter } from "../meter.ts"
import { listIterableItems } from "../sequence.ts"
import { type Arguments, isTrue, isUndefined, makeLazySequence, type Value } from "../value.ts"
import { pickAttribute } from "./attribute.ts"

/** Looks up filters and tests for filters that take the name of one. */
interface Lookup {
  readonly filterNamed: (name: string) => Filter | undefined
  readonly testNamed: (name: string) => Test | undefined
}

export function createSelectionFilters(lookup: Lookup): readonly [string, Filter][] {
  return [
    ["map", (value, callArguments, meter) => map(value, callArguments, lookup, meter)],
    ["select", selecting("item", "keep", lookup)],
    ["reject", selecting("item", "drop", lookup)],
    ["selectattr", selecting("attribute", "keep", lookup)],
    ["rejectattr", selecting("attribute", "drop", lookup)],
  ]
}

function map(value: Value, callArguments: Arguments, { filterNamed }: Lookup, meter: Meter): Value {
  if (!isTrue(value)) return makeLazySequence([])
  const items = listIterableItems(value, meter)
  if (callArguments.positional.length === 0 && callArguments.named.has("attribute")) {
    const [attribute, otherwise] = [callArguments.named.get("attribute"), callArguments.named.get("default")]
    for (const name of callArguments.named.keys())
      if (name !== "attribute" && name !== "default") throw meter.failure(`map has no argument "${name}".`)
    return makeLazySequence(
      items.map((item) => {
        const picked = pickAttribute(attribute, item, meter)
        return isUndefined(picked) ? (otherwise ?? picked) : picked
      }),
    )
  }
  const filter = required("filter", callArguments.positional[0], filterNamed, meter)
  const rest = { positional: callArguments.positional.slice(1), named: callArguments.named }
  return makeLazySequence(items.map((item) => meter.nested(() => applyOperation(filter, item, rest, meter))))
}

function selecting(subject: "item" | "attribute", matching: "keep" | "drop", { testNamed }: Lookup): Filter {
  return (value, { positional, named }, meter) => {
    if (!isTrue(value)) return makeLazySequence([])
    const attribute = subject === "attribute" ? positional[0] : undefined
    if (subject === "attribute" && attribute === undefined)
      throw meter.failure("The name of the attribute is missing.")
    const [name, ...rest] = subject === "attribute" ? positional.slice(1) : positional
    const test: Test = name === undefined ? isTrue : required("test", name, testNamed, meter)
    return makeLazySequence(
      listIterableItems(value, meter).filter((item) => {
        const picked = pickAttribute(attribute, item, meter)
        return applyOperation(test, picked, { positional: rest, named }, meter) === (matching === "keep")
      }),
    )
  }
}

function required<Found>(
  what: "filter" | "test",
  name: Value | undefined,
  find: (name: string) => Found | undefined,
  meter: Meter,
): Found {
  if (typeof name !== "string") throw meter.failure(`The name of a ${what} is needed here, as a string.`)
  const entry = find(name)
  if (entry === undefined) throw meter.failure(`There is no ${what} "${name}".`)
  return entry
}
