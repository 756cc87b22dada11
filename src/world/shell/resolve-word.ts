import { quoteWord } from "./quote.ts"
import type { State } from "./state.ts"
import type { List, Word } from "./syntax.ts"

/** A word of a command, as the program would get it. */
export interface Argument {
  /** As it stands in the text of the command. */
  readonly written: string
  /** What the program gets; undefined where that is not known, or where it is names of files. */
  readonly value: string | undefined
  /** Names of files that fit: what stands before the first `*`, `?` or `[`. */
  readonly pattern?: string
  /** Why the value is not known. */
  readonly reason?: string
  /** Commands that run to make it. */
  readonly bodies?: readonly List[]
  /** In place of a path that only running tells: everything below these. */
  readonly below?: readonly string[]
}

export const plainArgument = (value: string): Argument => ({ written: quoteWord(value), value })

interface Character {
  readonly text: string
  readonly quoted: boolean
}

/** What a word comes to in a state; `as` a value of an assignment nothing is split and no files are looked up. */
export function resolveWord(word: Word, state: State, as: "word" | "assigned" = "word"): Argument {
  const characters: Character[] = []
  const reasons: string[] = []
  const bodies: List[] = []
  let digits = false
  for (const part of word.parts)
    switch (part.type) {
      case "text":
        for (const text of part.text) characters.push({ text, quoted: part.quoted === true })
        break
      case "number":
        digits = true
        for (const text of part.source) characters.push({ text, quoted: true })
        break
      case "unknown":
        reasons.push(part.reason)
        if (part.body) bodies.push(part.body)
        break
      case "variable": {
        const value = part.name === "PWD" ? onlyFolder(state) : state.variables.get(part.name)
        const splits = !part.quoted && as === "word"
        if (value === undefined) reasons.push(`the value of $${part.name} is not known before it runs`)
        else if (splits && !/^[A-Za-z0-9_@%+=:,./-]+$/.test(value))
          reasons.push(`the value of $${part.name} may be split`)
        else for (const text of value) characters.push({ text, quoted: true })
      }
    }
  const home = expandTilde(word, characters, state, as, reasons)
  const text = home + characters.map((character) => character.text).join("")
  if (as === "word" && hasBraces(characters)) reasons.push("braces make several words of one")
  const more = bodies.length > 0 ? { bodies } : {}
  if (reasons.length > 0) return { written: word.source, value: undefined, reason: reasons[0]!, ...more }
  const first = as === "word" ? patternStart(characters) : -1
  if (first < 0) return { written: digits ? text : quoteWord(text), value: digits ? undefined : text }
  const before =
    home +
    characters
      .slice(0, first)
      .map((character) => character.text)
      .join("")
  return { written: home + characters.map(keepPattern).join(""), value: undefined, pattern: before }
}

const onlyFolder = ({ folders }: State) => (folders?.length === 1 ? folders[0] : undefined)

/** Takes a `~` from the front and gives what stands for it. Other tildes that bash might expand are a reason. */
function expandTilde(
  word: Word,
  characters: Character[],
  state: State,
  as: "word" | "assigned",
  reasons: string[],
): string {
  const inside = characters.some(
    ({ text, quoted }, index) =>
      text === "~" && !quoted && index > 0 && /[=:]/.test(characters[index - 1]!.text),
  )
  if (inside) reasons.push("a ~ inside of a word may stand for a folder")
  const [first, second] = characters
  if (first?.text !== "~" || first.quoted) return ""
  // Even an empty pair of quotes before or behind it keeps it as it is.
  const [part] = word.parts
  if (part?.type !== "text" || part.quoted) return ""
  const alone = word.parts.length === 1 || part.text !== "~"
  const ends =
    second === undefined ||
    (!second.quoted && (second.text === "/" || (as === "assigned" && second.text === ":")))
  const stands = alone && ends
  if (!stands) {
    reasons.push("a ~ with a name stands for a folder that is not known")
    return ""
  }
  const home = state.variables.get("HOME")
  if (home === undefined) reasons.push("the home folder is not known")
  characters.shift()
  // A word of the home folder alone, with a slash behind it or not.
  return home === "/" && characters.length > 0 ? "" : (home ?? "")
}

/** `{a,b}` and `{1..3}`; not `{}` and `@{1}`. */
function hasBraces(characters: readonly Character[]): boolean {
  let depth = 0
  let separated = false
  for (const [index, { text, quoted }] of characters.entries()) {
    if (quoted) continue
    if (text === "{") depth++
    if (depth > 0 && (text === "," || (text === "." && characters[index + 1]?.text === "."))) separated = true
    if (text === "}" && depth > 0 && separated) return true
  }
  return false
}

function patternStart(characters: readonly Character[]): number {
  const closing = characters.findLastIndex(({ text }) => text === "]")
  return characters.findIndex(
    ({ text, quoted }, index) =>
      !quoted && (text === "*" || text === "?" || (text === "[" && index < closing)),
  )
}

function keepPattern({ text, quoted }: Character): string {
  return /[\p{L}\p{N}\p{M}_@%+=:,./-]/u.test(text) || (!quoted && /[*?[\]!^]/.test(text)) ? text : `\\${text}`
}
