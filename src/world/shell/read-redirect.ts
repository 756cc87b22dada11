import type { CommandCursor } from "./cursor.ts"
import { type ReadList, readShellWord } from "./read-word.ts"
import { type Redirect, Unreadable, type Word } from "./syntax.ts"

const operators = ["&>>", "<<<", "<<-", "&>", "<<", "<>", "<&", ">>", ">&", ">|", "<", ">"] as const

interface Document {
  readonly end: string
  /** `<<-`: the lines lose their leading tabs. */
  readonly indented: boolean
  /** The delimiter is quoted: nothing in the body is expanded. */
  readonly literal: boolean
}

/**
 * The redirects of the commands being read, and the here-documents whose bodies start at the next line end.
 */
export class Redirects {
  readonly #cursor: CommandCursor
  readonly #readList: ReadList
  readonly #open: Redirect[][] = []
  #documents: Document[] = []

  constructor(cursor: CommandCursor, readList: ReadList) {
    this.#cursor = cursor
    this.#readList = readList
  }

  begin(): void {
    this.#open.push([])
  }

  end(): readonly Redirect[] {
    return this.#open.pop()!
  }

  /** Reads a redirect without a number, if one begins here. */
  read(): boolean {
    const cursor = this.#cursor
    if (cursor.isAt("<(") || cursor.isAt(">(")) return false
    const operator = operators.find((text) => cursor.isAt(text))
    if (!operator) return false
    if (operator.startsWith("&") || operator === "<<<") cursor.requireBash(operator)
    cursor.place += operator.length
    if (cursor.isAt("\\\n")) throw new Unreadable("a line is continued after a redirect")
    cursor.skipBlanks()
    // `>&-` is complete: text behind it, even without a blank, is the next word.
    if ((operator === ">&" || operator === "<&") && cursor.take("-")) return true
    const target = readShellWord(cursor, this.#readList)
    if (!target) throw new Unreadable(`${operator} has no target`)
    if (operator === "<<" || operator === "<<-") this.#document(target, operator === "<<-")
    this.#open.at(-1)!.push({ operator: operator === "<<-" ? "<<" : operator, target })
    return true
  }

  /** True if the word is the number of a redirect. If so, the redirect is read, too. */
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
    if (this.#cursor.depth > 1)
      throw new Unreadable("a here-document inside another command is not supported")
    if (delimiter.parts.some((part) => part.type !== "text") || /[$`]/.test(delimiter.source))
      throw new Unreadable("the delimiter of a here-document is not plain text")
    const end = delimiter.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
    if (end.includes("\n")) throw new Unreadable("the delimiter of a here-document is not plain text")
    this.#documents.push({
      end,
      indented,
      literal: delimiter.parts.some((part) => part.type === "text" && part.quoted),
    })
  }

  #body({ end, indented, literal }: Document): void {
    const cursor = this.#cursor
    for (;;) {
      if (cursor.ended) throw new Unreadable("a here-document has no end")
      const raw = cursor.restOfLine
      cursor.place += raw.length
      cursor.take("\n")
      const line = indented ? raw.replace(/^\t+/, "") : raw
      if (line === end) return
      if (!literal && (/[$`]/.test(line) || line.endsWith("\\")))
        throw new Unreadable("a here-document has an expansion or a continued line in it")
    }
  }
}
