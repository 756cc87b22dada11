/**
 * The part of regular expressions that matchers are written in: texts, classes, groups, alternatives, repeats, anchors.
 * It is walked through once with all places that it could be at, so no pattern and no name can make it slow.
 */
export interface NamePattern {
  readonly text: string
  readonly steps: readonly Step[]
}

type Step =
  | { readonly type: "character"; readonly fits: Fits }
  | { readonly type: "edge"; readonly holds: (before: string, after: string) => boolean }
  /** Goes on at each of these. */
  | { readonly type: "fork"; readonly to: readonly number[] }
  | { readonly type: "match" }

type Fits = (character: string) => boolean
type Dialect = "javascript" | "python"

/**
 * What the text says, or why it cannot be followed and where. `python`: as Python's `re` reads it, where letters and digits
 * are those of any script. What the other language reads otherwise is refused, and never taken for something else.
 */
export function parsePattern(
  text: string,
  dialect: Dialect = "javascript",
): { readonly pattern: NamePattern } | { readonly problem: string; readonly offset: number } {
  if (text.length > longestText) return { problem: `it has more than ${longestText} characters`, offset: 0 }
  const reader = new Reader(text, dialect)
  try {
    const whole = reader.alternatives()
    if (!reader.isDone) throw new Unread(`there is no "(" for this ")"`)
    const steps: Step[] = []
    write(whole, steps)
    return { pattern: { text, steps: [...steps, { type: "match" }] } }
  } catch (error) {
    if (error instanceof Unread) return { problem: error.message, offset: reader.offset }
    throw error
  }
}

/** Whether it is found anywhere in a name, as JavaScript's `test` would find it. */
export const matchesName = (pattern: NamePattern, name: string): boolean =>
  isFound(pattern, [...name.slice(0, longestName)])

/** The same in a text of any length; `unknown` where looking would take too long. */
export function isFoundIn(pattern: NamePattern, text: string): "yes" | "no" | "unknown" {
  if (text.length * pattern.steps.length > mostLooks) return "unknown"
  return isFound(pattern, [...text]) ? "yes" : "no"
}

/** Some hundred milliseconds at most. */
const mostLooks = 4_000_000

function isFound({ steps }: NamePattern, characters: readonly string[]): boolean {
  let places = new Set<number>()
  for (let index = 0; index <= characters.length; index++) {
    const [before = "", after = ""] = [characters[index - 1], characters[index]]
    const reached = new Set<number>()
    for (const place of [...places, 0]) reach(steps, place, before, after, reached)
    const next = new Set<number>()
    for (const place of reached) {
      const step = steps[place]!
      if (step.type === "match") return true
      if (step.type === "character" && index < characters.length && step.fits(after)) next.add(place + 1)
    }
    places = next
  }
  return false
}

const longestName = 1_000
const longestText = 500
const mostSteps = 5_000

/** Every place that is reached from one without reading a character. */
function reach(
  steps: readonly Step[],
  from: number,
  before: string,
  after: string,
  reached: Set<number>,
): void {
  const waiting = [from]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (reached.has(place)) continue
    reached.add(place)
    const step = steps[place]!
    if (step.type === "fork") waiting.push(...step.to)
    if (step.type === "edge" && step.holds(before, after)) waiting.push(place + 1)
  }
}

type Part =
  | { readonly type: "character"; readonly fits: Fits }
  | { readonly type: "edge"; readonly holds: (before: string, after: string) => boolean }
  | { readonly type: "sequence"; readonly parts: readonly Part[] }
  | { readonly type: "alternatives"; readonly parts: readonly Part[] }
  | { readonly type: "repeat"; readonly part: Part; readonly least: number; readonly most: number }

function write(part: Part, steps: Step[]): void {
  if (steps.length > mostSteps) throw new Unread("it is too large")
  switch (part.type) {
    case "character":
    case "edge":
      steps.push(part)
      return
    case "sequence":
      for (const one of part.parts) write(one, steps)
      return
    case "alternatives":
      return writeAlternatives(part.parts, steps)
    case "repeat":
      return writeRepeat(part, steps)
  }
}

function writeAlternatives(parts: readonly Part[], steps: Step[]): void {
  const fork = steps.push({ type: "fork", to: [] }) - 1
  const starts: number[] = []
  const ends: number[] = []
  for (const part of parts) {
    starts.push(steps.length)
    write(part, steps)
    ends.push(steps.push({ type: "fork", to: [] }) - 1)
  }
  steps[fork] = { type: "fork", to: starts }
  for (const end of ends) steps[end] = { type: "fork", to: [steps.length] }
}

function writeRepeat({ part, least, most }: Part & { type: "repeat" }, steps: Step[]): void {
  for (let count = 0; count < least; count++) {
    const before = steps.length
    write(part, steps)
    // Nothing, however often, is nothing.
    if (steps.length === before) return
  }
  if (most === Number.POSITIVE_INFINITY) {
    const fork = steps.push({ type: "fork", to: [] }) - 1
    write(part, steps)
    steps.push({ type: "fork", to: [fork] })
    steps[fork] = { type: "fork", to: [fork + 1, steps.length] }
    return
  }
  const forks: number[] = []
  for (let count = least; count < most; count++) {
    forks.push(steps.push({ type: "fork", to: [] }) - 1)
    write(part, steps)
  }
  for (const fork of forks) steps[fork] = { type: "fork", to: [fork + 1, steps.length] }
}

/** It cannot be followed. */
class Unread extends Error {}

class Reader {
  readonly #text: string
  offset = 0
  #depth = 0
  readonly #kinds: Kinds

  readonly #dialect: Dialect

  constructor(text: string, dialect: Dialect) {
    this.#text = text
    this.#dialect = dialect
    this.#kinds = kinds[dialect]
  }

  get isDone(): boolean {
    return this.offset >= this.#text.length
  }

  alternatives(): Part {
    const parts = [this.#sequence()]
    while (this.#take("|")) parts.push(this.#sequence())
    return parts.length === 1 ? parts[0]! : { type: "alternatives", parts }
  }

  #sequence(): Part {
    const parts: Part[] = []
    while (!this.isDone && !"|)".includes(this.#next)) parts.push(this.#repeats(this.#one()))
    return { type: "sequence", parts }
  }

  #one(): Part {
    const character = this.#read()
    switch (character) {
      case "(":
        return this.#group()
      case "[":
        return { type: "character", fits: this.#class() }
      case ".":
        return { type: "character", fits: (one) => one !== "\n" }
      case "^":
        return { type: "edge", holds: (before) => before === "" }
      case "$":
        return { type: "edge", holds: (_, after) => after === "" }
      case "\\":
        return this.#escape()
      case "*":
      case "+":
      case "?":
        throw this.#unread(`there is nothing before this "${character}" to repeat`)
      case "{":
        this.offset--
        if (this.#bounds()) throw this.#unread("there is nothing before this to repeat")
        this.offset++
        return { type: "character", fits: (one) => one === character }
      default:
        return { type: "character", fits: (one) => one === character }
    }
  }

  #group(): Part {
    if (this.#take("?") && !this.#take(":"))
      throw this.#unread("looking ahead or behind, and names of groups, cannot be followed")
    if (++this.#depth > 50) throw this.#unread("its groups are too deep")
    const part = this.alternatives()
    this.#depth--
    if (!this.#take(")")) throw this.#unread('there is no ")" for a "("')
    return part
  }

  #repeats(part: Part): Part {
    const bounds = this.#bounds()
    if (!bounds) return part
    if (part.type === "edge") throw this.#unread("an edge cannot be repeated")
    // Whether as few or as many as can be makes no difference to whether there is a match.
    this.#take("?")
    if (this.#bounds()) throw this.#unread("it repeats a repeat")
    return { type: "repeat", part, ...bounds }
  }

  #bounds(): { least: number; most: number } | undefined {
    const infinite = Number.POSITIVE_INFINITY
    if (this.#take("*")) return { least: 0, most: infinite }
    if (this.#take("+")) return { least: 1, most: infinite }
    if (this.#take("?")) return { least: 0, most: 1 }
    const [written, least, comma, most] =
      /^\{(?!\})(\d*)(,)?(\d*)\}/.exec(this.#text.slice(this.offset)) ?? []
    if (written === undefined) return undefined
    if (least === "" && this.#dialect === "javascript")
      throw this.#unread("how often at least must be said: write 0")
    this.offset += written.length
    const bounds = {
      least: Number(least),
      most: comma ? (most === "" ? infinite : Number(most)) : Number(least),
    }
    if (bounds.most < bounds.least) throw this.#unread("it repeats less than it must")
    return bounds
  }

  #escape(): Part {
    const name = this.#read()
    if (name === "b" || name === "B") {
      const { w: word } = this.#kinds
      const isEdge = (before: string, after: string) => word(before) !== word(after)
      return { type: "edge", holds: name === "b" ? isEdge : (before, after) => !isEdge(before, after) }
    }
    return { type: "character", fits: this.#escaped(name) }
  }

  #escaped(name: string): Fits {
    const kind = this.#kinds[name.toLowerCase()]
    if (kind) return name === name.toLowerCase() ? kind : (one) => !kind(one)
    if (/^[A-Za-z0-9]$/.test(name)) throw this.#unread(`"\\${name}" cannot be followed`)
    return (one) => one === name
  }

  #class(): Fits {
    const isNegated = this.#take("^")
    const parts: Fits[] = []
    // To Python a bracket that comes first is one of the characters; to JavaScript the class ends, and is empty.
    if (this.#next === "]" && this.#dialect === "javascript")
      throw this.#unread("there is nothing between [ and ]")
    do parts.push(this.#range())
    while (!this.#take("]"))
    const fits: Fits = (one) => parts.some((part) => part(one))
    return isNegated ? (one) => !fits(one) : fits
  }

  #range(): Fits {
    const first = this.#read()
    if (first === "\\") {
      const kind = this.#escaped(this.#read())
      if (this.#next === "-" && this.#text[this.offset + 1] !== "]")
        throw this.#unread("a range cannot begin with what is escaped")
      return kind
    }
    if (this.#next !== "-" || this.#text[this.offset + 1] === "]") return (one) => one === first
    this.#read()
    const last = this.#read()
    if (last === "\\" || last < first) throw this.#unread("a range of characters ends before it begins")
    return (one) => first <= one && one <= last
  }

  get #next(): string {
    return String.fromCodePoint(this.#text.codePointAt(this.offset) ?? 0)
  }

  #read(): string {
    if (this.isDone) throw this.#unread("it ends too soon")
    const character = this.#next
    this.offset += character.length
    return character
  }

  #take(character: string): boolean {
    if (this.isDone || this.#next !== character) return false
    this.offset += character.length
    return true
  }

  #unread(problem: string): Unread {
    this.offset = Math.max(0, this.offset - 1)
    return new Unread(problem)
  }
}

interface Kinds {
  readonly w: Fits
  readonly [kind: string]: Fits | undefined
}

const kinds: Readonly<Record<Dialect, Kinds>> = {
  javascript: {
    w: (one) => /^\w$/.test(one),
    d: (one) => /^\d$/.test(one),
    s: (one) => /^\s$/.test(one),
  },
  python: {
    w: (one) => /^[\p{L}\p{N}_]$/u.test(one),
    d: (one) => /^\p{Nd}$/u.test(one),
    s: (one) => one !== "\ufeff" && one !== "" && (/^\s$/u.test(one) || alsoSpace.includes(one)),
  },
}

/** Separators that are spaces to Python alone. */
const alsoSpace = "\u001c\u001d\u001e\u001f\u0085"
