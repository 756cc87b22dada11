/** The text of a page, in the encoding that it has: by its first bytes, by its server, by what it says itself. */
export function decodePage(body: Buffer, contentType: string): string {
  const marked = marks.find(({ bytes }) => bytes.every((byte, index) => body[index] === byte))
  const names = marked
    ? [marked.encoding]
    : [charsetOf(contentType), isMarkup(contentType, body) ? saidIn(body) : undefined]
  for (const name of names) {
    const decoder = name === undefined ? undefined : decoderOf(name)
    if (decoder) return decoder.encoding === western ? decodeWestern(body) : decoder.decode(body)
  }
  return decodeUnsaid(body)
}

const marks = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
]

const charsetOf = (text: string): string | undefined =>
  /charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(text)?.[1]

const isMarkup = (contentType: string, body: Buffer): boolean =>
  /html|xml/i.test(contentType) ||
  (contentType.trim() === "" && /^\s*<(?:!doctype|html|\?xml)/i.test(headOf(body).slice(0, 200)))

/** Browsers look for it in as much; what is said there is said in letters that all of these encodings share. */
const headOf = (body: Buffer): string => body.toString("latin1", 0, 4_096)

function saidIn(body: Buffer): string | undefined {
  const head = headOf(body)
  const declared = /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w:.-]{1,40})/i.exec(head)?.[1]
  if (declared !== undefined) return declared
  for (const [meta] of withoutComments(head).matchAll(/<meta[\s/][^>]{0,1000}>/gi)) {
    const said = charsetOf(meta)
    // It could not be read so far if it were in that.
    if (said !== undefined) return /^utf-?16/i.test(said) ? "utf-8" : said
  }
  return undefined
}

const withoutComments = (head: string): string =>
  head
    .split("<!--")
    .map((part, index) => (index === 0 ? part : part.split("-->").slice(1).join("")))
    .join("")

/** Undefined where nobody knows such an encoding. */
function decoderOf(name: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(name)
  } catch {
    return undefined
  }
}

/** What is no UTF-8 is most likely in the encoding that browsers take then. The end may be cut within a character. */
function decodeUnsaid(body: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body, { stream: true })
  } catch {
    return decodeWestern(body)
  }
}

const western = "windows-1252"

/** Node 20 takes windows-1252 for ISO 8859-1, which has no signs in these places. */
const decodeWestern = (body: Buffer): string =>
  body
    .toString("latin1")
    .replaceAll(/[\u0080-\u009f]/g, (character) => signs[character.charCodeAt(0) - 0x80]!)

const signs = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"
