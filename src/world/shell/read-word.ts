import type { Cursor } from "./cursor.ts"
import { decodeEscapes } from "./escapes.ts"
import { type List, type Part, Unreadable, type Word } from "./syntax.ts"

/** Reads a list of commands up to what ends it; handed in, because words and lists hold each other. */
export type ReadList = (end: ")") => List

/** One word, or undefined where none begins. */
export function readWord(cursor: Cursor, readList: ReadList): Word | undefined {
  const start = cursor.place
  const parts: Part[] = []
  while (!cursor.ended && !endsWord(cursor)) readPart(cursor, readList, parts)
  if (cursor.place === start) return undefined
  const source = cursor.text.slice(start, cursor.place).replaceAll("\\\n", "")
  return { parts: merged(parts), source }
}

function endsWord(cursor: Cursor): boolean {
  if (cursor.at("<(") || cursor.at(">(")) return false
  return " \t\n|&;()<>".includes(cursor.next)
}

function readPart(cursor: Cursor, readList: ReadList, parts: Part[]): void {
  const { next } = cursor
  if (next === "\\") {
    cursor.place++
    if (cursor.ended) throw new Unreadable("it ends in a backslash")
    if (cursor.take("\n")) return
    parts.push({ type: "text", text: takeCharacter(cursor), quoted: true })
  } else if (next === "'") parts.push({ type: "text", text: readSingle(cursor), quoted: true })
  else if (next === '"') readDouble(cursor, readList, parts)
  else if (next === "$") readDollar(cursor, readList, parts, { inside: "word" })
  else if (next === "`") parts.push(readBackticks(cursor))
  else if (next === "<" || next === ">") {
    cursor.place += 2
    const body = cursor.nested(() => readList(")"))
    parts.push({
      type: "unknown",
      reason: "a process substitution hands a file over that a command fills",
      body,
    })
  } else parts.push({ type: "text", text: takeCharacter(cursor) })
}

function takeCharacter(cursor: Cursor): string {
  const character = String.fromCodePoint(cursor.text.codePointAt(cursor.place)!)
  cursor.place += character.length
  return character
}

function readSingle(cursor: Cursor): string {
  const end = cursor.text.indexOf("'", cursor.place + 1)
  if (end < 0) throw new Unreadable("a ' is not closed")
  const text = cursor.text.slice(cursor.place + 1, end)
  cursor.place = end + 1
  return text
}

function readDouble(cursor: Cursor, readList: ReadList, parts: Part[]): void {
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
  cursor: Cursor,
  readList: ReadList,
  parts: Part[],
  { inside }: { inside: "word" | "quotes" },
): void {
  const quoted = inside === "quotes" ? { quoted: true as const } : {}
  cursor.place++
  const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(cursor.text.slice(cursor.place, cursor.place + 200))?.[0]
  if (cursor.at("\\\n")) throw new Unreadable("a line is continued after a $")
  if (name !== undefined) {
    cursor.place += name.length
    // The name may go on behind it.
    if (cursor.at("\\\n") || name.length >= 200) throw new Unreadable("a variable's name is not plain")
    parts.push({ type: "variable", name, ...quoted })
  } else if (cursor.at("((")) parts.push(skipBalanced(cursor, "arithmetic can run commands"))
  else if (cursor.take("(")) {
    const body = cursor.nested(() => readList(")"))
    parts.push({ type: "unknown", reason: "a command substitution puts the output of a command in", body })
  } else if (cursor.at("[")) parts.push(skipBalanced(cursor, "arithmetic can run commands"))
  else if (cursor.at("{")) parts.push(readBraced(cursor, quoted))
  else if (inside === "word" && cursor.next === "'") {
    cursor.bashOnly("$'...'")
    parts.push({ type: "text", text: readEscaped(cursor), quoted: true })
  } else if (inside === "word" && cursor.next === '"') {
    cursor.bashOnly('$"..."')
    parts.push({ type: "unknown", reason: '$"..." is translated when it runs' })
    readDouble(cursor, readList, parts)
  } else if ("?$#".includes(cursor.next || " "))
    parts.push({ type: "number", source: `$${takeCharacter(cursor)}` })
  else if (/[0-9@*!_-]/.test(cursor.next))
    parts.push({
      type: "unknown",
      reason: `the value of $${takeCharacter(cursor)} is not known before it runs`,
    })
  else parts.push({ type: "text", text: "$", quoted: true })
}

/** `${NAME}`, or any of the things that braces can do to a value. */
function readBraced(cursor: Cursor, quoted: { quoted?: true }): Part {
  const plain = /^\{([A-Za-z_][A-Za-z0-9_]*)\}/.exec(cursor.text.slice(cursor.place, cursor.place + 200))
  if (!plain) return skipBalanced(cursor, `\${...} works on a value that is not known before it runs`)
  cursor.place += plain[0].length
  return { type: "variable", name: plain[1]!, ...quoted }
}

function readEscaped(cursor: Cursor): string {
  const start = ++cursor.place
  while (!cursor.ended && cursor.next !== "'") cursor.place += cursor.next === "\\" ? 2 : 1
  if (cursor.ended) throw new Unreadable("a $' is not closed")
  const text = decodeEscapes(cursor.text.slice(start, cursor.place))
  cursor.place++
  return text
}

/** What is in it is unclear in any case, so where exactly it ends decides only what else is listed. */
function skipBalanced(cursor: Cursor, reason: string): Part {
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

function readBackticks(cursor: Cursor): Part {
  cursor.place++
  while (!cursor.ended && cursor.next !== "`") cursor.place += cursor.next === "\\" ? 2 : 1
  if (cursor.ended) throw new Unreadable("a ` is not closed")
  cursor.place++
  return { type: "unknown", reason: "a command in backticks puts its output in" }
}

/** Neighbours of one kind together: words are mostly one text. */
function merged(parts: readonly Part[]): readonly Part[] {
  const result: Part[] = []
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
