/** One word of a Python text. Tokens inside of an f-string are tokens of their own, between its pieces. */
export interface PythonToken {
  readonly type: "name" | "number" | "text" | "sign"
  readonly text: string
  readonly start: number
  readonly end: number
  /** For `text`: the value, where the literal has no expressions in it. */
  readonly value?: string
}

/** One statement line: brackets and backslashes may make it longer than a line of the file. */
export interface LogicalLine {
  readonly tokens: readonly PythonToken[]
  /** The columns before its first token. A tab counts up to the next multiple of eight. */
  readonly indent: number
}

/** The place at which the text stops being Python. */
export interface SyntaxProblem {
  readonly message: string
  readonly offset: number
}

export interface Tokenized {
  readonly lines: readonly LogicalLine[]
  /** The first fault; the lines before it are whole. */
  readonly problem?: SyntaxProblem
}

/** Takes a Python text apart. Never throws. */
export function lexPython(text: string): Tokenized {
  const scanner = new Scanner(text)
  try {
    scanner.scan()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { lines: scanner.lines, problem: { message: error.message, offset: error.offset } }
  }
  return { lines: scanner.lines }
}

/** Leaves the scanner from any depth; `lexPython` turns it into a problem. */
class Fault extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Deeper f-strings than these are refused, so that a hostile text cannot exhaust the stack. */
const deepest = 20

const signs =
  /\*\*=|\/\/=|>>=|<<=|\.\.\.|\*\*|\/\/|>>|<<|<=|>=|==|!=|->|:=|[-+*/%@&|^]=|[-+*/%@&|^~<>()[\]{},:.;=!?$`]/y
const names = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy
const numbers =
  /0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?[\d_]+)?[jJ]?/y
const quotes = /([bBrRuUfFtT]{0,2})("""|'''|"|')/y

class Scanner {
  readonly lines: LogicalLine[] = []
  readonly #text: string
  #at = 0
  #tokens: PythonToken[] = []
  #brackets: { readonly sign: string; readonly offset: number }[] = []

  constructor(text: string) {
    this.#text = text
  }

  scan(): void {
    if (this.#text.startsWith("\uFEFF")) this.#at = 1
    while (this.#at < this.#text.length) this.#scanLine()
    const open = this.#brackets.at(-1)
    if (open) throw new Fault(`"${open.sign}" is never closed`, open.offset)
  }

  /** One logical line, or a line with nothing but white space and a comment. */
  #scanLine(): void {
    const indent = this.#indent()
    while (!this.#endsLine() && this.#at < this.#text.length) this.#scanToken(0)
    if (this.#tokens.length === 0) return
    const open = this.#brackets.at(-1)
    if (open) throw new Fault(`"${open.sign}" is never closed`, open.offset)
    this.lines.push({ tokens: this.#tokens, indent })
    this.#tokens = []
  }

  #indent(): number {
    let width = 0
    for (; ; this.#at++) {
      const character = this.#text[this.#at]
      if (character === " ") width++
      else if (character === "\t") width = width - (width % 8) + 8
      else if (character !== "\f") return width
    }
  }

  /** Passes a line end, if it ends the logical line. */
  #endsLine(): boolean {
    const character = this.#text[this.#at]
    if (character !== "\n" && character !== "\r") return false
    this.#at += this.#text.startsWith("\r\n", this.#at) ? 2 : 1
    return this.#brackets.length === 0
  }

  #scanToken(depth: number): void {
    const text = this.#text
    const character = text[this.#at]!
    if (character === " " || character === "\t" || character === "\f") this.#at++
    else if (character === "#") this.#at = endOfLine(text, this.#at)
    else if (character === "\\") this.#continueLine()
    else if (!this.#scanText(depth)) this.#scanWord()
  }

  #continueLine(): void {
    const [end] = /^\\(?:\r\n|\r|\n)/.exec(this.#text.slice(this.#at, this.#at + 3)) ?? []
    if (end === undefined) throw new Fault("a backslash may only stand at the end of a line", this.#at)
    this.#at += end.length
  }

  #scanWord(): void {
    const number = this.#match(numbers)
    if (number !== undefined) return this.#push("number", number)
    const name = this.#match(names)
    if (name !== undefined) return this.#push("name", name)
    const sign = this.#match(signs)
    if (sign === undefined)
      throw new Fault(`${JSON.stringify(this.#text[this.#at])} is not part of Python`, this.#at)
    this.#bracket(sign)
    this.#push("sign", sign)
  }

  #bracket(sign: string): void {
    if ("([{".includes(sign)) {
      this.#brackets.push({ sign, offset: this.#at })
      if (this.#brackets.length > 200) throw new Fault("too many brackets are open", this.#at)
    }
    const closes = ")]}".indexOf(sign)
    if (closes < 0) return
    if (this.#brackets.pop()?.sign !== "([{"[closes]) throw new Fault(`"${sign}" closes nothing`, this.#at)
  }

  #push(type: PythonToken["type"], text: string, value?: string): void {
    const start = this.#at
    this.#at += text.length
    this.#tokens.push({ type, text, start, end: this.#at, ...(value !== undefined && { value }) })
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.[0]
  }

  /** True if a text literal begins here; then it is passed. */
  #scanText(depth: number): boolean {
    quotes.lastIndex = this.#at
    const match = quotes.exec(this.#text)
    if (!match) return false
    const prefix = match[1]!.toLowerCase()
    const quote = match[2]!
    const start = this.#at
    const from = start + match[0].length
    if (/[ft]/.test(prefix)) this.#scanFormatted(start, from, quote, prefix.includes("r"), depth)
    else {
      const end = this.#endOfText(start, from, quote)
      const body = this.#text.slice(from, end - quote.length)
      this.#push(
        "text",
        this.#text.slice(start, end),
        prefix.includes("b") ? undefined : withoutEscapes(body, prefix),
      )
    }
    return true
  }

  #endOfText(start: number, from: number, quote: string): number {
    const text = this.#text
    for (let at = from; at < text.length; at++) {
      if (text.startsWith(quote, at)) return at + quote.length
      if (text[at] === "\\") at++
      else if (quote.length === 1 && (text[at] === "\n" || text[at] === "\r")) break
    }
    throw new Fault("a text literal is never closed", start)
  }

  /** The expressions of an f-string become tokens, so that the names in them count as used. */
  #scanFormatted(start: number, from: number, quote: string, isRaw: boolean, depth: number): void {
    if (depth > deepest) throw new Fault("f-strings are nested too deeply", start)
    this.#at = start
    this.#push("text", this.#text.slice(start, from))
    while (!this.#text.startsWith(quote, this.#at)) {
      const character = this.#text[this.#at]
      if (character === undefined || (quote.length === 1 && (character === "\n" || character === "\r")))
        throw new Fault("a text literal is never closed", start)
      if (character === "\\" && !isRaw) this.#at += 2
      else if (character === "\\") this.#at += this.#text.startsWith(quote, this.#at + 1) ? 2 : 1
      else if (character === "{" && this.#text[this.#at + 1] !== "{")
        this.#scanReplacement(start, quote, depth)
      else this.#at += character === "{" || (character === "}" && this.#text[this.#at + 1] === "}") ? 2 : 1
    }
    this.#at += quote.length
  }

  /** `{expression!r:format}`; the format may have replacements of its own. */
  #scanReplacement(start: number, quote: string, depth: number): void {
    const outside = this.#brackets.length
    this.#bracket("{")
    this.#push("sign", "{")
    while (this.#brackets.length > outside) {
      const character = this.#text[this.#at]
      if (character === undefined) throw new Fault("a text literal is never closed", start)
      const isTop = this.#brackets.length === outside + 1
      if (character === "\n" || character === "\r") this.#at++
      else if (isTop && character === "!" && this.#text[this.#at + 1] !== "=") this.#at += 2
      else if (isTop && character === ":") this.#scanFormat(start, quote, depth)
      else this.#scanToken(depth + 1)
    }
  }

  #scanFormat(start: number, quote: string, depth: number): void {
    if (depth > deepest) throw new Fault("f-strings are nested too deeply", start)
    for (this.#at++; this.#text[this.#at] !== "}"; ) {
      const character = this.#text[this.#at]
      if (character === undefined || this.#text.startsWith(quote, this.#at))
        throw new Fault("a text literal is never closed", start)
      if (character === "{") this.#scanReplacement(start, quote, depth + 1)
      else this.#at++
    }
    this.#bracket("}")
    this.#push("sign", "}")
  }
}

function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === "\n" || text[at] === "\r") return at
  return text.length
}

const escapes: Readonly<Record<string, string>> = {
  "\n": "",
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
}

function withoutEscapes(body: string, prefix: string): string {
  if (prefix.includes("r") || !body.includes("\\")) return body
  const pattern = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|(\r\n|[\s\S]))/g
  return body.replace(
    pattern,
    (whole, x?: string, u?: string, long?: string, octal?: string, one?: string) => {
      const hex = x ?? u ?? long
      if (hex !== undefined) return characterOf(Number.parseInt(hex, 16)) ?? whole
      if (octal !== undefined) return characterOf(Number.parseInt(octal, 8)) ?? whole
      return escapes[one === "\r\n" || one === "\r" ? "\n" : one!] ?? whole
    },
  )
}

const characterOf = (code: number): string | undefined =>
  code <= 0x10ffff ? String.fromCodePoint(code) : undefined
