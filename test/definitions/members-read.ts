import path from "node:path"
import ts from "typescript"

const src = path.resolve(import.meta.dirname, "../../src")

/** Members of interfaces that the sources read, as `Agent.model`, each with the files that do. */
export function membersRead(
  interfaces: readonly string[],
  isLooked: (file: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const program = programOf(path.resolve(src, "../tsconfig.json"))
  const checker = program.getTypeChecker()
  const read = new Map<string, Set<string>>()
  for (const source of program.getSourceFiles()) {
    const file = path.relative(src, source.fileName).replaceAll(path.sep, "/")
    if (file.startsWith("..") || file.endsWith(".test.ts") || !isLooked(file)) continue
    visit(source, (node) => {
      const symbol = memberOf(node, checker)
      for (const declaration of symbol?.declarations ?? []) {
        const owner = declaration.parent
        if (!ts.isInterfaceDeclaration(owner) || !interfaces.includes(owner.name.text)) continue
        const member = `${owner.name.text}.${symbol!.name}`
        read.set(member, (read.get(member) ?? new Set()).add(file))
      }
    })
  }
  return new Map([...read].map(([member, files]) => [member, [...files].sort()]))
}

function programOf(config: string): ts.Program {
  const { config: json } = ts.readConfigFile(config, ts.sys.readFile)
  const { options, fileNames } = ts.parseJsonConfigFileContent(json, ts.sys, path.dirname(config))
  const own = fileNames.filter((file) => file.startsWith(`${src}/`) && !file.endsWith(".test.ts"))
  return ts.createProgram(own, { ...options, noEmit: true, skipLibCheck: true })
}

/** The member of a type that is read here: `agent.model`, or `{ model }` taken out of one. */
function memberOf(node: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (ts.isPropertyAccessExpression(node)) return checker.getSymbolAtLocation(node.name)
  if (!ts.isBindingElement(node) || node.dotDotDotToken) return undefined
  const name = node.propertyName ?? node.name
  // What is called `_` is left out, and not read.
  if (!ts.isIdentifier(name) || /^_+$/.test(node.name.getText())) return undefined
  return checker.getTypeAtLocation(node.parent).getProperty(name.text)
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node)
  ts.forEachChild(node, (child) => visit(child, look))
}
