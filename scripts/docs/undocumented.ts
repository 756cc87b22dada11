import path from "node:path"
import ts from "typescript"

/** The modules that programs import, by the name they import. */
export const entryPoints: Readonly<Record<string, string>> = {
  cadre: "src/index.ts",
  "cadre/files": "src/files.ts",
  "cadre/store": "src/store.ts",
  "cadre/hooks": "src/hooks.ts",
  "cadre/pipeline": "src/pipeline.ts",
  "cadre/planner": "src/planner.ts",
  "cadre/nodes": "src/nodes.ts",
  "cadre/ai-sdk": "src/faces/hosts/ai-sdk.ts",
  "cadre/openai-agents": "src/faces/hosts/openai-agents.ts",
  "cadre/testing": "src/faces/testing/index.ts",
}

export interface Undocumented {
  /** Exported functions, classes and constants without an `@example`. */
  readonly withoutExample: readonly string[]
  /** Exports and members of exported types that show no text when an editor hovers over them. */
  readonly withoutText: readonly string[]
}

/** Lists what the public entry points export without the text that an editor shows. */
export function findUndocumented(root: string): Undocumented {
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const program = ts.createProgram(
    Object.values(entryPoints).map((file) => path.join(root, file)),
    options,
  )
  const checker = program.getTypeChecker()
  const withoutExample = new Set<string>()
  const withoutText = new Set<string>()
  for (const [entry, file] of Object.entries(entryPoints)) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(path.join(root, file))!)!
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const name = `${entry}: ${exported.name}`
      if (symbol.flags & ts.SymbolFlags.Value && !hasExample(symbol)) withoutExample.add(name)
      if (!hasText(symbol)) withoutText.add(name)
      for (const member of ownMembers(symbol)) if (!hasText(member)) withoutText.add(`${name}.${member.name}`)
    }
  }
  return { withoutExample: [...withoutExample].sort(), withoutText: [...withoutText].sort() }

  function hasText(symbol: ts.Symbol): boolean {
    return symbol.getDocumentationComment(checker).some(({ text }) => text.trim() !== "")
  }

  function hasExample(symbol: ts.Symbol): boolean {
    return symbol.getJsDocTags(checker).some(({ name }) => name === "example")
  }
}

/** The members that the type itself declares: what it extends is documented where it is declared. */
function ownMembers(symbol: ts.Symbol): readonly ts.Symbol[] {
  return [...(symbol.members?.values() ?? [])].filter(
    ({ flags, name, declarations }) =>
      flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Method | ts.SymbolFlags.Accessor) &&
      !name.startsWith("__") &&
      !declarations?.some(
        (declaration) =>
          (ts.isClassElement(declaration) && declaration.name && ts.isPrivateIdentifier(declaration.name)) ||
          ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private,
      ),
  )
}
