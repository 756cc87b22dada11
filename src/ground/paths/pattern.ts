import { parsePattern, type State, type Test } from "./pattern-parse.ts"

/** How far a path has been read: the numbers of the states a pattern may be in. Empty: nothing below can match. */
export type Progress = ReadonlySet<number>

/**
 * A pattern of file names: `*`, `**`, `?`, `[a-z]`, `{a,b}` and `@(a|b)`, `*(…)`, `+(…)`, `?(…)`. It is read like a machine
 * with many states at once, never by going back, so that the time is bounded by its length times that of the path.
 */
export class Pattern {
  readonly start: Progress
  /** For each state: what it reads, and all the states that it is in then. */
  readonly #steps: readonly (readonly { readonly test: Test; readonly to: readonly number[] }[])[]
  readonly #end: number

  /** Throws a Refusal that says what is wrong with the text. */
  constructor(text: string, letters: "exact" | "any-case" = "exact") {
    const { states, first, last } = parsePattern(text, letters)
    const reached = states.map((_, index) => reachable(states, index, last))
    this.#steps = states.map(({ steps }) => steps.map(({ test, to }) => ({ test, to: reached[to]! })))
    this.#end = last
    this.start = new Set(reached[first])
  }

  matches(path: string): boolean {
    return this.isEnd(this.advance(this.start, path))
  }

  isEnd(progress: Progress): boolean {
    return progress.has(this.#end)
  }

  /** Reads on. */
  advance(progress: Progress, text: string): Progress {
    let now = progress
    for (const character of text) {
      if (now.size === 0) return now
      const next = new Set<number>()
      for (const index of now)
        for (const { test, to } of this.#steps[index]!)
          if (test(character)) for (const state of to) next.add(state)
      now = next
    }
    return now
  }
}

/** A state and all that it leads to without reading anything, as far as they read something or are the end. */
function reachable(states: readonly State[], from: number, last: number): readonly number[] {
  const all = new Set([from])
  for (const index of all) for (const to of states[index]!.free) all.add(to)
  return [...all].filter((index) => index === last || states[index]!.steps.length > 0)
}
