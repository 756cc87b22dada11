import type { Fits, Part } from "../patterns/machine.ts"
import { Refusal } from "./refusal.ts"

const longestPattern = 1000

/** Takes a pattern of file names apart. Throws a Refusal that says what is wrong with the text. */
export function readGlob(text: string): Part {
  if (text.length > longestPattern)
    throw new Refusal(
      `The pattern has ${text.length} characters; at most ${longestPattern} are taken. Use a shorter one.`,
    )
  return new Reader(text).sequence("")
}

const one = (fits: Fits): Part => ({ type: "character", fits })
const same = (character: string): Part => one((other) => other === character)
const notSlash = one((character) => character !== "/")
const repeat = (part: Part, least: number, most: number): Part => ({ type: "repeat", part, least, most })
const anyNumberOf = (part: Part): Part => repeat(part, 0, Number.POSITIVE_INFINITY)
const atLeastOne = (part: Part): Part => repeat(part, 1, Number.POSITIVE_INFINITY)

class Reader {
  readonly #text: readonly string[]
  /** Where braces begin that offer a choice. */
  readonly #choices: ReadonlySet<number>
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = [...text]
    this.#choices = findChoices(this.#text)
  }

  /** Reads up to one of `closers`, or to the end. */
  sequence(closers: string): Part {
    const parts: Part[] = []
    while (this.#at < this.#text.length && !closers.includes(this.#text[this.#at]!)) parts.push(this.#item())
    return { type: "sequence", parts }
  }

  #item(): Part {
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
        // Without an end or a comma these are braces like any other character.
        return this.#choices.has(this.#at - 1) ? this.#alternatives(",", "}") : same("{")
      case "\\":
        return same(this.#text[this.#at++] ?? "\\")
      default:
        return same(character)
    }
  }

  /** `**` is folders, as many as there are, only where it stands for a whole name. */
  #star(): Part {
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

  #set(): Part {
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
      return same("[")
    }
    this.#at++
    const holds: Fits = (character) => ranges.some(([low, high]) => low <= character && character <= high)
    return one((character) => character !== "/" && holds(character) !== inverted)
  }

  #group(kind: string): Part {
    if (kind === "!")
      throw new Refusal('The pattern uses "!(…)", which is not supported. Leave it out and filter the list.')
    this.#at += 2
    const part = this.#alternatives("|", ")")
    if (kind === "@") return part
    if (kind === "?") return repeat(part, 0, 1)
    return kind === "*" ? anyNumberOf(part) : atLeastOne(part)
  }

  #alternatives(separator: string, closer: string): Part {
    if (++this.#depth > 50) throw new Refusal("The pattern is nested too deeply. Use a simpler one.")
    const parts: Part[] = []
    for (;;) {
      parts.push(this.sequence(separator + closer))
      const character = this.#text[this.#at++]
      if (character === separator) continue
      if (character === undefined) throw new Refusal(`The pattern lacks a "${closer}". Add it.`)
      this.#depth--
      return { type: "alternatives", parts }
    }
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
