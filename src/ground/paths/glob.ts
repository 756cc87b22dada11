import { assemble, type Fits, type Machine } from "../patterns/machine.ts"
import { readGlob } from "./read-glob.ts"

/** How far a path has been read: the steps that a pattern may be at. Empty: nothing below can match. */
export type Progress = ReadonlySet<number>

/**
 * A pattern of file names: `*`, `**`, `?`, `[a-z]`, `{a,b}` and `@(a|b)`, `*(…)`, `+(…)`, `?(…)`. A path is read from its
 * start to its end, and reading can go on where it stopped: a folder is entered only where something below it can match.
 */
export class Glob {
  readonly start: Progress
  /** For each step: what it takes, and all the steps that may come then. Undefined: the end. */
  readonly #steps: readonly ({ readonly fits: Fits; readonly to: readonly number[] } | undefined)[]
  readonly #end: number

  /** Throws a Refusal that says what is wrong with the text. */
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

  /** Reads on. */
  advance(progress: Progress, text: string): Progress {
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

/** A step and all that it leads to without taking anything. */
function reachable(steps: Machine["steps"], from: number): readonly number[] {
  const all = new Set([from])
  for (const index of all) {
    const step = steps[index]!
    if (step.type === "fork") for (const to of step.to) all.add(to)
  }
  return [...all].filter((index) => steps[index]!.type !== "fork")
}
