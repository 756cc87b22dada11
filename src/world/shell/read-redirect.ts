import type { Cursor } from "./cursor.ts"
import { type ReadList, readWord } from "./read-word.ts"
import { type Redirect, Unreadable, type Word } from "./syntax.ts"

const operators = ["&>>", "<<<", "<<-", "&>", "<<", "<>", "<&", ">>", ">&", ">|", "<", ">"] as const

interface Document {
  readonly end: string
  /** Its lines lose their leading tabs. */
  readonly indented: boolean
  /** Its delimiter is quoted: nothing in it is expanded. */
  readonly literal: boolean
}

/** Redirects of the commands being read, and the here-documents that the next line end begins. */
export class Redirects {
  readonly #cursor: Cursor
  readonly #readList: ReadList
  readonly #open: Redirect[][] = []
  #documents: Document[] = []

  constructor(cursor: Cursor, readList: ReadList) {
    this.#cursor = cursor
    this.#readList = readList
  }

  begin(): void {
    this.#open.push([])
  }

  end(): readonly Redirect[] {
    return this.#open.pop()!
  }

  /** A redirect that begins here without a number. */
  read(): boolean {
    const cursor = this.#cursor
    if (cursor.at("<(") || cursor.at(">(")) return false
    const operator = operators.find((text) => cursor.at(text))
    if (!operator) return false
    if (operator.startsWith("&") || operator === "<<<") cursor.bashOnly(operator)
    cursor.place += operator.length
    if (cursor.at("\\\n")) throw new Unreadable("a line is continued after a redirect")
    cursor.skipBlanks()
    // A sign of its own: what follows it without a blank is the next word.
    if ((operator === ">&" || operator === "<&") && cursor.take("-")) return true
    const target = readWord(cursor, this.#readList)
    if (!target) throw new Unreadable(`${operator} leads nowhere`)
    if (operator === "<<" || operator === "<<-") this.#document(target, operator === "<<-")
    this.#open.at(-1)!.push({ operator: operator === "<<-" ? "<<" : operator, target })
    return true
  }

  /** Whether the word was the number of a redirect, which then is read, too. */
  numbered(word: Word): boolean {
    const cursor = this.#cursor
    if (cursor.next !== "<" && cursor.next !== ">") return false
    if (/^\{.*\}$/.test(word.source)) throw new Unreadable("a redirect stores its number in a variable")
    return /^[0-9]+$/.test(word.source) && this.read()
  }

  readBodies(): void {
    for (const document of this.#documents) this.#body(document)
    this.#documents = []
  }

  finish(): void {
    if (this.#documents.length > 0) throw new Unreadable("a here-document has no body")
  }

  #document(delimiter: Word, indented: boolean): void {
    if (this.#cursor.depth > 1) throw new Unreadable("a here-document inside of another command")
    if (delimiter.parts.some((part) => part.type !== "text") || /[$`]/.test(delimiter.source))
      throw new Unreadable("a here-document whose end is not plain")
    const end = delimiter.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
    if (end.includes("\n")) throw new Unreadable("a here-document whose end is not plain")
    this.#documents.push({
      end,
      indented,
      literal: delimiter.parts.some((part) => part.type === "text" && part.quoted),
    })
  }

  #body({ end, indented, literal }: Document): void {
    const cursor = this.#cursor
    for (;;) {
      if (cursor.ended) throw new Unreadable("a here-document is not ended")
      const raw = cursor.restOfLine
      cursor.place += raw.length
      cursor.take("\n")
      const line = indented ? raw.replace(/^\t+/, "") : raw
      if (line === end) return
      if (!literal && (/[$`]/.test(line) || line.endsWith("\\")))
        throw new Unreadable("a here-document has something in it that is worked out when it runs")
    }
  }
}
