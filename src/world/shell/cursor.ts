import { type Dialect, Unreadable } from "./syntax.ts"

const deepest = 40

/** A place in a command line. */
export class Cursor {
  readonly text: string
  readonly dialect: Dialect
  place = 0
  depth = 0

  constructor(text: string, dialect: Dialect) {
    this.text = text
    this.dialect = dialect
  }

  get ended(): boolean {
    return this.place >= this.text.length
  }

  get next(): string {
    return this.text[this.place] ?? ""
  }

  /** Up to the next newline, or to the end. */
  get restOfLine(): string {
    return /^[^\n]*/.exec(this.text.slice(this.place))![0]
  }

  at(text: string): boolean {
    return this.text.startsWith(text, this.place)
  }

  take(text: string): boolean {
    if (!this.at(text)) return false
    this.place += text.length
    return true
  }

  /** One that could be the beginning of a longer one: a continued line behind it might hide the rest. */
  takeSign(sign: string): boolean {
    if (!this.take(sign)) return false
    if (this.at("\\\n")) throw new Unreadable(`a line is continued after ${sign}`)
    return true
  }

  /** Blanks and continued lines; not line ends. */
  skipBlanks(): void {
    for (;;) {
      if (this.next === " " || this.next === "\t") this.place++
      else if (this.at("\\\n")) this.place += 2
      else return
    }
  }

  /** At the beginning of a word only. */
  skipComment(): void {
    if (this.next === "#") this.place += this.restOfLine.length
  }

  bashOnly(what: string): void {
    if (this.dialect !== "bash") throw new Unreadable(`${what} means something else outside bash`)
  }

  nested<Value>(read: () => Value): Value {
    if (this.depth >= deepest) throw new Unreadable("it is nested too deeply")
    this.depth++
    const value = read()
    this.depth--
    return value
  }
}
