import type { Json } from "../../../ground/message.ts"
import { createScriptFailure, type ScriptFailure } from "../result.ts"
import { mostResult } from "./protocol.ts"

const deepest = 100
const largestInteger = 10n ** 300n

/** A value of the interpreter as JSON: maps become objects, sets and tuples become lists. */
export function toPlainJson(value: unknown): { readonly value: Json } | { readonly failure: ScriptFailure } {
  try {
    return { value: new Converter().convert(value, 0) }
  } catch (error) {
    if (error instanceof Unfit) return { failure: error.failure }
    throw error
  }
}

class Unfit extends Error {
  readonly failure: ScriptFailure
  constructor(failure: ScriptFailure) {
    super(failure.message)
    this.failure = failure
  }
}

const unfit = (message: string) => new Unfit(createScriptFailure("GRAIL", message))
const tooLong = () =>
  new Unfit(
    createScriptFailure("LIMIT", `The result of the script is longer than ${mostResult} characters.`, {
      limit: "output",
    }),
  )

class Converter {
  #size = 0

  convert(value: unknown, depth: number): Json {
    if (depth > deepest) throw unfit(`The result of the script is nested more than ${deepest} levels deep.`)
    this.#count(8)
    switch (typeof value) {
      case "string":
        this.#count(value.length)
        return value.toWellFormed()
      case "boolean":
        return value
      case "number":
        if (!Number.isFinite(value))
          throw unfit(`The result of the script has the number ${value}, which JSON does not have.`)
        return value
      case "bigint":
        return integer(value)
      case "object":
        return value === null ? null : this.#compound(value, depth)
      default:
        throw unfit(`The result of the script has a ${typeof value} in it, which is not JSON.`)
    }
  }

  #compound(value: object, depth: number): Json {
    if (Array.isArray(value) || value instanceof Set)
      return [...value].map((one) => this.convert(one, depth + 1))
    if (value instanceof Map) return this.#map(value.entries(), depth)
    if (value instanceof Uint8Array) throw unfit("The result of the script has bytes in it. Return text.")
    return this.#map(Object.entries(value), depth)
  }

  #map(entries: Iterable<readonly [unknown, unknown]>, depth: number): Json {
    const result: [string, Json][] = []
    for (const [key, value] of entries) {
      if (typeof key !== "string" && typeof key !== "number" && typeof key !== "boolean" && key !== null)
        throw unfit("The result of the script has a dict whose keys are not text.")
      this.#count(String(key).length)
      result.push([String(key), this.convert(value, depth + 1)])
    }
    // `fromEntries` defines `__proto__` as a key like any other.
    return Object.fromEntries(result)
  }

  #count(size: number): void {
    this.#size += size
    if (this.#size > mostResult) throw tooLong()
  }
}

/** An integer that JSON numbers cannot hold exactly is written as text. */
function integer(value: bigint): Json {
  if (value > largestInteger || value < -largestInteger)
    throw unfit("The result of the script has an integer of more than 300 digits.")
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}
