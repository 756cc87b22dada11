import { assemble, type Fits, type PatternMachine } from "../patterns/machine.ts"
import { readGlob } from "./read-glob.ts"

/** The progress of reading a path: the steps that the pattern may be at. Empty: nothing below can match. */
export type GlobProgress = ReadonlySet<number>

/**
 * A pattern of file names: `*`, `**`, `?`, `[a-z]`, `{a,b}` and `@(a|b)`, `*(…)`, `+(…)`, `?(…)`. A path is
 * read from start to end, and reading can continue where it stopped. So a folder is entered only if something
 * below it can match.
 */
export class Glob {
  readonly start: GlobProgress
  /** For each step: the characters that it accepts, and all following steps. Undefined: the end. */
  readonly #steps: readonly ({ readonly fits: Fits; readonly to: readonly number[] } | undefined)[]
  readonly #end: number

  /** Throws a Refusal with the problem of the text. */
  constructor(text: string) {
    const { steps } = assemble(readGlob(text), Number.POSITIVE_INFINITY)
    this.#steps = steps.map((step, index) =>
      step.type === "character" ? { fits: step.fits, to: reachable(steps, index + 1) } : undefined,
    )
    this.#end = steps.length - 1
    this.start = new Set(reachable(steps, 0))
  }

  matches(path: string): boolean {
    return this.advance(this.start, path).has(this.#end)
  }

  /** Reads further text. */
  advance(progress: GlobProgress, text: string): GlobProgress {
    let now = progress
    for (const character of text) {
      if (now.size === 0) return now
      const next = new Set<number>()
      for (const index of now) {
        const step = this.#steps[index]
        if (step?.fits(character)) for (const to of step.to) next.add(to)
      }
      now = next
    }
    return now
  }
}

/** A step and all that it leads to without reading a character. */
function reachable(steps: PatternMachine["steps"], from: number): readonly number[] {
  const all = new Set([from])
  for (const index of all) {
    const step = steps[index]!
    if (step.type === "fork") for (const to of step.to) all.add(to)
  }
  return [...all].filter((index) => steps[index]!.type !== "fork")
}
