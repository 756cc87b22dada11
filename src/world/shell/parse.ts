import { CommandCursor } from "./cursor.ts"
import { readCompound } from "./read-compound.ts"
import { Redirects } from "./read-redirect.ts"
import { readShellWord } from "./read-word.ts"
import {
  type Assignment,
  type Chain,
  type CommandList,
  reservedWords,
  type ShellCommand,
  type ShellDialect,
  type ShellPipeline,
  Unreadable,
  type Word,
} from "./syntax.ts"

export interface ParsedCommand {
  /** The commands up to the problem, if there is one. */
  readonly list: CommandList
  readonly problem?: string
}

/**
 * Parses a command line as bash would. It supports a part of the language and reports where that part ends.
 */
export function parseCommand(text: string, dialect: ShellDialect): ParsedCommand {
  const reader = new Reader(text, dialect)
  const list: Chain[] = []
  try {
    reader.list([], list)
    if (!reader.cursor.ended) return { list, problem: `unexpected "${reader.cursor.next}"` }
    reader.redirects.finish()
    return { list }
  } catch (error) {
    if (error instanceof Unreadable) return { list, problem: error.message }
    throw error
  }
}

/**
 * Reads lists, pipelines and simple commands. Words, redirects and compound commands have their own files.
 */
class Reader {
  readonly cursor: CommandCursor
  readonly redirects: Redirects

  constructor(text: string, dialect: ShellDialect) {
    this.cursor = new CommandCursor(text, dialect)
    this.redirects = new Redirects(this.cursor, this.readInner)
  }

  /** Reads up to one of the words or signs that end the list, and leaves that in place. */
  list(ends: readonly string[], into: Chain[] = []): CommandList {
    const { cursor } = this
    for (;;) {
      this.skipLines()
      if (cursor.ended || ends.some((end) => this.atEnd(end))) return into
      const first = this.pipeline()
      const rest: { operator: "&&" | "||"; pipeline: ShellPipeline }[] = []
      for (;;) {
        cursor.skipBlanks()
        const operator = cursor.isAt("&&") ? "&&" : cursor.isAt("||") ? "||" : undefined
        if (!operator) break
        cursor.place += 2
        this.skipLines()
        rest.push({ operator, pipeline: this.pipeline() })
      }
      const background = cursor.next === "&"
      into.push({ first, rest, ...(background && { background }) })
      cursor.skipComment()
      if (cursor.isAt(";;")) throw new Unreadable('";;" outside of a case')
      if (!(cursor.takeSign("&") || cursor.takeSign(";")) && cursor.next !== "\n") return into
    }
  }

  word(): Word | undefined {
    return readShellWord(this.cursor, this.readInner)
  }

  /**
   * Takes one of the reserved words or signs if it comes next. Returns undefined and takes nothing otherwise.
   */
  takeReserved(...words: readonly string[]): string | undefined {
    const match = words.find((word) => this.atEnd(word))
    if (match !== undefined) this.cursor.place += match.length
    return match
  }

  expect(word: string): void {
    if (this.takeReserved(word) === undefined) throw new Unreadable(`missing "${word}"`)
  }

  /** Skips blanks, line ends and comments, and reads the here-document bodies that start at a line end. */
  skipLines(): void {
    const { cursor } = this
    for (;;) {
      cursor.skipBlanks()
      cursor.skipComment()
      if (!cursor.take("\n")) return
      this.redirects.readBodies()
    }
  }

  /**
   * A reserved word stands alone. One that a continued line splits is not recognised, and the command is then
   * unreadable.
   */
  private atEnd(end: string): boolean {
    if (!this.cursor.isAt(end)) return false
    return (
      end === ")" ||
      end === "(" ||
      /^[\s;&|()<>]?$/.test(this.cursor.text[this.cursor.place + end.length] ?? "")
    )
  }

  private readonly readInner = (end: ")"): CommandList => {
    const list = this.list([end])
    if (!this.cursor.take(end)) throw new Unreadable(`missing "${end}"`)
    return list
  }

  private pipeline(): ShellPipeline {
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
      if (cursor.isAt("|&")) cursor.requireBash("|&")
      if (cursor.isAt("||") || !(cursor.take("|&") || cursor.takeSign("|"))) break
      this.skipLines()
      commands.push(this.command())
    }
    return { commands, ...(negated && { negated }) }
  }

  private command(): ShellCommand {
    this.cursor.skipBlanks()
    return this.cursor.readNested(() => readCompound(this) ?? this.simple())
  }

  private simple(): ShellCommand {
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
      if (cursor.next === "(") throw new Unreadable("function and array definitions are not supported")
    }
    refuseAfterTime(words)
    const redirects = this.redirects.end()
    if (words.length + assignments.length + redirects.length === 0)
      throw new Unreadable("a command is missing")
    cursor.skipBlanks()
    if (cursor.next === "(") throw new Unreadable("function definitions are not supported")
    return { type: "simple", assignments, words, redirects }
  }
}

/** Refuses the reserved words that begin unsupported constructs; `time` is read like a program. */
function refuseReserved(word: Word): void {
  const [part] = word.parts
  if (word.parts.length !== 1 || part?.type !== "text" || part.quoted) return
  if (part.text !== "time" && reservedWords.has(part.text))
    throw new Unreadable(`"${part.text}" is not supported`)
}

/**
 * `time` is a reserved word, too. Its options and the command behind it are supported only in plain forms.
 */
function refuseAfterTime([first, ...rest]: readonly Word[]): void {
  if (first?.source !== "time") return
  const next = rest.find((word) => !/^(?:-p|--|time)$/.test(word.source))
  const [part] = next?.parts ?? []
  if (!next || part?.type !== "text") return
  if (reservedWords.has(next.source) || /^-|^$/.test(part.text))
    throw new Unreadable("this use of time is not supported")
}

/** `name[` may begin an assignment to an element: bash then reads on to the `]`, even across blanks. */
function refuseElement(word: Word, program: Word | undefined): void {
  const [first] = word.parts
  if (first?.type !== "text" || first.quoted || !/^[A-Za-z_][A-Za-z0-9_]*\[/.test(first.text)) return
  if (
    !program ||
    /^(?:declare|typeset|local|export|readonly|alias|eval|let)$/.test(
      program.source.replaceAll(/["'\\]/g, ""),
    )
  )
    throw new Unreadable("assignments to array elements are not supported")
}

function readAssignment(word: Word): Assignment | undefined {
  const [first, ...rest] = word.parts
  if (first?.type !== "text" || first.quoted) return undefined
  const match = /^([A-Za-z_][A-Za-z0-9_]*)(\+?=)/.exec(first.text)
  if (!match) return undefined
  const text = first.text.slice(match[0].length)
  const parts = text === "" ? rest : [{ type: "text" as const, text }, ...rest]
  return {
    name: match[1]!,
    value: { parts, source: word.source.slice(match[0].length) },
    ...(match[2] === "+=" && { appends: true as const }),
  }
}
