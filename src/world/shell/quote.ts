/** Quotes a word for the text of a command: only where it needs quotes, and always in the same way. */
export function quoteWord(word: string): string {
  if (word === "[" || word === "]" || word === "{}") return word
  if (/^[\p{L}\p{N}\p{M}_@%+=:,./-]+$/u.test(word)) return word
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(word))
    return `$'${word.replaceAll(/[\\']|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}'`
  return `'${word.replaceAll("'", "'\\''")}'`
}

export const quoteWords = (words: readonly string[]): string => words.map(quoteWord).join(" ")

function escaped(character: string): string {
  if (character === "\\" || character === "'") return `\\${character}`
  if (character === "\n") return "\\n"
  if (character === "\t") return "\\t"
  return `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`
}
