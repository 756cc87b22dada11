import { type ShellDialect, Unreadable } from "./syntax.ts"

const deepest = 40

/** Reads a command line character by character. Throws `Unreadable` if the meaning is not certain. */
export class CommandCursor {
  readonly text: string
  readonly dialect: ShellDialect
  place = 0
  depth = 0

  constructor(text: string, dialect: ShellDialect) {
    this.text = text
    this.dialect = dialect
  }

  get ended(): boolean {
    return this.place >= this.text.length
  }

  /** The character at the current place. Does not move. */
  get next(): string {
    return this.text[this.place] ?? ""
  }

  /** The text up to the next newline, or to the end. */
  get restOfLine(): string {
    return /^[^\n]*/.exec(this.text.slice(this.place))![0]
  }

  isAt(text: string): boolean {
    return this.text.startsWith(text, this.place)
  }

  take(text: string): boolean {
    if (!this.isAt(text)) return false
    this.place += text.length
    return true
  }

  /** Takes an operator such as `&`. Throws if a continued line follows: the next line could make it `&&`. */
  takeSign(sign: string): boolean {
    if (!this.take(sign)) return false
    if (this.isAt("\\\n")) throw new Unreadable(`a line is continued after ${sign}`)
    return true
  }

  /** Skips blanks, and a backslash with its newline. Stops at any other newline. */
  skipBlanks(): void {
    for (;;) {
      if (this.next === " " || this.next === "\t") this.place++
      else if (this.isAt("\\\n")) this.place += 2
      else return
    }
  }

  /** Call it only at the beginning of a word: inside a word, `#` begins no comment. */
  skipComment(): void {
    if (this.next === "#") this.place += this.restOfLine.length
  }

  requireBash(what: string): void {
    if (this.dialect !== "bash") throw new Unreadable(`${what} means something else outside bash`)
  }

  readNested<Value>(read: () => Value): Value {
    if (this.depth >= deepest) throw new Unreadable("the command is nested too deeply")
    this.depth++
    const value = read()
    this.depth--
    return value
  }
}
