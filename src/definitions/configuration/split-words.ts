/** Splits a command line at spaces and quotes. Nothing is expanded: characters with a meaning in a shell are refused. */
export function splitWords(
  text: string,
): { readonly words: readonly string[] } | { readonly problem: string } {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === "'" || character === '"') {
      const end = closing(text, at)
      if (end < 0) return { problem: `has an unclosed ${character}` }
      const inner = text.slice(at + 1, end)
      word = (word ?? "") + (character === '"' ? inner.replace(/\\(["\\])/g, "$1") : inner)
      at = end
    } else if (character === "\\" && at + 1 < text.length) word = (word ?? "") + text[++at]!
    else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (/[|&;<>()$`\\]/.test(character))
      return {
        problem: `contains ${character}, but it does not run in a shell: put it in quotes, or write the words as a list`,
      }
    else word = (word ?? "") + character
  }
  return { words: word === undefined ? words : [...words, word] }
}

function closing(text: string, start: number): number {
  const quote = text[start]!
  for (let at = start + 1; at < text.length; at++) {
    if (quote === '"' && text[at] === "\\") at++
    else if (text[at] === quote) return at
  }
  return -1
}
