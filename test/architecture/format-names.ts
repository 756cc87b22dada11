import fs from "node:fs"
import path from "node:path"
import ts from "typescript"
import { sourcesIn } from "./graph.ts"

/** What is looked for, and where. What a comment says does not count. */
const places: readonly { readonly folder: string; readonly names: RegExp }[] = [
  { folder: "run/", names: /remora|codex|gobby|acai|claude/i },
  // There Claude is a family of models, and only the id in small letters a format.
  { folder: "world/models/", names: /remora|codex|gobby|acai|Remora|Codex|Gobby|^claude$/ },
]

/**
 * Where code that runs agents of every format, or asks models for them, knows one by its name. A model's id, an address
 * and a variable of the environment are facts, and no names of formats.
 */
export function formatNamesIn(folder: string): readonly string[] {
  return sourcesIn(folder).flatMap((file) => {
    const place = places.find((one) => file.startsWith(one.folder))
    if (!place) return []
    const inName = place.names.test(path.basename(file)) ? [`${file}: its own name`] : []
    return [...inName, ...wordsIn(path.join(folder, file), place.names).map((word) => `${file}: ${word}`)]
  })
}

function wordsIn(file: string, names: RegExp): readonly string[] {
  const source = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const look = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && names.test(node.text)) found.push(node.text)
    if (isText(node)) found.push(...(isModule(node) ? [node.text] : node.text.split(/\s+/)).filter(isName))
    ts.forEachChild(node, look)
  }
  const isName = (word: string): boolean => {
    if (word.endsWith(".ts") || word === "codex-md") return names.test(word)
    const bare = word.replaceAll(/[^\w./-]|\.$/g, "")
    return names.test(bare) && !/[-_./]/.test(bare)
  }
  look(source)
  return found
}

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)

const isModule = ({ parent }: ts.Node): boolean =>
  ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)
