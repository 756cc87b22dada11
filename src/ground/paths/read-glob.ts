import type { Fits, PatternPart } from "../patterns/machine.ts"
import { PathRefusal } from "./refusal.ts"

const longestPattern = 1000

/** Parses a pattern of file names. Throws a Refusal with the problem of the text. */
export function readGlob(text: string): PatternPart {
  if (text.length > longestPattern)
    throw new PathRefusal(
      `The pattern has ${text.length} characters; at most ${longestPattern} are allowed. Use a shorter one.`,
    )
  return new Reader(text).sequence("")
}

const one = (fits: Fits): PatternPart => ({ type: "character", fits })
const same = (character: string): PatternPart => one((other) => other === character)
const notSlash = one((character) => character !== "/")
const repeat = (part: PatternPart, least: number, most: number): PatternPart => ({
  type: "repeat",
  part,
  least,
  most,
})
const anyNumberOf = (part: PatternPart): PatternPart => repeat(part, 0, Number.POSITIVE_INFINITY)
const atLeastOne = (part: PatternPart): PatternPart => repeat(part, 1, Number.POSITIVE_INFINITY)

class Reader {
  readonly #text: readonly string[]
  /** The positions of braces that offer a choice. */
  readonly #choices: ReadonlySet<number>
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = [...text]
    this.#choices = findChoices(this.#text)
  }

  /** Reads up to one of `closers`, or to the end. */
  sequence(closers: string): PatternPart {
    const parts: PatternPart[] = []
    while (this.#at < this.#text.length && !closers.includes(this.#text[this.#at]!)) parts.push(this.#item())
    return { type: "sequence", parts }
  }

  #item(): PatternPart {
    const character = this.#text[this.#at]!
    if (this.#text[this.#at + 1] === "(" && "@*+?!".includes(character)) return this.#group(character)
    this.#at++
    switch (character) {
      case "*":
        return this.#star()
      case "?":
        return notSlash
      case "[":
        return this.#set()
      case "{":
        // Braces without an end or a comma are plain characters.
        return this.#choices.has(this.#at - 1) ? this.#alternatives(",", "}") : same("{")
      case "\\":
        return same(this.#text[this.#at++] ?? "\\")
      default:
        return same(character)
    }
  }

  /** `**` matches any number of folders, but only as a whole name. */
  #star(): PatternPart {
    const before = this.#text[this.#at - 2]
    let count = 1
    while (this.#text[this.#at] === "*" && this.#text[this.#at + 1] !== "(") {
      count++
      this.#at++
    }
    const after = this.#text[this.#at]
    const isWhole =
      (before === undefined || "/{,(|".includes(before)) && (after === undefined || "/},)|".includes(after))
    if (count !== 2 || !isWhole) return anyNumberOf(notSlash)
    if (after !== "/") return anyNumberOf(one(() => true))
    // Names that each end in a slash, or none at all.
    this.#at++
    return anyNumberOf({ type: "sequence", parts: [atLeastOne(notSlash), same("/")] })
  }

  #set(): PatternPart {
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
      // A bracket without an end is a plain character.
      this.#at = start
      return same("[")
    }
    this.#at++
    const holds: Fits = (character) => ranges.some(([low, high]) => low <= character && character <= high)
    return one((character) => character !== "/" && holds(character) !== inverted)
  }

  #group(kind: string): PatternPart {
    if (kind === "!")
      throw new PathRefusal(
        'The pattern uses "!(…)", which is not supported. Leave it out and filter the list.',
      )
    this.#at += 2
    const part = this.#alternatives("|", ")")
    if (kind === "@") return part
    if (kind === "?") return repeat(part, 0, 1)
    return kind === "*" ? anyNumberOf(part) : atLeastOne(part)
  }

  #alternatives(separator: string, closer: string): PatternPart {
    if (++this.#depth > 50) throw new PathRefusal("The pattern is nested too deeply. Use a simpler one.")
    const parts: PatternPart[] = []
    for (;;) {
      parts.push(this.sequence(separator + closer))
      const character = this.#text[this.#at++]
      if (character === separator) continue
      if (character === undefined) throw new PathRefusal(`The pattern has no closing "${closer}". Add it.`)
      this.#depth--
      return { type: "alternatives", parts }
    }
  }
}

/** Found beforehand, because trying and going back would take unbounded time. */
function findChoices(text: readonly string[]): ReadonlySet<number> {
  const choices = new Set<number>()
  const open: { at: number; hasComma: boolean }[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "\\") at++
    else if (character === "{") open.push({ at, hasComma: false })
    else if (character === "," && open.length > 0) open.at(-1)!.hasComma = true
    else if (character === "}") {
      const braces = open.pop()
      if (braces?.hasComma) choices.add(braces.at)
    }
  }
  return choices
}
