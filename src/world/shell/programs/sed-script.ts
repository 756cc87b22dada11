/**
 * The files that a sed script reads and writes. Undefined: its commands run something, or are not understood.
 */
export function readSedScript(script: string): SedFiles | undefined {
  const reader = new Reader(script)
  return reader.read() ? { reads: reader.reads, writes: reader.writes } : undefined
}

export interface SedFiles {
  readonly reads: readonly string[]
  readonly writes: readonly string[]
}

class Reader {
  readonly reads: string[] = []
  readonly writes: string[] = []
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): boolean {
    for (;;) {
      this.#skip(/[\s;]*/y)
      if (this.#at >= this.#text.length) return this.#depth === 0
      if (!this.#command()) return false
    }
  }

  #command(): boolean {
    if (!this.#addresses()) return false
    this.#skip(/[ \t]*(?:![ \t!]*)?/y)
    const letter = this.#text[this.#at++]
    switch (letter) {
      case "{":
        this.#depth++
        return true
      case "}":
        return --this.#depth >= 0 && this.#ends()
      case "#":
        this.#skip(/[^\n]*/y)
        return true
      case ":":
      case "b":
      case "t":
      case "T":
        return this.#skip(/[ \t]*[A-Za-z0-9_.-]*/y) && this.#ends()
      case "a":
      case "i":
      case "c":
        // The text ends with the line; a backslash adds the next line.
        return this.#skip(/(?:[^\\\n]|\\[\s\S])*/y)
      case "r":
      case "R":
        return this.#file(this.reads)
      case "w":
      case "W":
        return this.#file(this.writes)
      case "q":
      case "Q":
      case "l":
      case "L":
        return this.#skip(/[ \t]*\d*/y) && this.#ends()
      case "s":
        return this.#between() && this.#between(this.#delimiter) && this.#flags()
      case "y":
        return this.#between() && this.#between(this.#delimiter) && this.#ends()
      default:
        return letter !== undefined && "=dDFgGhHnNpPxz".includes(letter) && this.#ends()
    }
  }

  #delimiter = ""

  #addresses(): boolean {
    if (!this.#address()) return true
    this.#skip(/[ \t]*/y)
    if (this.#text[this.#at] !== ",") return !this.#broken
    this.#at++
    this.#skip(/[ \t]*/y)
    return this.#skip(/[+~]\d+/y) || (this.#address() && !this.#broken)
  }

  #broken = false

  #address(): boolean {
    if (this.#skip(/\d+(?:~\d+)?|\$/y)) return true
    const start = this.#text[this.#at]
    if (start !== "/" && start !== "\\") return false
    if (start === "\\") this.#at++
    if (!this.#between()) this.#broken = true
    this.#skip(/[IM]*/y)
    return true
  }

  /**
   * Reads from one delimiter to the next. Inside brackets a delimiter can be read in two ways, so it is
   * refused there.
   */
  #between(after?: string): boolean {
    const delimiter = after ?? this.#text[this.#at++]
    if (delimiter === undefined || /[\s\\a-zA-Z0-9]/.test(delimiter)) return false
    this.#delimiter = delimiter
    let bracket = false
    for (; this.#at < this.#text.length; this.#at++) {
      const letter = this.#text[this.#at]!
      if (letter === "\\") this.#at++
      else if (letter === delimiter) {
        this.#at++
        return after !== undefined || !bracket
      } else if (letter === "\n" && after === undefined) return false
      else if (letter === "[") bracket = true
      else if (letter === "]") bracket = false
    }
    return false
  }

  #flags(): boolean {
    this.#skip(/[gpiIM0-9m]*/y)
    if (this.#text[this.#at] !== "w") return this.#ends()
    this.#at++
    return this.#file(this.writes)
  }

  #file(files: string[]): boolean {
    const name = /[ \t]*([^\n]*)/y
    name.lastIndex = this.#at
    const file = name.exec(this.#text)![1]!
    this.#at = name.lastIndex
    if (file === "") return false
    files.push(file)
    return true
  }

  #ends(): boolean {
    const end = /[ \t]*(?:$|[;\n]|(?=[}#]))/y
    return this.#skip(end)
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    const isMatch = pattern.test(this.#text)
    if (isMatch) this.#at = pattern.lastIndex
    return isMatch
  }
}
