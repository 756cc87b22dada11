/**
 * A command as a person sees it before it runs: every byte that would be executed is visible. What a terminal would obey,
 * hide or turn around is written out, and long padding is counted.
 */
export function showCommand(text: string): string {
  return text
    .replaceAll(hidden, written)
    .replaceAll(/[ \t]{8,}/g, (blanks) => `⟨${blanks.length} blanks⟩`)
    .replaceAll(/\n(?:[ \t]*\n){3,}/g, (lines) => `\n⟨${lines.split("\n").length - 2} empty lines⟩\n`)
    .replaceAll("\t", "\\t")
}

const hidden = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu

function written(character: string): string {
  if (character === "\r") return "\\r"
  return `\\u{${character.codePointAt(0)!.toString(16)}}`
}
