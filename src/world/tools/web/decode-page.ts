/** The text of a page, in the encoding that its first bytes, its server or the page itself tell. */
export function decodePage(body: Buffer, contentType: string): string {
  const mark = marks.find(({ bytes }) => bytes.every((byte, index) => body[index] === byte))
  const names = mark
    ? [mark.encoding]
    : [charsetOf(contentType), isMarkup(contentType, body) ? declaredEncoding(body) : undefined]
  for (const name of names) {
    const decoder = name === undefined ? undefined : decoderOf(name)
    if (decoder) return decoder.encoding === western ? decodeWestern(body) : decoder.decode(body)
  }
  return decodeUndeclared(body)
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

/**
 * Browsers look for the encoding in as much of a page. It is written in letters that all of these encodings
 * share.
 */
const headOf = (body: Buffer): string => body.toString("latin1", 0, 4_096)

function declaredEncoding(body: Buffer): string | undefined {
  const head = headOf(body)
  const xmlEncoding = /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w:.-]{1,40})/i.exec(head)?.[1]
  if (xmlEncoding !== undefined) return xmlEncoding
  for (const [meta] of withoutComments(head).matchAll(/<meta[\s/][^>]{0,1000}>/gi)) {
    const encoding = charsetOf(meta)
    // A page in UTF-16 could not have been read up to here.
    if (encoding !== undefined) return /^utf-?16/i.test(encoding) ? "utf-8" : encoding
  }
  return undefined
}

const withoutComments = (head: string): string =>
  head
    .split("<!--")
    .map((part, index) => (index === 0 ? part : part.split("-->").slice(1).join("")))
    .join("")

/** Undefined for an unknown encoding. */
function decoderOf(name: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(name)
  } catch {
    return undefined
  }
}

/**
 * Text that is not UTF-8 is most likely in the encoding that browsers take by default. The end may be cut
 * within a character.
 */
function decodeUndeclared(body: Buffer): string {
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
