/** On one line: what a terminal would obey, hide or turn around is written out, so that it is only ever seen. */
export function escapeText(text: string): string {
  // Most text is plain ASCII, which needs no look at what Unicode says of its characters.
  if (!/[^ -~]/.test(text)) return text
  return text.replaceAll(unsafe(), (found, joiner?: string) => joiner ?? escaped(found))
}

/** The same for a text of several lines: line ends stay. */
export function escapeLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => escapeText(line))
    .join("\n")
}

/** The same for JSON, with escapes that JSON knows: what is parsed from it does not change. */
export function escapeJson(json: string): string {
  if (!/[^\n -~]/.test(json)) return json
  return json.replaceAll(unsafe(), (found, joiner?: string) =>
    found === "\n" ? found : (joiner ?? utf16Escapes(found)),
  )
}

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/** What holds the letters of some scripts and the parts of an emoji together; alone it only hides. */
const joining =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])(?<!\p{ASCII})(?:\u200c|\u200d|(?<![\ufe0e\ufe0f])[\ufe0e\ufe0f])/u

let pattern: RegExp | undefined

/** Made at its first use: Unicode's properties take long to look up. */
function unsafe(): RegExp {
  pattern ??= new RegExp(`(${joining.source})|${hidden.source}`, "gu")
  return pattern
}

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

function escaped(character: string): string {
  return short[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`
}

function utf16Escapes(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")
}
