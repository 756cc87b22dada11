import { type ShellDialect, Unreadable } from "./syntax.ts"

const deepest = 40

/** The position in a command line. */
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

  /** Takes a sign that could begin a longer one: a continued line behind the sign might hide the rest. */
  takeSign(sign: string): boolean {
    if (!this.take(sign)) return false
    if (this.isAt("\\\n")) throw new Unreadable(`a line is continued after ${sign}`)
    return true
  }

  /** Skips blanks and continued lines, but not line ends. */
  skipBlanks(): void {
    for (;;) {
      if (this.next === " " || this.next === "\t") this.place++
      else if (this.isAt("\\\n")) this.place += 2
      else return
    }
  }

  /** Only for the beginning of a word. */
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
