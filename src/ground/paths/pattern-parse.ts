import { Refusal } from "./refusal.ts"

/** The states of a pattern: paths lead from `first` to `last`. */
export interface Machine {
  readonly states: readonly State[]
  readonly first: number
  readonly last: number
}

export interface State {
  readonly steps: { readonly test: Test; readonly to: number }[]
  /** Where it may go without reading anything. */
  readonly free: number[]
}

export type Test = (character: string) => boolean

const longestPattern = 1000

export function parsePattern(text: string, letters: "exact" | "any-case"): Machine {
  if (text.length > longestPattern)
    throw new Refusal(
      `The pattern has ${text.length} characters; at most ${longestPattern} are taken. Use a shorter one.`,
    )
  const builder = new Builder(text, letters)
  const first = builder.add()
  const last = builder.sequence(first, "")
  return { states: builder.states, first, last }
}

const notSlash: Test = (character) => character !== "/"
const anything: Test = () => true

class Builder {
  readonly states: State[] = []
  readonly #text: readonly string[]
  readonly #letters: "exact" | "any-case"
  /** Where braces begin that offer a choice. */
  readonly #choices: ReadonlySet<number>
  #at = 0
  #depth = 0

  constructor(text: string, letters: "exact" | "any-case") {
    this.#text = [...text]
    this.#letters = letters
    this.#choices = findChoices(this.#text)
  }

  add(): number {
    return this.states.push({ steps: [], free: [] }) - 1
  }

  /** Reads up to one of `closers`, or to the end, and returns the state that it comes to. */
  sequence(from: number, closers: string): number {
    let state = from
    while (this.#at < this.#text.length && !closers.includes(this.#text[this.#at]!)) state = this.#item(state)
    return state
  }

  #item(from: number): number {
    const character = this.#text[this.#at]!
    if (this.#text[this.#at + 1] === "(" && "@*+?!".includes(character)) return this.#group(from, character)
    this.#at++
    switch (character) {
      case "*":
        return this.#star(from)
      case "?":
        return this.#step(from, notSlash)
      case "[":
        return this.#set(from)
      case "{":
        return this.#braces(from)
      case "\\":
        return this.#step(from, this.#same(this.#text[this.#at++] ?? "\\"))
      default:
        return this.#step(from, this.#same(character))
    }
  }

  #step(from: number, test: Test): number {
    const to = this.add()
    this.states[from]!.steps.push({ test, to })
    return to
  }

  /** `**` is folders, as many as there are, only where it stands for a whole name. */
  #star(from: number): number {
    const before = this.#text[this.#at - 2]
    let count = 1
    while (this.#text[this.#at] === "*" && this.#text[this.#at + 1] !== "(") {
      count++
      this.#at++
    }
    const after = this.#text[this.#at]
    const to = this.add()
    this.states[from]!.free.push(to)
    const isWhole =
      (before === undefined || "/{,(|".includes(before)) && (after === undefined || "/},)|".includes(after))
    if (count !== 2 || !isWhole) {
      this.states[to]!.steps.push({ test: notSlash, to })
      return to
    }
    if (after !== "/") {
      this.states[to]!.steps.push({ test: anything, to })
      return to
    }
    // Names that each end in a slash, or none at all.
    this.#at++
    const inName = this.#step(to, notSlash)
    this.states[inName]!.steps.push({ test: notSlash, to: inName })
    this.states[inName]!.steps.push({ test: (character) => character === "/", to })
    return to
  }

  #set(from: number): number {
    const start = this.#at
    const inverted = "!^".includes(this.#text[this.#at] ?? " ")
    if (inverted) this.#at++
    const ranges: [string, string][] = []
    while (this.#at < this.#text.length && (this.#text[this.#at] !== "]" || ranges.length === 0)) {
      if (this.#text[this.#at] === "\\") this.#at++
      const low = this.#text[this.#at++] ?? "\\"
      const isRange = this.#text[this.#at] === "-" && (this.#text[this.#at + 1] ?? "]") !== "]"
      ranges.push([low, isRange ? this.#text[this.#at + 1]! : low])
      if (isRange) this.#at += 2
    }
    if (this.#at >= this.#text.length) {
      // Without an end it is a bracket like any other character.
      this.#at = start
      return this.#step(from, this.#same("["))
    }
    this.#at++
    const holds = (character: string) => ranges.some(([low, high]) => low <= character && character <= high)
    const test =
      this.#letters === "exact"
        ? holds
        : (character: string) => holds(character.toLowerCase()) || holds(character.toUpperCase())
    return this.#step(from, (character) => character !== "/" && test(character) !== inverted)
  }

  #braces(from: number): number {
    // Without an end or a comma these are braces like any other character.
    if (!this.#choices.has(this.#at - 1)) return this.#step(from, this.#same("{"))
    const inside = this.add()
    this.states[from]!.free.push(inside)
    return this.#alternatives(inside, ",", "}")
  }

  #group(from: number, kind: string): number {
    if (kind === "!")
      throw new Refusal('The pattern uses "!(…)", which is not supported. Leave it out and filter the list.')
    this.#at += 2
    const inside = this.add()
    const to = this.#alternatives(inside, "|", ")")
    const after = this.add()
    this.states[from]!.free.push(inside)
    this.states[to]!.free.push(after)
    if ("*?".includes(kind)) this.states[inside]!.free.push(after)
    if ("*+".includes(kind)) this.states[to]!.free.push(inside)
    return after
  }

  #alternatives(from: number, separator: string, closer: string): number {
    if (++this.#depth > 50) throw new Refusal("The pattern is nested too deeply. Use a simpler one.")
    const to = this.add()
    for (;;) {
      const begin = this.add()
      this.states[from]!.free.push(begin)
      this.states[this.sequence(begin, separator + closer)]!.free.push(to)
      const character = this.#text[this.#at++]
      if (character === separator) continue
      if (character === undefined) throw new Refusal(`The pattern lacks a "${closer}". Add it.`)
      this.#depth--
      return to
    }
  }

  #same(character: string): Test {
    if (this.#letters === "exact") return (other) => other === character
    const folded = character.toLowerCase()
    return (other) => other.toLowerCase() === folded
  }
}

/** Found beforehand: to try and go back would take time without bound. */
function findChoices(text: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  const open: { at: number; hasComma: boolean }[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "\\") at++
    else if (character === "{") open.push({ at, hasComma: false })
    else if (character === "," && open.length > 0) open.at(-1)!.hasComma = true
    else if (character === "}") {
      const braces = open.pop()
      if (braces?.hasComma) found.add(braces.at)
    }
  }
  return found
}
