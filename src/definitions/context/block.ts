const tags = ["skill", "rules", "file", "server", "environment"] as const

/** A text with its beginning and end marked. What stands in it is data: it cannot end its block, or any other. */
export function block(
  tag: (typeof tags)[number],
  attributes: Readonly<Record<string, string>>,
  text: string,
): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${inQuotes(value)}"`)
  return `<${tag}${written.join("")}>\n${text.replace(endings, "&lt;")}\n</${tag}>`
}

/** The first character of anything that a model could take for the end of a block. */
const endings = new RegExp(`<(?=[\\s\\p{Default_Ignorable_Code_Point}]*/\\s*(?:${tags.join("|")})\\b)`, "giu")

const inQuotes = (value: string): string =>
  value.replace(/[&"<>\p{Cc}]/gu, (character) => `&#${character.codePointAt(0)};`)
