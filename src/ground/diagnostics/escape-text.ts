/** Puts a text on one line. Characters that a terminal would obey, hide or reorder are escaped. */
export function escapeText(text: string): string {
  // Most text is plain ASCII, which needs no Unicode properties.
  if (!/[^ -~]/.test(text)) return text
  return text.replaceAll(unsafe(), (match, joiner?: string) => joiner ?? escapeCharacter(match))
}

/** The same for a text of several lines: line ends stay. */
export function escapeLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => escapeText(line))
    .join("\n")
}

/** The same for JSON, with JSON's own escapes: the parsed value stays the same. */
export function escapeJson(json: string): string {
  if (!/[^\n -~]/.test(json)) return json
  return json.replaceAll(unsafe(), (match, joiner?: string) =>
    match === "\n" ? match : (joiner ?? utf16Escapes(match)),
  )
}

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/** Characters that join letters of some scripts and parts of emoji; alone they only hide something. */
const joining =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])(?<!\p{ASCII})(?:\u200c|\u200d|(?<![\ufe0e\ufe0f])[\ufe0e\ufe0f])/u

let pattern: RegExp | undefined

/** Made at its first use, because Unicode properties take long to look up. */
function unsafe(): RegExp {
  pattern ??= new RegExp(`(${joining.source})|${hidden.source}`, "gu")
  return pattern
}

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

function escapeCharacter(character: string): string {
  return short[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`
}

function utf16Escapes(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")
}
