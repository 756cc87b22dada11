const tags = ["skill", "rules", "file", "server", "environment"] as const

/** Marks the beginning and end of a text. The text is data: it cannot end its block, or any other. */
export function formatBlock(
  tag: (typeof tags)[number],
  attributes: Readonly<Record<string, string>>,
  text: string,
): string {
  const attributesText = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${escapeAttribute(value)}"`,
  )
  return `<${tag}${attributesText.join("")}>\n${text.replace(endings, "&lt;")}\n</${tag}>`
}

/** The first character of any text that a model could read as the end of a block. */
const endings = new RegExp(`<(?=[\\s\\p{Default_Ignorable_Code_Point}]*/\\s*(?:${tags.join("|")})\\b)`, "giu")

const escapeAttribute = (value: string): string =>
  value.replace(/[&"<>\p{Cc}]/gu, (character) => `&#${character.codePointAt(0)};`)
