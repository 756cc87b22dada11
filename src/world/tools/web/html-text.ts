import { decodeEntities } from "./html-entities.ts"

/**
 * The text of a page in a form that a model reads well: headings, lists, links. One pass is enough for any
 * page.
 */
export function convertHtmlToText(html: string): string {
  const writer = new Writer()
  let at = 0
  while (at < html.length) {
    const open = html.indexOf("<", at)
    if (open === -1) {
      writer.text(html.slice(at))
      break
    }
    if (open > at) writer.text(html.slice(at, open))
    at = afterTag(html, open, writer)
  }
  return writer.end()
}

/** Reads the tag or comment that begins with "<" and returns where it ends. */
function afterTag(html: string, open: number, writer: Writer): number {
  if (html.startsWith("<!--", open)) return endOf(html, "-->", open + 4)
  if (!/[a-zA-Z/!?]/.test(html[open + 1] ?? "")) {
    writer.text("<")
    return open + 1
  }
  const close = tagEnd(html, open)
  const tag = html.slice(open + 1, close)
  const name = /^\/?[a-zA-Z][a-zA-Z0-9]*/.exec(tag.slice(0, 40))?.[0].toLowerCase() ?? ""
  if (skippedTags.has(name) && !tag.endsWith("/")) {
    const end = indexOfClosing(html, name, close)
    return end === -1 ? html.length : tagEnd(html, end) + 1
  }
  writer.tag(name, tag)
  return close + 1
}

const endOf = (html: string, mark: string, from: number): number => {
  const end = html.indexOf(mark, from)
  return end === -1 ? html.length : end + mark.length
}

/** The ">" that ends a tag; one in quotes does not. */
function tagEnd(html: string, open: number): number {
  let quote = ""
  // An attribute that never ends must not swallow the page.
  const last = Math.min(html.length, open + 10_000)
  for (let at = open + 1; at < last; at++) {
    const character = html[at]!
    if (quote !== "") {
      if (character === quote) quote = ""
    } else if (character === ">") return at
    else if ((character === '"' || character === "'") && html[at - 1] === "=") quote = character
  }
  return Math.min(endOf(html, ">", open), html.length + 1) - 1
}

function indexOfClosing(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}(?=[\\s>/])`, "gi")
  closing.lastIndex = from
  return closing.exec(html)?.index ?? -1
}

const skippedTags: ReadonlySet<string> = new Set(
  "script style noscript template svg math iframe object canvas audio video select".split(" "),
)

const blocks: ReadonlySet<string> = new Set(
  "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr html main nav ol p pre section summary table tbody thead title tr ul".split(
    " ",
  ),
)

class Writer {
  readonly #parts: string[] = []
  readonly #links: string[] = []
  #preformatted = 0

  text(raw: string): void {
    const text = decodeEntities(raw)
    this.#parts.push(this.#preformatted > 0 ? text.replaceAll("\n", newLine) : text.replace(/\s+/g, " "))
  }

  tag(name: string, tag: string): void {
    const plain = name.replace("/", "")
    if (plain === "pre") this.#preformatted = Math.max(0, this.#preformatted + (name === "pre" ? 1 : -1))
    if (name === "br") this.#parts.push(newLine)
    else if (name === "li") this.#parts.push(`${newLine}- `)
    else if (plain === "td" || plain === "th") this.#parts.push(name === plain ? "" : " | ")
    else if (/^h[1-6]$/.test(name)) this.#parts.push(`${newLine}${newLine}${"#".repeat(Number(name[1]))} `)
    else if (/^h[1-6]$/.test(plain) || blocks.has(plain))
      this.#parts.push(plain === "p" || plain === "title" || plain[0] === "h" ? newLine + newLine : newLine)
    else if (name === "a") this.#openLink(tag)
    else if (name === "/a") this.#closeLink()
  }

  end(): string {
    return this.#parts
      .join("")
      .split(newLine)
      .map((line) => line.trimEnd().replace(/^ (?=\S)/, ""))
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
  }

  #openLink(tag: string): void {
    const address = /\shref\s*=\s*(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,2000}))/i.exec(tag)
    const target = decodeEntities(address?.[1] ?? address?.[2] ?? address?.[3] ?? "").trim()
    this.#links.push(/^(?:https?:|\/|\.)|^[\w-]+[/.]/i.test(target) ? target : "")
    if (this.#links.at(-1) !== "") this.#parts.push("[")
  }

  #closeLink(): void {
    const target = this.#links.pop()
    if (target) this.#parts.push(`](${target})`)
  }
}

/** Differs from the line breaks of the source, which mean nothing. */
const newLine = "\u0001"
