import { Cursor } from "./cursor.ts"
import { readCompound } from "./read-compound.ts"
import { Redirects } from "./read-redirect.ts"
import { readWord } from "./read-word.ts"
import {
  type Assignment,
  type Chain,
  type Command,
  type Dialect,
  type List,
  type Pipeline,
  reservedWords,
  Unreadable,
  type Word,
} from "./syntax.ts"

export interface Parsed {
  /** Up to the problem, where there is one. */
  readonly list: List
  readonly problem?: string
}

/** The commands of a line, as bash would read them. It reads a part of the language and says so where that ends. */
export function parseCommand(text: string, dialect: Dialect): Parsed {
  const reader = new Reader(text, dialect)
  const list: Chain[] = []
  try {
    reader.list([], list)
    if (!reader.cursor.ended) return { list, problem: `"${reader.cursor.next}" is not expected here` }
    reader.redirects.finish()
    return { list }
  } catch (error) {
    if (error instanceof Unreadable) return { list, problem: error.message }
    throw error
  }
}

/** Reads lists, pipelines and simple commands; words, redirects and compound commands have files of their own. */
class Reader {
  readonly cursor: Cursor
  readonly redirects: Redirects

  constructor(text: string, dialect: Dialect) {
    this.cursor = new Cursor(text, dialect)
    this.redirects = new Redirects(this.cursor, this.readInner)
  }

  /** Up to one of the words or signs that end it, which stays. */
  list(ends: readonly string[], into: Chain[] = []): List {
    const { cursor } = this
    for (;;) {
      this.skipLines()
      if (cursor.ended || ends.some((end) => this.atEnd(end))) return into
      const first = this.pipeline()
      const rest: { operator: "&&" | "||"; pipeline: Pipeline }[] = []
      for (;;) {
        cursor.skipBlanks()
        const operator = cursor.at("&&") ? "&&" : cursor.at("||") ? "||" : undefined
        if (!operator) break
        cursor.place += 2
        this.skipLines()
        rest.push({ operator, pipeline: this.pipeline() })
      }
      const background = cursor.next === "&"
      into.push({ first, rest, ...(background && { background }) })
      cursor.skipComment()
      if (cursor.at(";;")) throw new Unreadable('";;" stands outside of a case')
      if (!(cursor.takeSign("&") || cursor.takeSign(";")) && cursor.next !== "\n") return into
    }
  }

  word(): Word | undefined {
    return readWord(this.cursor, this.readInner)
  }

  /** The reserved word or sign, or undefined and nothing taken. */
  takeReserved(...words: readonly string[]): string | undefined {
    const found = words.find((word) => this.atEnd(word))
    if (found !== undefined) this.cursor.place += found.length
    return found
  }

  expect(word: string): void {
    if (this.takeReserved(word) === undefined) throw new Unreadable(`"${word}" is missing`)
  }

  /** Blanks, line ends, comments, and the bodies of here-documents that a line end begins. */
  skipLines(): void {
    const { cursor } = this
    for (;;) {
      cursor.skipBlanks()
      cursor.skipComment()
      if (!cursor.take("\n")) return
      this.redirects.readBodies()
    }
  }

  /** A reserved word stands alone; one with a continued line in it is not seen, and then not readable as a command. */
  private atEnd(end: string): boolean {
    if (!this.cursor.at(end)) return false
    return (
      end === ")" ||
      end === "(" ||
      /^[\s;&|()<>]?$/.test(this.cursor.text[this.cursor.place + end.length] ?? "")
    )
  }

  private readonly readInner = (end: ")"): List => {
    const list = this.list([end])
    if (!this.cursor.take(end)) throw new Unreadable(`"${end}" is missing`)
    return list
  }

  private pipeline(): Pipeline {
    const { cursor } = this
    let negated = false
    for (;;) {
      cursor.skipBlanks()
      if (!this.takeReserved("!")) break
      negated = !negated
    }
    const commands = [this.command()]
    for (;;) {
      cursor.skipBlanks()
      if (cursor.at("|&")) cursor.bashOnly("|&")
      if (cursor.at("||") || !(cursor.take("|&") || cursor.takeSign("|"))) break
      this.skipLines()
      commands.push(this.command())
    }
    return { commands, ...(negated && { negated }) }
  }

  private command(): Command {
    this.cursor.skipBlanks()
    return this.cursor.nested(() => readCompound(this) ?? this.simple())
  }

  private simple(): Command {
    const { cursor } = this
    const assignments: Assignment[] = []
    const words: Word[] = []
    this.redirects.begin()
    for (;;) {
      cursor.skipBlanks()
      cursor.skipComment()
      if (this.redirects.read()) continue
      const word = this.word()
      if (!word) break
      if (this.redirects.numbered(word)) continue
      refuseElement(word, words[0])
      const assignment = words.length === 0 ? readAssignment(word) : undefined
      if (assignment) assignments.push(assignment)
      else words.push(word)
      if (words.length === 1 && assignment === undefined) refuseReserved(word)
      if (cursor.next === "(") throw new Unreadable("it defines a function, or an array")
    }
    refuseAfterTime(words)
    const redirects = this.redirects.end()
    if (words.length + assignments.length + redirects.length === 0)
      throw new Unreadable("a command is missing")
    cursor.skipBlanks()
    if (cursor.next === "(") throw new Unreadable("it defines a function")
    return { type: "simple", assignments, words, redirects }
  }
}

/** In front of a command the words that begin something we do not read; `time` is read like a program. */
function refuseReserved(word: Word): void {
  const [part] = word.parts
  if (word.parts.length !== 1 || part?.type !== "text" || part.quoted) return
  if (part.text !== "time" && reservedWords.has(part.text))
    throw new Unreadable(`"${part.text}" is not read here`)
}

/** `time` is a reserved word, too: what it is told, and what it begins, is read only where it is plain. */
function refuseAfterTime([first, ...rest]: readonly Word[]): void {
  if (first?.source !== "time") return
  const next = rest.find((word) => !/^(?:-p|--|time)$/.test(word.source))
  const [part] = next?.parts ?? []
  if (!next || part?.type !== "text") return
  if (reservedWords.has(next.source) || /^-|^$/.test(part.text))
    throw new Unreadable("what time is told is not plain")
}

/** `name[`: where bash would take an assignment, it reads on to the `]`, over blanks and all. */
function refuseElement(word: Word, program: Word | undefined): void {
  const [first] = word.parts
  if (first?.type !== "text" || first.quoted || !/^[A-Za-z_][A-Za-z0-9_]*\[/.test(first.text)) return
  if (
    !program ||
    /^(?:declare|typeset|local|export|readonly|alias|eval|let)$/.test(
      program.source.replaceAll(/["'\\]/g, ""),
    )
  )
    throw new Unreadable("it may assign to an element of an array")
}

function readAssignment(word: Word): Assignment | undefined {
  const [first, ...rest] = word.parts
  if (first?.type !== "text" || first.quoted) return undefined
  const found = /^([A-Za-z_][A-Za-z0-9_]*)(\+?=)/.exec(first.text)
  if (!found) return undefined
  const text = first.text.slice(found[0].length)
  const parts = text === "" ? rest : [{ type: "text" as const, text }, ...rest]
  return {
    name: found[1]!,
    value: { parts, source: word.source.slice(found[0].length) },
    ...(found[2] === "+=" && { appends: true as const }),
  }
}
