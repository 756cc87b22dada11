/**
 * Shows a command to a person before it runs, with every byte visible that would be executed. Characters that
 * a terminal would obey, hide or turn around are escaped, and long padding is counted.
 */
export function showCommand(text: string): string {
  return text
    .replaceAll(hidden, escapeCharacter)
    .replaceAll(/[ \t]{8,}/g, (blanks) => `⟨${blanks.length} blanks⟩`)
    .replaceAll(/\n(?:[ \t]*\n){3,}/g, (lines) => `\n⟨${lines.split("\n").length - 2} empty lines⟩\n`)
    .replaceAll("\t", "\\t")
}

const hidden = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu

function escapeCharacter(character: string): string {
  if (character === "\r") return "\\r"
  return `\\u{${character.codePointAt(0)!.toString(16)}}`
}
