import type { Fits, PatternPart } from "./machine.ts"

/** The engine cannot evaluate a pattern; the message is the reason. */
export class UnsupportedPattern extends Error {}

/**
 * Parses a regular expression that is valid in JavaScript with the flag `u`. Throws Unfollowed for parts that
 * no engine can match in bounded time.
 */
export function readRegExp(text: string): PatternPart {
  return new Reader(text).alternatives()
}

class Reader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  alternatives(): PatternPart {
    const parts = [this.#sequence()]
    while (this.#take(/\|/y)) parts.push(this.#sequence())
    return parts.length === 1 ? parts[0]! : { type: "alternatives", parts }
  }

  #sequence(): PatternPart {
    const parts: PatternPart[] = []
    while (this.#at < this.#text.length && !"|)".includes(this.#text[this.#at]!)) parts.push(this.#repeated())
    return parts.length === 1 ? parts[0]! : { type: "sequence", parts }
  }

  #repeated(): PatternPart {
    const part = this.#one()
    const [quantifier, least, comma, most] = this.#take(/[*+?]|\{(\d+)(,)?(\d*)\}/y) ?? []
    if (quantifier === undefined) return part
    // Greedy or lazy makes no difference to whether there is a match.
    this.#take(/\?/y)
    const infinite = Number.POSITIVE_INFINITY
    if (least === undefined)
      return {
        type: "repeat",
        part,
        least: quantifier === "+" ? 1 : 0,
        most: quantifier === "?" ? 1 : infinite,
      }
    const upTo = comma === undefined ? Number(least) : most === "" ? infinite : Number(most)
    return { type: "repeat", part, least: Number(least), most: upTo }
  }

  #one(): PatternPart {
    if (this.#take(/\^/y)) return { type: "edge", holds: (before) => before === "" }
    if (this.#take(/\$/y)) return { type: "edge", holds: (_, after) => after === "" }
    if (this.#take(/\\b/y)) return { type: "edge", holds: isEdge }
    if (this.#take(/\\B/y)) return { type: "edge", holds: (before, after) => !isEdge(before, after) }
    if (this.#take(/\(/y)) return this.#group()
    if (this.#take(/\\(?:[1-9]|k)/y))
      throw new UnsupportedPattern("it has a back reference to a group, which can take forever to match")
    const [character] = this.#take(oneCharacter)!
    return { type: "character", fits: fits(character) }
  }

  #group(): PatternPart {
    const [look, behind, sign] = this.#take(/\?(<)?([=!])/y) ?? []
    if (look === undefined && this.#take(/\?[a-z]*(?:-[a-z]*)?:/y)?.[0].replace("?:", ""))
      throw new UnsupportedPattern("it changes flags inside of a group")
    if (look === undefined) this.#take(/\?<[^>]*>/y)
    if (++this.#depth > deepest) throw new UnsupportedPattern("its groups are nested too deeply")
    const part = this.alternatives()
    this.#depth--
    this.#take(/\)/y)
    if (look === undefined) return part
    return {
      type: "look",
      where: behind === undefined ? "ahead" : "behind",
      wanted: sign === "=" ? "found" : "absent",
      part,
    }
  }

  #take(what: RegExp): RegExpExecArray | undefined {
    what.lastIndex = this.#at
    const match = what.exec(this.#text) ?? undefined
    if (match) this.#at += match[0].length
    return match
  }
}

const deepest = 200

const oneCharacter =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c.|.)|./suy

const isWord = (one: string): boolean => /^\w$/.test(one)
const isEdge = (before: string, after: string): boolean => isWord(before) !== isWord(after)

/** JavaScript's own engine decides what a class means. For a single character that is always quick. */
function fits(source: string): Fits {
  if (source.length === 1 && source !== ".") return (character) => character === source
  const one = new RegExp(`^${source}$`, "u")
  const cache = new Uint8Array(128)
  return (character) => {
    const code = character.charCodeAt(0)
    if (code >= 128) return one.test(character)
    cache[code] ||= one.test(character) ? 1 : 2
    return cache[code] === 1
  }
}
