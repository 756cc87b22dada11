import { apply, bind } from "./given.ts"
import type { Meter } from "./meter.ts"
import type { Callable, Value } from "./value.ts"

/** What a method of a kind of values takes and does. */
export interface Method<Owner> {
  /** One that ends in "?" may be left out. */
  readonly parameters: readonly string[]
  readonly run: (owner: Owner, given: readonly (Value | undefined)[], meter: Meter) => Value
}

export function boundTo<Owner extends Value>(
  owner: Owner,
  name: string,
  methods: ReadonlyMap<string, Method<Owner>>,
): Callable | undefined {
  const method = methods.get(name)
  if (method === undefined) return undefined
  return {
    type: "callable",
    name,
    call: (given, meter) =>
      apply(
        (_owner, all) => method.run(owner, bind(all, method.parameters, meter), meter),
        owner,
        given,
        meter,
      ),
  }
}
