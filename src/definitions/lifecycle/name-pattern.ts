import {
  assemble,
  type Fits,
  findsMatch,
  type PatternMachine,
  type PatternPart,
  TooLarge,
} from "../../ground/patterns/machine.ts"

/**
 * A regular expression of a matcher: texts, classes, groups, alternatives, repeats and anchors. No pattern and no name can
 * make matching slow.
 */
export interface NamePattern {
  readonly text: string
  readonly machine: PatternMachine
}

type Dialect = "javascript" | "python"

/**
 * Parses a pattern, or returns the problem and its offset. With `python`, the pattern means what it means in Python's
 * `re`, where letters and digits may be of any script. Syntax that means something else in the other language is refused.
 */
export function parseNamePattern(
  text: string,
  dialect: Dialect = "javascript",
): { readonly pattern: NamePattern } | { readonly problem: string; readonly offset: number } {
  if (text.length > longestText) return { problem: `it has more than ${longestText} characters`, offset: 0 }
  const reader = new Reader(text, dialect)
  try {
    const whole = reader.alternatives()
    if (!reader.isDone) throw new Unread(`there is no "(" for this ")"`)
    return { pattern: { text, machine: assemble(whole, mostSteps) } }
  } catch (error) {
    if (error instanceof TooLarge) return { problem: "it is too large", offset: reader.offset }
    if (error instanceof Unread) return { problem: error.message, offset: reader.offset }
    throw error
  }
}

/** True if the pattern matches anywhere in a name, like JavaScript's `test`. */
export const matchesName = (pattern: NamePattern, name: string): boolean =>
  findsMatch(pattern.machine, [...name.slice(0, longestName)])

/** Searches a text of any length. `unknown`: the search would take too long. */
export function isFoundIn(pattern: NamePattern, text: string): "yes" | "no" | "unknown" {
  if (text.length * pattern.machine.size > mostLooks) return "unknown"
  return findsMatch(pattern.machine, [...text]) ? "yes" : "no"
}

/** Bounds a search to a few hundred milliseconds. */
const mostLooks = 4_000_000

const longestName = 1_000
const longestText = 500
const mostSteps = 5_000

/** The pattern is invalid or not supported. */
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

  alternatives(): PatternPart {
    const parts = [this.#sequence()]
    while (this.#take("|")) parts.push(this.#sequence())
    return parts.length === 1 ? parts[0]! : { type: "alternatives", parts }
  }

  #sequence(): PatternPart {
    const parts: PatternPart[] = []
    while (!this.isDone && !"|)".includes(this.#next)) parts.push(this.#repeats(this.#one()))
    return { type: "sequence", parts }
  }

  #one(): PatternPart {
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

  #group(): PatternPart {
    if (this.#take("?") && !this.#take(":"))
      throw this.#unread("lookahead, lookbehind and named groups are not supported")
    if (++this.#depth > 50) throw this.#unread("its groups are too deep")
    const part = this.alternatives()
    this.#depth--
    if (!this.#take(")")) throw this.#unread('there is no ")" for a "("')
    return part
  }

  #repeats(part: PatternPart): PatternPart {
    const bounds = this.#bounds()
    if (!bounds) return part
    if (part.type === "edge") throw this.#unread("an anchor cannot be repeated")
    // Greedy and lazy repeats differ in what they match, but not in whether they match.
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
    if (least === "" && this.#dialect === "javascript") throw this.#unread("the minimum is missing: write 0")
    this.offset += written.length
    const bounds = {
      least: Number(least),
      most: comma ? (most === "" ? infinite : Number(most)) : Number(least),
    }
    if (bounds.most < bounds.least) throw this.#unread("the maximum is below the minimum")
    return bounds
  }

  #escape(): PatternPart {
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
    if (/^[A-Za-z0-9]$/.test(name)) throw this.#unread(`"\\${name}" is not supported`)
    return (one) => one === name
  }

  #class(): Fits {
    const isNegated = this.#take("^")
    const parts: Fits[] = []
    // A `]` that comes first is a character in Python. In JavaScript it ends the class, which is then empty.
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
        throw this.#unread("a range cannot begin with an escape")
      return kind
    }
    if (this.#next !== "-" || this.#text[this.offset + 1] === "]") return (one) => one === first
    this.#read()
    const last = this.#read()
    if (last === "\\" || last < first) throw this.#unread("a range of characters must end after it begins")
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

/** Separators that are white space only in Python. */
const alsoSpace = "\u001c\u001d\u001e\u001f\u0085"
