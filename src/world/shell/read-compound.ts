import type { Cursor } from "./cursor.ts"
import type { Redirects } from "./read-redirect.ts"
import { type Command, type List, type Redirect, Unreadable, type Word } from "./syntax.ts"

/** Reads the commands that stand in a compound one. */
interface Reader {
  readonly cursor: Cursor
  readonly redirects: Redirects
  list(ends: readonly string[]): List
  word(): Word | undefined
  takeReserved(...words: readonly string[]): string | undefined
  expect(word: string): void
  skipLines(): void
}

/** A command that holds commands, or undefined where a simple one begins. */
export function readCompound(reader: Reader): Command | undefined {
  const { cursor } = reader
  if (cursor.at("((")) throw new Unreadable("arithmetic can run commands")
  if (cursor.takeSign("(")) return block(reader, "subshell", ")")
  if (reader.takeReserved("{")) return block(reader, "group", "}")
  if (reader.takeReserved("if")) return readIf(reader)
  if (reader.takeReserved("while", "until")) return readWhile(reader)
  if (reader.takeReserved("for")) return readFor(reader)
  return undefined
}

function block(reader: Reader, type: "group" | "subshell", end: string): Command {
  const body = bodyOf(reader, end)
  reader.expect(end)
  return { type, body, redirects: trailing(reader) }
}

function readIf(reader: Reader): Command {
  const branches: { condition?: List; body: List }[] = []
  let word = "if"
  while (word !== "fi") {
    if (word === "else") branches.push({ body: bodyOf(reader, "fi") })
    else {
      const condition = bodyOf(reader, "then")
      reader.expect("then")
      branches.push({ condition, body: bodyOf(reader, "elif", "else", "fi") })
    }
    const ended = reader.takeReserved("elif", "else", "fi")
    if (ended === undefined) throw new Unreadable('"fi" is missing')
    word = ended
  }
  return { type: "if", branches, redirects: trailing(reader) }
}

function readWhile(reader: Reader): Command {
  const condition = bodyOf(reader, "do")
  const body = readDo(reader)
  return { type: "while", condition, body, redirects: trailing(reader) }
}

function readFor(reader: Reader): Command {
  const { cursor } = reader
  cursor.skipBlanks()
  const name = reader.word()?.source ?? ""
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new Unreadable("a for without a plain name")
  reader.skipLines()
  reader.expect("in")
  const words: Word[] = []
  for (;;) {
    cursor.skipBlanks()
    const word = reader.word()
    if (!word) break
    words.push(word)
  }
  if (!cursor.take(";") && cursor.next !== "\n") throw new Unreadable("the words of a for are not ended")
  reader.skipLines()
  const body = readDo(reader)
  return { type: "for", name, words, body, redirects: trailing(reader) }
}

function readDo(reader: Reader): List {
  reader.expect("do")
  const body = bodyOf(reader, "done")
  reader.expect("done")
  return body
}

function bodyOf(reader: Reader, ...ends: readonly string[]): List {
  const body = reader.list(ends)
  if (body.length === 0) throw new Unreadable("a command is missing")
  return body
}

function trailing(reader: Reader): readonly Redirect[] {
  reader.redirects.begin()
  for (;;) {
    reader.cursor.skipBlanks()
    if (reader.redirects.read()) continue
    const start = reader.cursor.place
    const word = reader.word()
    if (!word) break
    if (reader.redirects.numbered(word)) continue
    reader.cursor.place = start
    throw new Unreadable(`"${word.source}" is not expected here`)
  }
  return reader.redirects.end()
}
