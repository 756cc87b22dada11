import fs from "node:fs"
import path from "node:path"
import ts from "typescript"
import { sourcesIn } from "./exported-names.ts"
import { beginnings } from "./verbs.ts"

/** Participles say of what something is, and not what it is: name the thing. */
const participles = new Set(["asked", "found", "given", "heard", "known", "left", "said"])

/** Declarations that a participle names, as `file: name`. `left` is a side where the file also has a `right`. */
export function participlesAsNames(root: string): readonly string[] {
  return sourcesIn(root).flatMap((file) => {
    const names = declaredNames(parse(root, file))
    return [...names]
      .filter((name) => participles.has(name) && !(name === "left" && names.has("right")))
      .sort()
      .map((name) => `${file}: ${name}`)
  })
}

/** Exported functions whose names begin with no verb and no question, sorted. */
export const functionsWithoutVerb = (root: string): readonly string[] =>
  sourcesIn(root)
    .flatMap((file) => parse(root, file).statements.flatMap(exportedFunctions))
    .filter((name) => !beginnings.has(/^[a-z]+/.exec(name)?.[0] ?? name))
    .sort()

const parsed = new Map<string, ts.SourceFile>()

function parse(root: string, file: string): ts.SourceFile {
  const place = path.join(root, file)
  const source =
    parsed.get(place) ??
    ts.createSourceFile(file, fs.readFileSync(place, "utf8"), ts.ScriptTarget.Latest, true)
  parsed.set(place, source)
  return source
}

function declaredNames(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (isDeclaration(node) && node.name && ts.isIdentifier(node.name)) names.add(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

const isDeclaration = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isMethodSignature(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isPropertySignature(node)

function exportedFunctions(statement: ts.Statement): readonly string[] {
  if (!ts.canHaveModifiers(statement)) return []
  if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
  if (ts.isFunctionDeclaration(statement)) return statement.name ? [statement.name.text] : []
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations
    .filter(({ initializer }) => initializer && isFunction(initializer))
    .map(({ name }) => name.getText())
}

const isFunction = (node: ts.Node): boolean => ts.isArrowFunction(node) || ts.isFunctionExpression(node)
