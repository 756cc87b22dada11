import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import type { Language, Parser, Query } from "web-tree-sitter"
import { CadreError, messageOf } from "../../ground/errors.ts"
import type { GrammarLanguage } from "./languages.ts"

/** The grammar of a language, ready to parse. */
export interface Grammar {
  readonly parser: Parser
  createQuery(text: string): Query
  /** The package of the grammar, and its version. */
  readonly version: string
  /** Set if the grammar is that of another language. */
  readonly notice?: string
}

/** The command that installs the optional packages. */
export const installGrammars = "npm install web-tree-sitter @vscode/tree-sitter-wasm tree-sitter-c"

/** Loads a grammar at its first use. Throws GRAMMAR_MISSING if the packages are not installed. */
export function openGrammar(language: GrammarLanguage): Promise<Grammar> {
  let grammar = open.get(language.name)
  if (!grammar) {
    grammar = loadGrammar(language)
    open.set(language.name, grammar)
    // A package that is installed later is found by the next call.
    grammar.catch(() => open.delete(language.name))
  }
  return grammar
}

const open = new Map<string, Promise<Grammar>>()

async function loadGrammar({ name, grammars }: GrammarLanguage): Promise<Grammar> {
  const treeSitter = await loadTreeSitter()
  const file = grammars.find((candidate) => resolve(candidate) !== undefined)
  if (file === undefined) throw missing(packageOf(grammars[0]!), `Code in ${name} cannot be parsed`)
  let language: Language
  try {
    language = await treeSitter.Language.load(resolve(file)!)
  } catch (error) {
    throw new CadreError(
      "GRAMMAR_MISSING",
      `The grammar of ${name} in ${packageOf(file)} does not load: ${messageOf(error)}. Install the versions that cadre supports: ${installGrammars}`,
      { cause: error },
    )
  }
  const parser = new treeSitter.Parser()
  parser.setLanguage(language)
  return {
    parser,
    createQuery: (text) => new treeSitter.Query(language, text),
    version: `${packageOf(file)} ${versionOf(packageOf(file))}`,
    ...(file !== grammars[0] && {
      notice: `${name} is parsed with the grammar in ${packageOf(file)}, because ${packageOf(grammars[0]!)} is not installed. Some code may be understood wrongly. Run: npm install ${packageOf(grammars[0]!)}`,
    }),
  }
}

let treeSitter: Promise<typeof import("web-tree-sitter")> | undefined

async function loadTreeSitter(): Promise<typeof import("web-tree-sitter")> {
  const place = resolve("web-tree-sitter")
  if (place === undefined) throw missing("web-tree-sitter", "Code cannot be parsed")
  treeSitter ??= start(place)
  return treeSitter
}

async function start(place: string): Promise<typeof import("web-tree-sitter")> {
  const loaded = (await import(pathToFileURL(place).href)) as typeof import("web-tree-sitter")
  await loaded.Parser.init()
  return loaded
}

const missing = (name: string, effect: string): CadreError =>
  new CadreError(
    "GRAMMAR_MISSING",
    `${effect}: the package ${name} is not installed. Run: ${installGrammars}`,
  )

const require = createRequire(import.meta.url)

function resolve(name: string): string | undefined {
  try {
    return require.resolve(name)
  } catch {
    return undefined
  }
}

const packageOf = (file: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(file)![0]

/** The version of a package is part of what a cached look depends on. */
function versionOf(name: string): string {
  try {
    return String((require(`${name}/package.json`) as { version?: unknown }).version)
  } catch {
    return "unknown"
  }
}
