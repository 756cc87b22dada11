import type { CommandCursor } from "./cursor.ts"
import { decodeEscapes } from "./escapes.ts"
import { type CommandList, Unreadable, type Word, type WordPart } from "./syntax.ts"

/** Reads a list of commands up to its end. It is passed in, because words and lists contain each other. */
export type ReadList = (end: ")") => CommandList

/** Reads one word; undefined if none begins. */
export function readShellWord(cursor: CommandCursor, readList: ReadList): Word | undefined {
  const start = cursor.place
  const parts: WordPart[] = []
  while (!cursor.ended && !endsWord(cursor)) readPart(cursor, readList, parts)
  if (cursor.place === start) return undefined
  const source = cursor.text.slice(start, cursor.place).replaceAll("\\\n", "")
  return { parts: mergeTexts(parts), source }
}

function endsWord(cursor: CommandCursor): boolean {
  if (cursor.isAt("<(") || cursor.isAt(">(")) return false
  return " \t\n|&;()<>".includes(cursor.next)
}

function readPart(cursor: CommandCursor, readList: ReadList, parts: WordPart[]): void {
  const { next } = cursor
  if (next === "\\") {
    cursor.place++
    if (cursor.ended) throw new Unreadable("the command ends in a backslash")
    if (cursor.take("\n")) return
    parts.push({ type: "text", text: takeCharacter(cursor), quoted: true })
  } else if (next === "'") parts.push({ type: "text", text: readSingle(cursor), quoted: true })
  else if (next === '"') readDouble(cursor, readList, parts)
  else if (next === "$") readDollar(cursor, readList, parts, { inside: "word" })
  else if (next === "`") parts.push(readBackticks(cursor))
  else if (next === "<" || next === ">") {
    cursor.place += 2
    const body = cursor.readNested(() => readList(")"))
    parts.push({
      type: "unknown",
      reason: "a process substitution connects a file to another command",
      body,
    })
  } else parts.push({ type: "text", text: takeCharacter(cursor) })
}

function takeCharacter(cursor: CommandCursor): string {
  const character = String.fromCodePoint(cursor.text.codePointAt(cursor.place)!)
  cursor.place += character.length
  return character
}

function readSingle(cursor: CommandCursor): string {
  const end = cursor.text.indexOf("'", cursor.place + 1)
  if (end < 0) throw new Unreadable("a ' is not closed")
  const text = cursor.text.slice(cursor.place + 1, end)
  cursor.place = end + 1
  return text
}

function readDouble(cursor: CommandCursor, readList: ReadList, parts: WordPart[]): void {
  cursor.place++
  parts.push({ type: "text", text: "", quoted: true })
  while (!cursor.take('"')) {
    if (cursor.ended) throw new Unreadable('a " is not closed')
    if (cursor.take("\\\n")) continue
    if (cursor.next === "\\" && '$`"\\'.includes(cursor.text[cursor.place + 1] ?? " ")) cursor.place++
    else if (cursor.next === "$") {
      readDollar(cursor, readList, parts, { inside: "quotes" })
      continue
    } else if (cursor.next === "`") {
      parts.push(readBackticks(cursor))
      continue
    }
    parts.push({ type: "text", text: takeCharacter(cursor), quoted: true })
  }
}

function readDollar(
  cursor: CommandCursor,
  readList: ReadList,
  parts: WordPart[],
  { inside }: { inside: "word" | "quotes" },
): void {
  const quoted = inside === "quotes" ? { quoted: true as const } : {}
  cursor.place++
  const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(cursor.text.slice(cursor.place, cursor.place + 200))?.[0]
  if (cursor.isAt("\\\n")) throw new Unreadable("a line is continued after a $")
  if (name !== undefined) {
    cursor.place += name.length
    // The name may go on behind the continued line, or beyond the characters that were examined.
    if (cursor.isAt("\\\n") || name.length >= 200)
      throw new Unreadable("a variable's name is too long, or continues on another line")
    parts.push({ type: "variable", name, ...quoted })
  } else if (cursor.isAt("((")) parts.push(skipBalanced(cursor, "arithmetic can run commands"))
  else if (cursor.take("(")) {
    const body = cursor.readNested(() => readList(")"))
    parts.push({ type: "unknown", reason: "a command substitution inserts the output of a command", body })
  } else if (cursor.isAt("[")) parts.push(skipBalanced(cursor, "arithmetic can run commands"))
  else if (cursor.isAt("{")) parts.push(readBraced(cursor, quoted))
  else if (inside === "word" && cursor.next === "'") {
    cursor.requireBash("$'...'")
    parts.push({ type: "text", text: readEscaped(cursor), quoted: true })
  } else if (inside === "word" && cursor.next === '"') {
    cursor.requireBash('$"..."')
    parts.push({ type: "unknown", reason: '$"..." is translated when the command runs' })
    readDouble(cursor, readList, parts)
  } else if ("?$#".includes(cursor.next || " "))
    parts.push({ type: "number", source: `$${takeCharacter(cursor)}` })
  else if (/[0-9@*!_-]/.test(cursor.next))
    parts.push({
      type: "unknown",
      reason: `the value of $${takeCharacter(cursor)} is only known when the command runs`,
    })
  else parts.push({ type: "text", text: "$", quoted: true })
}

/** Reads `${NAME}`, or one of the operations that braces can do on a value. */
function readBraced(cursor: CommandCursor, quoted: { quoted?: true }): WordPart {
  const plain = /^\{([A-Za-z_][A-Za-z0-9_]*)\}/.exec(cursor.text.slice(cursor.place, cursor.place + 200))
  if (!plain) return skipBalanced(cursor, `the result of \${...} is only known when the command runs`)
  cursor.place += plain[0].length
  return { type: "variable", name: plain[1]!, ...quoted }
}

function readEscaped(cursor: CommandCursor): string {
  const start = ++cursor.place
  while (!cursor.ended && cursor.next !== "'") cursor.place += cursor.next === "\\" ? 2 : 1
  if (cursor.ended) throw new Unreadable("a $' is not closed")
  const text = decodeEscapes(cursor.text.slice(start, cursor.place))
  cursor.place++
  return text
}

/** The content is unclear in any case: its exact end only decides which other accesses are reported. */
function skipBalanced(cursor: CommandCursor, reason: string): WordPart {
  const closing: Record<string, string> = { "(": ")", "[": "]", "{": "}" }
  const open: string[] = []
  do {
    if (cursor.ended) throw new Unreadable("an expansion is not closed")
    const { next } = cursor
    if (next === "\\") cursor.place++
    else if (next === "'" && open.at(-1) !== '"') readSingle(cursor)
    else if (next === open.at(-1)) open.pop()
    else if (next === '"') open.push('"')
    else if (closing[next]) open.push(closing[next])
    if (next !== "'" || open.at(-1) === '"') cursor.place++
  } while (open.length > 0)
  return { type: "unknown", reason }
}

function readBackticks(cursor: CommandCursor): WordPart {
  cursor.place++
  while (!cursor.ended && cursor.next !== "`") cursor.place += cursor.next === "\\" ? 2 : 1
  if (cursor.ended) throw new Unreadable("a ` is not closed")
  cursor.place++
  return { type: "unknown", reason: "a command in backticks inserts its output" }
}

/** Joins neighbouring texts of one kind, because most words are one text. */
function mergeTexts(parts: readonly WordPart[]): readonly WordPart[] {
  const result: WordPart[] = []
  let texts: string[] = []
  const flush = (quoted: true | undefined) => {
    if (texts.length > 0) result.push({ type: "text", text: texts.join(""), ...(quoted && { quoted }) })
    texts = []
  }
  let before: true | undefined
  for (const part of parts) {
    if (part.type !== "text" || part.quoted !== before) flush(before)
    if (part.type === "text") {
      texts.push(part.text)
      before = part.quoted
    } else result.push(part)
  }
  flush(before)
  return result
}
