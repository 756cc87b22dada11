/** True if a part of a pattern accepts a character. */
export type Fits = (character: string) => boolean

/** A parsed pattern. */
export type PatternPart =
  | { readonly type: "character"; readonly fits: Fits }
  | { readonly type: "edge"; readonly holds: (before: string, after: string) => boolean }
  /** A pattern that must, or must not, match before or after a place. */
  | {
      readonly type: "look"
      readonly where: "ahead" | "behind"
      readonly wanted: "found" | "absent"
      readonly part: PatternPart
    }
  | { readonly type: "sequence"; readonly parts: readonly PatternPart[] }
  | { readonly type: "alternatives"; readonly parts: readonly PatternPart[] }
  | { readonly type: "repeat"; readonly part: PatternPart; readonly least: number; readonly most: number }

/**
 * A pattern as steps. A text is read once, with all places that the pattern could be at. So the time is
 * bounded by the number of steps times the length of the text, for every pattern and text.
 */
export interface PatternMachine {
  readonly steps: readonly Step[]
  /** The patterns to look for around a place, the innermost first, because others use them. */
  readonly looks: readonly { readonly steps: readonly Step[]; readonly where: "ahead" | "behind" }[]
  /** The number of steps in all. */
  readonly size: number
}

type Step =
  | Extract<PatternPart, { type: "character" | "edge" }>
  | { readonly type: "look"; readonly look: number; readonly wanted: 0 | 1 }
  /** Continues at each of these. */
  | { readonly type: "fork"; readonly to: readonly number[] }
  | { readonly type: "match" }

/** The pattern has too many steps. */
export class TooLarge extends Error {}

/** Throws TooLarge. */
export function assemble(part: PatternPart, mostSteps: number): PatternMachine {
  const writer = new Writer(mostSteps)
  const steps = writer.program(part, "forward")
  return { steps, looks: writer.looks, size: writer.size }
}

/** True if the pattern is found anywhere in a text, given as its characters. */
export function findsMatch({ steps, looks }: PatternMachine, characters: readonly string[]): boolean {
  const tables: Uint8Array[] = []
  for (const look of looks) {
    const table = new Uint8Array(characters.length + 1)
    const direction = look.where === "ahead" ? "backward" : "forward"
    walk(look.steps, characters, direction, tables, (at) => {
      table[at] = 1
      return "go on"
    })
    tables.push(table)
  }
  let hasMatch = false
  walk(steps, characters, "forward", tables, () => {
    hasMatch = true
    return "stop"
  })
  return hasMatch
}

/** Calls `matched` for every place where a match ends that began anywhere before. */
function walk(
  steps: readonly Step[],
  characters: readonly string[],
  direction: "forward" | "backward",
  tables: readonly Uint8Array[],
  matched: (at: number) => "go on" | "stop",
): void {
  const forward = direction === "forward"
  const end = characters.length
  // A step is reached at a place if its mark is the number of that place.
  const marks = new Int32Array(steps.length).fill(-1)
  const reached = new Int32Array(steps.length)
  const waiting: number[] = []
  const next: number[] = []
  for (let read = 0; read <= end; read++) {
    const at = forward ? read : end - read
    const before = at === 0 ? "" : characters[at - 1]!
    const after = at === end ? "" : characters[at]!
    waiting.push(0)
    for (const place of next) waiting.push(place)
    next.length = 0
    let count = 0
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (marks[place] === read) continue
      marks[place] = read
      const step = steps[place]!
      switch (step.type) {
        case "fork":
          for (const to of step.to) waiting.push(to)
          break
        case "edge":
          if (step.holds(before, after)) waiting.push(place + 1)
          break
        case "look":
          if (tables[step.look]![at] === step.wanted) waiting.push(place + 1)
          break
        case "match":
          if (matched(at) === "stop") return
          break
        case "character":
          reached[count++] = place
      }
    }
    const character = forward ? after : before
    if (read === end) return
    for (let index = 0; index < count; index++) {
      const step = steps[reached[index]!] as Extract<PatternPart, { type: "character" }>
      if (step.fits(character)) next.push(reached[index]! + 1)
    }
  }
}

class Writer {
  readonly looks: PatternMachine["looks"][number][] = []
  size = 0
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  program(part: PatternPart, direction: "forward" | "backward"): readonly Step[] {
    const steps: Step[] = []
    this.#write(part, steps, direction)
    this.#push(steps, { type: "match" })
    return steps
  }

  #push(steps: Step[], step: Step): number {
    if (++this.size > this.#most) throw new TooLarge()
    return steps.push(step) - 1
  }

  #write(part: PatternPart, steps: Step[], direction: "forward" | "backward"): void {
    switch (part.type) {
      case "character":
      case "edge":
        this.#push(steps, part)
        return
      case "look": {
        const inner = this.program(part.part, part.where === "ahead" ? "backward" : "forward")
        const look = this.looks.push({ steps: inner, where: part.where }) - 1
        this.#push(steps, { type: "look", look, wanted: part.wanted === "found" ? 1 : 0 })
        return
      }
      case "sequence":
        for (const one of direction === "forward" ? part.parts : part.parts.toReversed())
          this.#write(one, steps, direction)
        return
      case "alternatives":
        return this.#alternatives(part.parts, steps, direction)
      case "repeat":
        return this.#repeat(part, steps, direction)
    }
  }

  #alternatives(parts: readonly PatternPart[], steps: Step[], direction: "forward" | "backward"): void {
    const fork = this.#push(steps, { type: "fork", to: [] })
    const starts: number[] = []
    const ends: number[] = []
    for (const part of parts) {
      starts.push(steps.length)
      this.#write(part, steps, direction)
      ends.push(this.#push(steps, { type: "fork", to: [] }))
    }
    steps[fork] = { type: "fork", to: starts }
    for (const end of ends) steps[end] = { type: "fork", to: [steps.length] }
  }

  #repeat(repeat: PatternPart & { type: "repeat" }, steps: Step[], direction: "forward" | "backward"): void {
    const { part, least, most } = repeat
    let last = 0
    for (let count = 0; count < least; count++) {
      last = steps.length
      this.#write(part, steps, direction)
      // Repeating an empty part changes nothing.
      if (steps.length === last) return
    }
    if (most === Number.POSITIVE_INFINITY && least > 0) {
      // The last required round is the one that repeats, so that nested repeats do not double each time.
      this.#push(steps, { type: "fork", to: [last, steps.length + 1] })
      return
    }
    if (most === Number.POSITIVE_INFINITY) {
      const fork = this.#push(steps, { type: "fork", to: [] })
      this.#write(part, steps, direction)
      this.#push(steps, { type: "fork", to: [fork] })
      steps[fork] = { type: "fork", to: [fork + 1, steps.length] }
      return
    }
    const forks: number[] = []
    for (let count = least; count < most; count++) {
      const fork = this.#push(steps, { type: "fork", to: [] })
      forks.push(fork)
      this.#write(part, steps, direction)
      if (steps.length === fork + 1) break
    }
    for (const fork of forks) steps[fork] = { type: "fork", to: [fork + 1, steps.length] }
  }
}
