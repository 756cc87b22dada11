import fs from "node:fs"
import path from "node:path"
import ts from "typescript"

/** A paragraph that a person reads, and where it begins. */
export interface Text {
  readonly kind: "comment" | "message" | "page"
  readonly file: string
  readonly line: number
  readonly text: string
}

export interface CodeFile {
  readonly file: string
  readonly code: string
}

/** Every comment and message of src, and every paragraph of the pages that people write. */
export function readTexts(root: string): readonly Text[] {
  const pages = [
    ...fs.readdirSync(root).filter((file) => file.endsWith(".md")),
    ...filesBelow(root, "docs", ".md"),
    ...filesBelow(root, "bench", ".md").filter((file) => !file.includes("node_modules")),
  ]
  const read = (file: string) => fs.readFileSync(path.join(root, file), "utf8")
  return [
    ...filesBelow(root, "src", ".ts").flatMap((file) => textsInCode(file, read(file))),
    ...pages.flatMap((file) => textsInPage(file, read(file))),
  ]
}

/** The sources, and the tests of them: those beside them, those that cross folders, and the examples. */
export function readCode(root: string): [sources: readonly CodeFile[], tests: readonly CodeFile[]] {
  const read = (file: string) => ({ file, code: fs.readFileSync(path.join(root, file), "utf8") })
  const beside = filesBelow(root, "src", ".ts")
  const isTest = (file: string) => file.endsWith(".test.ts")
  const apart = ["test", "examples"].flatMap((folder) => filesBelow(root, folder, ".ts"))
  return [
    beside.filter((file) => !isTest(file)).map(read),
    [...beside.filter(isTest), ...apart.filter((file) => !file.includes("node_modules"))].map(read),
  ]
}

const filesBelow = (root: string, folder: string, ending: string): readonly string[] =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => path.join(folder, file))
    .sort()

/** Comments, and outside of tests the strings that are sentences. */
export function textsInCode(file: string, code: string): readonly Text[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const texts: Text[] = []
  const seen = new Set<number>()
  const isTest = file.endsWith(".test.ts")
  const visit = (node: ts.Node): void => {
    addComments(node)
    if (!isTest) {
      for (const text of messagesIn(node))
        texts.push({ kind: "message", file, line: lineAt(node.getStart()), text })
    }
    for (const child of node.getChildren(source)) visit(child)
  }
  const addComments = (node: ts.Node): void => {
    const start = node.getFullStart()
    if (seen.has(start)) return
    seen.add(start)
    const ranges = [
      ...(ts.getLeadingCommentRanges(code, start) ?? []),
      ...(ts.getTrailingCommentRanges(code, start) ?? []),
    ]
    let lines: { line: number; text: string }[] = []
    const flush = () => {
      if (lines.length > 0)
        texts.push({
          kind: "comment",
          file,
          line: lines[0]!.line,
          text: lines.map(({ text }) => text).join(" "),
        })
      lines = []
    }
    for (const { pos, end, kind } of ranges) {
      if (seen.has(-pos - 1)) continue
      seen.add(-pos - 1)
      const line = lineAt(pos)
      const text = code.slice(pos, end)
      if (kind === ts.SyntaxKind.SingleLineCommentTrivia) {
        if (/^\/\/\s*(?:biome-ignore|@ts-|#)/.test(text)) continue
        if (lines.length > 0 && lines.at(-1)!.line !== line - 1) flush()
        lines.push({ line, text: text.slice(2).trim() })
        continue
      }
      flush()
      texts.push(...paragraphsOf("comment", file, line, commentLines(text)))
    }
    flush()
  }
  visit(source)
  return texts
}

/** A page without its code, tables cell by cell, and nothing of what a script wrote. */
export function textsInPage(file: string, page: string): readonly Text[] {
  if (page.startsWith("<!-- Written by")) return []
  let inCode = false
  const lines = page.split("\n").map((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) {
      inCode = !inCode
      return ""
    }
    return inCode || /^\s*(?:<|\|[\s:|-]+\|$)/.test(line) ? "" : line
  })
  return paragraphsOf("page", file, 1, lines)
}

/** The lines of a comment. Lines of an example are blank, so that the others keep their numbers. */
function commentLines(comment: string): readonly string[] {
  let inCode = false
  return comment
    .replace(/^\/\*+/, "")
    .replace(/\*+\/$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*\s?/, ""))
    .map((line) => {
      const isFence = line.startsWith("```")
      if (isFence) inCode = !inCode
      return isFence || inCode || line.startsWith("@example") ? "" : line
    })
}

/** Blank lines, list items, headings and table cells begin paragraphs. */
function paragraphsOf(
  kind: Text["kind"],
  file: string,
  first: number,
  lines: readonly string[],
): readonly Text[] {
  const texts: Text[] = []
  let open: { line: number; parts: string[] } | undefined
  const flush = () => {
    const text = open?.parts.join(" ").trim()
    if (open && text) texts.push({ kind, file, line: open.line, text })
    open = undefined
  }
  for (const [index, line] of lines.entries()) {
    const at = first + index
    if (line.trim() === "") flush()
    else if (/^\s*\|/.test(line)) {
      flush()
      for (const cell of line.split(/(?<!\\)\|/))
        if (cell.trim()) texts.push({ kind, file, line: at, text: cell.trim() })
    } else {
      const begins = /^\s*(?:[-*]|\d+\.|#+|@\w+)\s+/.exec(line)
      if (begins) flush()
      open ??= { line: at, parts: [] }
      open.parts.push(line.slice(begins?.[0].length ?? 0).trim())
      if (/^\s*#/.test(line)) flush()
    }
  }
  flush()
  return texts
}

/** The lines of a string that are sentences. An inserted value is one word. */
function messagesIn(node: ts.Node): readonly string[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return sentencesIn(node.text)
  if (!ts.isTemplateExpression(node)) return []
  return sentencesIn([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("X"))
}

/** A line of names in capitals, such as variables of the environment, is no sentence. */
const sentencesIn = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => /^[A-Z"`]/.test(line) && line.split(" ").length >= 4 && /\b[a-z]{2,}\b/.test(line))
