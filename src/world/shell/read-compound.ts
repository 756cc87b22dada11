import type { CommandCursor } from "./cursor.ts"
import type { Redirects } from "./read-redirect.ts"
import { type CommandList, type Redirect, type ShellCommand, Unreadable, type Word } from "./syntax.ts"

/** Reads the commands inside a compound command. */
interface Reader {
  readonly cursor: CommandCursor
  readonly redirects: Redirects
  list(ends: readonly string[]): CommandList
  word(): Word | undefined
  takeReserved(...words: readonly string[]): string | undefined
  expect(word: string): void
  skipLines(): void
}

/** Reads a compound command; undefined if a simple command begins. */
export function readCompound(reader: Reader): ShellCommand | undefined {
  const { cursor } = reader
  if (cursor.isAt("((")) throw new Unreadable("arithmetic can run commands")
  if (cursor.takeSign("(")) return readBlock(reader, "subshell", ")")
  if (reader.takeReserved("{")) return readBlock(reader, "group", "}")
  if (reader.takeReserved("if")) return readIf(reader)
  if (reader.takeReserved("while", "until")) return readWhile(reader)
  if (reader.takeReserved("for")) return readFor(reader)
  return undefined
}

function readBlock(reader: Reader, type: "group" | "subshell", end: string): ShellCommand {
  const body = readBody(reader, end)
  reader.expect(end)
  return { type, body, redirects: readRedirects(reader) }
}

function readIf(reader: Reader): ShellCommand {
  const branches: { condition?: CommandList; body: CommandList }[] = []
  let word = "if"
  while (word !== "fi") {
    if (word === "else") branches.push({ body: readBody(reader, "fi") })
    else {
      const condition = readBody(reader, "then")
      reader.expect("then")
      branches.push({ condition, body: readBody(reader, "elif", "else", "fi") })
    }
    const next = reader.takeReserved("elif", "else", "fi")
    if (next === undefined) throw new Unreadable('missing "fi"')
    word = next
  }
  return { type: "if", branches, redirects: readRedirects(reader) }
}

function readWhile(reader: Reader): ShellCommand {
  const condition = readBody(reader, "do")
  const body = readDo(reader)
  return { type: "while", condition, body, redirects: readRedirects(reader) }
}

function readFor(reader: Reader): ShellCommand {
  const { cursor } = reader
  cursor.skipBlanks()
  const name = reader.word()?.source ?? ""
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new Unreadable("the variable of a for loop is not a plain name")
  reader.skipLines()
  reader.expect("in")
  const words: Word[] = []
  for (;;) {
    cursor.skipBlanks()
    const word = reader.word()
    if (!word) break
    words.push(word)
  }
  if (!cursor.take(";") && cursor.next !== "\n")
    throw new Unreadable('missing ";" or a line end after the words of a for loop')
  reader.skipLines()
  const body = readDo(reader)
  return { type: "for", name, words, body, redirects: readRedirects(reader) }
}

function readDo(reader: Reader): CommandList {
  reader.expect("do")
  const body = readBody(reader, "done")
  reader.expect("done")
  return body
}

function readBody(reader: Reader, ...ends: readonly string[]): CommandList {
  const body = reader.list(ends)
  if (body.length === 0) throw new Unreadable("a command is missing")
  return body
}

function readRedirects(reader: Reader): readonly Redirect[] {
  reader.redirects.begin()
  for (;;) {
    reader.cursor.skipBlanks()
    if (reader.redirects.read()) continue
    const start = reader.cursor.place
    const word = reader.word()
    if (!word) break
    if (reader.redirects.numbered(word)) continue
    reader.cursor.place = start
    throw new Unreadable(`unexpected "${word.source}"`)
  }
  return reader.redirects.end()
}
