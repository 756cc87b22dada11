import type { Meter } from "./meter.ts"
import { type Arguments, describeValue, isUndefined, type Value } from "./value.ts"

/** A filter or test: takes the value before it and the arguments after it. */
export type Filter = (value: Value, callArguments: Arguments, meter: Meter) => Value
export type Test = (value: Value, callArguments: Arguments, meter: Meter) => boolean

type Given = readonly (Value | undefined)[]

/** Makes a filter or test with these parameters. A parameter that ends in "?" is optional. */
export function withParameters<Result>(
  parameters: readonly string[],
  run: (value: Value, inputs: Given, meter: Meter) => Result,
): (value: Value, callArguments: Arguments, meter: Meter) => Result {
  return (value, callArguments, meter) => run(value, bind(callArguments, parameters, meter), meter)
}

/** Applies a filter, test or method. Each may read all its texts, so that cost is charged here. */
export function applyOperation<Subject extends Value, Result>(
  operation: (value: Subject, callArguments: Arguments, meter: Meter) => Result,
  value: Subject,
  callArguments: Arguments,
  meter: Meter,
): Result {
  meter.spend(1)
  for (const each of [value, ...callArguments.positional, ...callArguments.named.values()])
    if (typeof each === "string") meter.spendReading(each)
  return operation(value, callArguments, meter)
}

/** Puts arguments in the order of the parameters. Missing ones are undefined. */
export function bind({ positional, named }: Arguments, parameters: readonly string[], meter: Meter): Given {
  const names = parameters.map((parameter) => parameter.replace("?", ""))
  if (positional.length > names.length)
    throw meter.failure(`Too many arguments: ${positional.length} instead of at most ${names.length}.`)
  for (const name of named.keys()) {
    const index = names.indexOf(name)
    if (index < 0)
      throw meter.failure(
        `There is no argument "${name}". Known: ${names.length > 0 ? names.join(", ") : "none"}.`,
      )
    if (index < positional.length) throw meter.failure(`The argument "${name}" is given twice.`)
  }
  return parameters.map((parameter, index) => {
    const value = index < positional.length ? positional[index] : named.get(names[index]!)
    if (value === undefined && !parameter.endsWith("?"))
      throw meter.failure(`The argument "${parameter}" is missing.`)
    return value
  })
}

const largestInteger = 1_000_000_000n

export function requireInteger(value: Value | undefined, otherwise: number, meter: Meter): number {
  const integer = requireBigInteger(value, BigInt(otherwise), meter)
  if (integer > largestInteger || integer < -largestInteger)
    throw meter.failure(`An integer of at most ${largestInteger} is needed here.`)
  return Number(integer)
}

/** An integer of any size. */
export function requireBigInteger(value: Value | undefined, otherwise: bigint, meter: Meter): bigint {
  if (value === undefined) return otherwise
  if (isUndefined(value)) throw meter.failure(value.explain())
  if (typeof value === "boolean") return value ? 1n : 0n
  if (typeof value !== "bigint")
    throw meter.failure(`An integer is needed here, not ${describeValue(value)}.`)
  return value
}

export function readStringArgument(value: Value | undefined, otherwise: string, meter: Meter): string {
  if (value === undefined) return otherwise
  if (typeof value === "string") return value
  throw meter.failure(
    isUndefined(value) ? value.explain() : `A string is needed here, not ${describeValue(value)}.`,
  )
}
