import { applyOperation, bind } from "./bind-arguments.ts"
import type { Meter } from "./meter.ts"
import type { Callable, Value } from "./value.ts"

/** A method of one kind of values. */
export interface Method<Owner> {
  /** A parameter that ends in "?" is optional. */
  readonly parameters: readonly string[]
  /** `values` has one value for each parameter, in the same order. A parameter that was left out is undefined. */
  readonly run: (owner: Owner, values: readonly (Value | undefined)[], meter: Meter) => Value
}

/** Finds a method by name, and makes it callable with its owner. Undefined: the owner has no such method. */
export function bindMethod<Owner extends Value>(
  owner: Owner,
  name: string,
  methods: ReadonlyMap<string, Method<Owner>>,
): Callable | undefined {
  const method = methods.get(name)
  if (method === undefined) return undefined
  return {
    type: "callable",
    name,
    call: (callArguments, meter) =>
      applyOperation(
        (_owner, all) => method.run(owner, bind(all, method.parameters, meter), meter),
        owner,
        callArguments,
        meter,
      ),
  }
}
