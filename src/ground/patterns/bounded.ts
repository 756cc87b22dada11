import { describeThrown } from "../errors.ts"
import { countMostSteps } from "./backtracking.ts"
import { assemble, findsMatch, type PatternMachine, type PatternPart, TooLarge } from "./machine.ts"
import { readRegExp, UnsupportedPattern } from "./read.ts"

/** The remaining work for the patterns of one check. */
export interface SearchAllowance {
  remaining: number
}

/** Some hundred milliseconds. */
export const createSearchAllowance = (): SearchAllowance => ({ remaining: 3_000_000 })

/** A foreign regular expression, as JSON Schema reads it: JavaScript's, with the flag `u`. */
export interface BoundedPattern {
  /** Searches a text for the pattern: `unknown` if the search would exceed the allowance. */
  find(text: string, allowance?: SearchAllowance): "yes" | "no" | "unknown"
}

type Reading = { readonly pattern: BoundedPattern } | { readonly problem: string }

/** Compiles a pattern so that it cannot block the process, or returns the problem. */
export function compileBoundedPattern(text: string): Reading {
  const cached = readings.get(text)
  if (cached) return cached
  const reading = compile(text)
  // Made-up patterns without end must not fill the memory.
  if (readings.size >= 1_000) readings.clear()
  readings.set(text, reading)
  return reading
}

const readings = new Map<string, Reading>()

function compile(text: string): Reading {
  if (text.length > longest) return { problem: `it has more than ${longest} characters` }
  let native: RegExp
  try {
    native = new RegExp(text, "u")
  } catch (error) {
    return { problem: `it is not a valid regular expression (${describeThrown(error)})` }
  }
  try {
    return { pattern: new Compiled(native, readRegExp(text)) }
  } catch (error) {
    if (error instanceof UnsupportedPattern) return { problem: error.message }
    if (error instanceof TooLarge) return { problem: "its repeats make it too large" }
    throw error
  }
}

const longest = 50_000
const mostMachineSteps = 20_000

class Compiled implements BoundedPattern {
  readonly #native: RegExp
  readonly #part: PatternPart
  #machine: PatternMachine | undefined

  constructor(native: RegExp, part: PatternPart) {
    this.#native = native
    this.#part = part
    // Most patterns are always cheap for the native engine. The others must fit into a machine, which is
    // checked here.
    if (![flatUpTo, 1_000_000].every((length) => isCheap(part, length)))
      this.#machine = assemble(part, mostMachineSteps)
  }

  find(text: string, allowance = createSearchAllowance()): "yes" | "no" | "unknown" {
    if (isCheap(this.#part, text.length)) {
      allowance.remaining -= text.length
      return this.#native.test(text) ? "yes" : "no"
    }
    this.#machine ??= assemble(this.#part, mostMachineSteps)
    const machine = this.#machine
    const work = machine.size * (text.length + 1)
    if (work > allowance.remaining) return "unknown"
    allowance.remaining -= work
    return findsMatch(machine, [...text]) ? "yes" : "no"
  }
}

/** True if the native engine, which backtracks, is sure to be quick. */
const isCheap = (part: PatternPart, length: number): boolean =>
  countMostSteps(part, length) <= stepsPerCharacter * Math.max(flatUpTo, length)

const stepsPerCharacter = 64
/** Shorter texts get as many steps as one of this length. */
const flatUpTo = 312
