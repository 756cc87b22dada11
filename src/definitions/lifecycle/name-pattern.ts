import {
  assemble,
  type Fits,
  isFound,
  type Machine,
  type Part,
  TooLarge,
} from "../../ground/patterns/machine.ts"

/**
 * The part of regular expressions that matchers are written in: texts, classes, groups, alternatives, repeats, anchors.
 * No pattern and no name can make it slow.
 */
export interface NamePattern {
  readonly text: string
  readonly machine: Machine
}

type Dialect = "javascript" | "python"

/**
 * What the text says, or why it cannot be followed and where. `python`: as Python's `re` reads it, where letters and digits
 * are those of any script. What the other language reads otherwise is refused, and never taken for something else.
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

/** Whether it is found anywhere in a name, as JavaScript's `test` would find it. */
export const matchesName = (pattern: NamePattern, name: string): boolean =>
  isFound(pattern.machine, [...name.slice(0, longestName)])

/** The same in a text of any length; `unknown` where looking would take too long. */
export function isFoundIn(pattern: NamePattern, text: string): "yes" | "no" | "unknown" {
  if (text.length * pattern.machine.size > mostLooks) return "unknown"
  return isFound(pattern.machine, [...text]) ? "yes" : "no"
}

/** Some hundred milliseconds at most. */
const mostLooks = 4_000_000

const longestName = 1_000
const longestText = 500
const mostSteps = 5_000

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
