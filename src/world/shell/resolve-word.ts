import { quoteWord } from "./quote.ts"
import type { ShellState } from "./state.ts"
import type { CommandList, Word } from "./syntax.ts"

/** A word of a command, as the program would get it. */
export interface ShellArgument {
  /** The word as the text of the command has it. */
  readonly written: string
  /** The value that the program gets. Undefined: it is unknown, or stands for names of files. */
  readonly value: string | undefined
  /** For a word that stands for names of files: the text before the first `*`, `?` or `[`. */
  readonly pattern?: string
  /** The reason why the value is unknown. */
  readonly reason?: string
  /** Commands that run to produce the word. */
  readonly bodies?: readonly CommandList[]
  /** In place of a path that is only known when the command runs: everything below these folders. */
  readonly below?: readonly string[]
}

export const makePlainArgument = (value: string): ShellArgument => ({ written: quoteWord(value), value })

interface Character {
  readonly text: string
  readonly quoted: boolean
}

/**
 * Expands a word in a state. As the value of an assignment (`assigned`), it is not split, and patterns do not
 * match files.
 */
export function resolveWord(word: Word, state: ShellState, as: "word" | "assigned" = "word"): ShellArgument {
  const characters: Character[] = []
  const reasons: string[] = []
  const bodies: CommandList[] = []
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
        if (value === undefined)
          reasons.push(`the value of $${part.name} is only known when the command runs`)
        else if (splits && !/^[A-Za-z0-9_@%+=:,./-]+$/.test(value))
          reasons.push(`the value of $${part.name} may be split into several words`)
        else for (const text of value) characters.push({ text, quoted: true })
      }
    }
  const home = expandTilde(word, characters, state, as, reasons)
  const text = home + characters.map((character) => character.text).join("")
  if (as === "word" && hasBraces(characters)) reasons.push("braces expand to several words")
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

const onlyFolder = ({ folders }: ShellState) => (folders?.length === 1 ? folders[0] : undefined)

/**
 * Takes a leading `~` off the characters and returns its folder. Other tildes that bash might expand add a
 * reason.
 */
function expandTilde(
  word: Word,
  characters: Character[],
  state: ShellState,
  as: "word" | "assigned",
  reasons: string[],
): string {
  const inside = characters.some(
    ({ text, quoted }, index) =>
      text === "~" && !quoted && index > 0 && /[=:]/.test(characters[index - 1]!.text),
  )
  if (inside) reasons.push("a ~ inside a word may stand for a folder")
  const [first, second] = characters
  if (first?.text !== "~" || first.quoted) return ""
  // Quotes right before or after the tilde, even empty ones, keep bash from expanding it.
  const [part] = word.parts
  if (part?.type !== "text" || part.quoted) return ""
  const isAlone = word.parts.length === 1 || part.text !== "~"
  const isEnded =
    second === undefined ||
    (!second.quoted && (second.text === "/" || (as === "assigned" && second.text === ":")))
  const isHome = isAlone && isEnded
  if (!isHome) {
    reasons.push("a ~ with a name stands for an unknown folder")
    return ""
  }
  const home = state.variables.get("HOME")
  if (home === undefined) reasons.push("the home folder is unknown")
  characters.shift()
  // With the home folder `/`, `~/x` is `/x`.
  return home === "/" && characters.length > 0 ? "" : (home ?? "")
}

/** True if there is a `{a,b}` or `{1..3}`; `{}` and `@{1}` do not count. */
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
