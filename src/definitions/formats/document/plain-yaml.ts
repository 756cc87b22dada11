import type { Json } from "../../../ground/message.ts"

/** Larger YAML is left to the library. These limits also keep values far inside the limits of `readYaml`. */
const maxLength = 64 * 1024
const maxDepth = 10

/**
 * Reads the plain subset of YAML that most front matter uses, several times as fast as the library does. Returns
 * `undefined` for all other YAML, and in doubt. A returned value is exactly the one that the library would return.
 */
export function readPlainYaml(yaml: string, within?: Surrounding): Json | undefined {
  if (yaml.length > maxLength || hasUnusual(yaml)) return undefined
  const reader = within && yaml.endsWith("\n") ? readerWithin(yaml, within) : readerOf(yaml)
  goToLine(reader, reader.position)
  return reader.indent === 0 ? readMapping(reader, maxDepth) : undefined
}

/** The text that the YAML was cut from, and the offset where the YAML begins. */
interface Surrounding {
  readonly text: string
  readonly start: number
}

/** Reads inside the whole text: a slice of a text is slower to read, and a copy would stay in memory. */
const readerWithin = (yaml: string, { text, start }: Surrounding): Reader => ({
  text,
  end: start + yaml.length,
  position: start,
  indent: 0,
})

/** The added line break makes every line end alike. `join` makes a flat copy, which is faster to read than with `+`. */
function readerOf(yaml: string): Reader {
  const text = [yaml, "\n"].join("")
  return { text, end: text.length, position: 0, indent: 0 }
}

interface Reader {
  readonly text: string
  /** The offset after the last line break. */
  readonly end: number
  /** Between entries: the first character of a line that is neither blank nor a comment. */
  position: number
  /** The number of spaces before `position`; -1 at the end. */
  indent: number
}

/** Most text is plain ASCII, and the pattern for that is several times as fast. */
const hasUnusual = (text: string): boolean =>
  notPlain.test(text) && (unusual.test(text) || !text.isWellFormed())

const notPlain = /[^\n -~]/

/** Tabs, carriage returns, other control characters, byte order marks, unusual line breaks. */
const unusual = /[^\n -~\u00a0-\u2027\u202a-\ufefe\uff00-\ufffd]/

const newline = 0x0a
const space = 0x20
const doubleQuote = 0x22
const hash = 0x23
const singleQuote = 0x27
const comma = 0x2c
const dash = 0x2d
const dot = 0x2e
const slash = 0x2f
const colon = 0x3a
const folded = 0x3e
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const literal = 0x7c
const closeBrace = 0x7d

const tableOf = (characters: string): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => Number(characters.includes(String.fromCharCode(code))))

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
const startsKey = tableOf(letters)
const continuesKey = tableOf(`${letters}0123456789.-`)
/** Characters that cannot begin plain text, or that are left to the library there. */
const indicators = tableOf("-?:,[]{}#&*!|>'\"%@`~+")

/** Keys of earlier files. The same few keys appear in every file, and a reused string is not hashed again. */
const knownKeys = new Array<string>(256).fill("")

function readMapping(reader: Reader, depth: number): Json | undefined {
  if (depth === 0) return undefined
  const { text, indent } = reader
  const result: Record<string, Json> = {}
  do {
    const start = reader.position
    let end = start
    let code = text.charCodeAt(end)
    if (startsKey[code] !== 1) return undefined
    let slot = 0
    for (; continuesKey[code] === 1; code = text.charCodeAt(++end)) slot = (slot * 31 + code) & 0xff
    if (code !== colon) return undefined
    const written = text.slice(start, end)
    const cached = knownKeys[slot]
    const key = cached === written ? cached : written
    // A duplicate, or a name that every object has, such as `__proto__`.
    if (result[key] !== undefined || isWord(key)) return undefined
    const value = readValue(reader, end + 1, indent, depth)
    if (value === undefined) return undefined
    result[key] = value
    knownKeys[slot] = key
  } while (reader.indent === indent)
  return reader.indent < indent ? result : undefined
}

function readValue(reader: Reader, start: number, indent: number, depth: number): Json | undefined {
  const { text } = reader
  const position = skipSpaces(text, start)
  const code = text.charCodeAt(position)
  if (code === newline) return readNested(reader, position + 1, indent, depth)
  if (position === start) return undefined
  if (code === literal || code === folded) return readBlockScalar(reader, position, indent)
  if (code !== openBracket) return readScalar(reader, position)
  const items = readFlowSequence(reader, position)
  return items && endLine(reader) ? items : undefined
}

/** Reads the lines below a key that has no value on its own line. */
function readNested(reader: Reader, lineStart: number, indent: number, depth: number): Json | undefined {
  goToLine(reader, lineStart)
  if (reader.indent < indent) return null
  if (startsItem(reader)) return readSequence(reader)
  return reader.indent === indent ? null : readMapping(reader, depth - 1)
}

function readSequence(reader: Reader): Json | undefined {
  const { text, indent } = reader
  const items: Json[] = []
  do {
    const item = readScalar(reader, skipSpaces(text, reader.position + 1))
    if (item === undefined) return undefined
    items.push(item)
  } while (reader.indent === indent && startsItem(reader))
  return reader.indent > indent ? undefined : items
}

const startsItem = ({ text, position }: Reader): boolean =>
  text.charCodeAt(position) === dash && text.charCodeAt(position + 1) === space

/** Reads a scalar that fills the rest of its line. */
function readScalar(reader: Reader, start: number): Json | undefined {
  const { text } = reader
  let code = text.charCodeAt(start)
  if (code === doubleQuote || code === singleQuote) {
    const value = readQuoted(reader, start, code)
    return value !== undefined && endLine(reader) ? value : undefined
  }
  if (code === newline || indicators[code] === 1) return undefined
  let position = start
  let end = start
  while (code !== newline) {
    const next = text.charCodeAt(position + 1)
    if (code === colon) {
      if (next === space || next === newline) return undefined
    } else if (code === space && next === hash) return undefined
    position++
    if (code !== space) end = position
    code = next
  }
  goToLine(reader, position + 1)
  return plainValue(text.slice(start, end))
}

/** Reads a sequence in brackets on one line. */
function readFlowSequence(reader: Reader, start: number): Json[] | undefined {
  const { text } = reader
  const items: Json[] = []
  let position = skipSpaces(text, start + 1)
  if (text.charCodeAt(position) === closeBracket) {
    reader.position = position + 1
    return items
  }
  for (;;) {
    const item = readFlowItem(reader, position)
    if (item === undefined) return undefined
    items.push(item)
    position = skipSpaces(text, reader.position)
    reader.position = position + 1
    const code = text.charCodeAt(position)
    if (code === closeBracket) return items
    if (code !== comma) return undefined
    position = skipSpaces(text, position + 1)
  }
}

function readFlowItem(reader: Reader, start: number): Json | undefined {
  const { text } = reader
  let code = text.charCodeAt(start)
  if (code === doubleQuote || code === singleQuote) return readQuoted(reader, start, code)
  if (indicators[code] === 1) return undefined
  let position = start
  let end = start
  while (code !== comma && code !== closeBracket) {
    if (code === newline || code === hash || isFlowIndicator(code)) return undefined
    const next = text.charCodeAt(position + 1)
    if (code === colon && (next === space || isFlowIndicator(next))) return undefined
    position++
    if (code !== space) end = position
    code = next
  }
  reader.position = position
  return plainValue(text.slice(start, end))
}

const isFlowIndicator = (code: number): boolean =>
  code === comma || code === openBracket || code === closeBracket || code === openBrace || code === closeBrace

/** Reads a quoted scalar on one line, and moves the reader behind its closing quote. */
function readQuoted(reader: Reader, start: number, quote: number): string | undefined {
  const { text } = reader
  let escaped = false
  let position = start + 1
  for (; ; position++) {
    const code = text.charCodeAt(position)
    if (code === newline) return undefined
    if (code === quote) {
      if (quote === doubleQuote || text.charCodeAt(position + 1) !== singleQuote) break
    } else if (code !== backslash || quote === singleQuote) continue
    escaped = true
    if (text.charCodeAt(++position) === newline) return undefined
  }
  reader.position = position + 1
  if (!escaped) return text.slice(start + 1, position)
  if (quote === singleQuote) return text.slice(start + 1, position).replaceAll("''", "'")
  try {
    // The escapes of JSON mean the same in YAML, which has some more.
    return JSON.parse(text.slice(start, position + 1)) as string
  } catch {
    return undefined
  }
}

/** Reads a block after `|` or `>`, with or without `-`. */
function readBlockScalar(reader: Reader, start: number, indent: number): string | undefined {
  const { text } = reader
  const folding = text.charCodeAt(start) === folded
  const stripped = text.charCodeAt(start + 1) === dash
  let lineStart = start + (stripped ? 3 : 2)
  if (text.charCodeAt(lineStart - 1) !== newline) return undefined
  let position = skipSpaces(text, lineStart)
  const width = position - lineStart
  if (width <= indent || text.charCodeAt(position) === newline) return undefined
  let value = ""
  for (;;) {
    const end = text.indexOf("\n", position)
    value += text.slice(position, end)
    let breaks = 0
    for (lineStart = end + 1; ; lineStart = position + 1) {
      position = lineStart
      while (position < lineStart + width && text.charCodeAt(position) === space) position++
      breaks++
      if (text.charCodeAt(position) !== newline) break
    }
    if (position < lineStart + width) break
    if (!folding) value += "\n".repeat(breaks)
    else if (text.charCodeAt(position) === space) return undefined
    else value += breaks === 1 ? " " : "\n".repeat(breaks - 1)
  }
  goToLine(reader, lineStart)
  return stripped ? value : `${value}\n`
}

/** The value of a plain scalar. Its first character is not one of the indicators. */
function plainValue(text: string): Json | undefined {
  const code = text.charCodeAt(0)
  if (code >= 0x30 && code <= 0x39) {
    if (plainNumber.test(text)) return Number(text)
    return beyondNumbers.test(text) ? text : undefined
  }
  if (code === dot) return text.charCodeAt(1) === slash ? text : undefined
  if (!isWord(text)) return text
  if (text === "true") return true
  if (text === "false") return false
  return text === "null" ? null : undefined
}

const plainNumber = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/
/** Text with a character that no number has, or with a second dot. The library reads dates, hexadecimals and the like. */
const beyondNumbers = /[^\dA-Fa-fOoXx_.+-]|\..*\./

/** Whether a text is `true`, `false` or `null` in any case: the library reads some of these spellings as values. */
function isWord(text: string): boolean {
  if (text.length !== 4 && text.length !== 5) return false
  const second = text.charCodeAt(1) | 0x20
  return (second === 0x72 || second === 0x61 || second === 0x75) && word.test(text)
}

const word = /^(?:true|false|null)$/i

function skipSpaces(text: string, start: number): number {
  let position = start
  while (text.charCodeAt(position) === space) position++
  return position
}

/** Whether nothing but spaces follows; if so, goes on to the next line. */
function endLine(reader: Reader): boolean {
  const position = skipSpaces(reader.text, reader.position)
  if (reader.text.charCodeAt(position) !== newline) return false
  goToLine(reader, position + 1)
  return true
}

/** Goes to the first line from here on that is neither blank nor a comment. */
function goToLine(reader: Reader, lineStart: number): void {
  const { text, end } = reader
  let start = lineStart
  while (start < end) {
    const position = skipSpaces(text, start)
    const code = text.charCodeAt(position)
    if (code === newline) start = position + 1
    else if (code === hash) start = text.indexOf("\n", position) + 1
    else {
      reader.position = position
      reader.indent = position - start
      return
    }
  }
  reader.indent = -1
}
