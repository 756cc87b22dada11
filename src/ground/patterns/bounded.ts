import { messageOf } from "../errors.ts"
import { mostSteps } from "./backtracking.ts"
import { assemble, isFound, type Machine, type Part, TooLarge } from "./machine.ts"
import { readRegExp, Unfollowed } from "./read.ts"

/** How much work is left for the patterns of one check. */
export interface Allowance {
  left: number
}

/** Some hundred milliseconds. */
export const wholeAllowance = (): Allowance => ({ left: 3_000_000 })

/** A regular expression of somebody else's, as JSON Schema reads it: JavaScript's, with the flag `u`. */
export interface BoundedPattern {
  /** Whether it is found in a text; `unknown` where looking would take more than is left. */
  find(text: string, allowance?: Allowance): "yes" | "no" | "unknown"
}

type Reading = { readonly pattern: BoundedPattern } | { readonly problem: string }

/** Compiles a pattern that cannot be made to block the process, or says why there is none. */
export function boundedPattern(text: string): Reading {
  const known = readings.get(text)
  if (known) return known
  const reading = compile(text)
  // Whoever makes up patterns without end must not fill the memory.
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
    return { problem: `it is no regular expression (${messageOf(error)})` }
  }
  try {
    return { pattern: new Compiled(native, readRegExp(text)) }
  } catch (error) {
    if (error instanceof Unfollowed) return { problem: error.message }
    if (error instanceof TooLarge) return { problem: "its repeats make it too large" }
    throw error
  }
}

const longest = 50_000
const mostMachineSteps = 20_000

class Compiled implements BoundedPattern {
  readonly #native: RegExp
  readonly #part: Part
  #machine: Machine | undefined

  constructor(native: RegExp, part: Part) {
    this.#native = native
    this.#part = part
    // Most patterns are never too dear for the native engine. The others must fit into a machine, which is found out here.
    if (![flatUpTo, 1_000_000].every((length) => isCheap(part, length)))
      this.#machine = assemble(part, mostMachineSteps)
  }

  find(text: string, allowance = wholeAllowance()): "yes" | "no" | "unknown" {
    if (isCheap(this.#part, text.length)) {
      allowance.left -= text.length
      return this.#native.test(text) ? "yes" : "no"
    }
    this.#machine ??= assemble(this.#part, mostMachineSteps)
    const machine = this.#machine
    const work = machine.size * (text.length + 1)
    if (work > allowance.left) return "unknown"
    allowance.left -= work
    return isFound(machine, [...text]) ? "yes" : "no"
  }
}

/** Whether the native engine, which goes back, cannot take long. */
const isCheap = (part: Part, length: number): boolean =>
  mostSteps(part, length) <= stepsPerCharacter * Math.max(flatUpTo, length)

const stepsPerCharacter = 64
/** Texts that are shorter get as many steps as one of this length. */
const flatUpTo = 312
