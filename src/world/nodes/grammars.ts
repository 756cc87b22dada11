import fs from "node:fs"
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import type { Parser, Query } from "web-tree-sitter"
import { CadreError, describeThrown } from "../../ground/errors.ts"
import type { GrammarLanguage } from "./languages.ts"

/** The grammar of a language, ready to parse. */
export interface Grammar {
  readonly parser: Parser
  createQuery(text: string): Query
}

/** An installed grammar that is not loaded yet. */
export interface GrammarFile {
  readonly path: string
  /** The packages that parse, with their versions. */
  readonly version: string
  /** Set if the grammar is that of another language. */
  readonly notice?: string
}

/** The command that installs the optional packages. */
const installGrammars = "npm install web-tree-sitter @vscode/tree-sitter-wasm tree-sitter-c"

/** Finds the grammar of a language. Throws GRAMMAR_MISSING if the packages are not installed. */
export function locateGrammar({ name, grammars }: GrammarLanguage): GrammarFile {
  const grammar = grammars.find((candidate) => resolve(candidate) !== undefined)
  if (grammar === undefined) throw missing(packageOf(grammars[0]!), `Code in ${name} cannot be parsed`)
  if (resolve("web-tree-sitter") === undefined) throw missing("web-tree-sitter", "Code cannot be parsed")
  const better = grammar === grammars[0] ? undefined : packageOf(grammars[0]!)
  return {
    path: resolve(grammar)!,
    version: ["web-tree-sitter", packageOf(grammar)].map((one) => `${one} ${versionOf(one)}`).join(", "),
    ...(better !== undefined && {
      notice: `${name} is parsed with the grammar in ${packageOf(grammar)}, because ${better} is not installed. Some code may be understood wrongly. Run: npm install ${better}`,
    }),
  }
}

/** Loads a grammar at its first use. */
export function openGrammar(language: GrammarLanguage): Promise<Grammar> {
  let grammar = grammars.get(language.name)
  if (!grammar) {
    grammar = loadGrammar(language)
    grammars.set(language.name, grammar)
    // A package that is repaired later is found by the next call.
    grammar.catch(() => grammars.delete(language.name))
  }
  return grammar
}

const grammars = new Map<string, Promise<Grammar>>()

async function loadGrammar(wanted: GrammarLanguage): Promise<Grammar> {
  const { path } = locateGrammar(wanted)
  try {
    const treeSitter = await loadTreeSitter()
    const language = await treeSitter.Language.load(path)
    const parser = new treeSitter.Parser()
    parser.setLanguage(language)
    return { parser, createQuery: (text) => new treeSitter.Query(language, text) }
  } catch (error) {
    throw new CadreError(
      "GRAMMAR_MISSING",
      `The grammar ${path} of ${wanted.name} does not load: ${describeThrown(error)}. Install the versions that cadre supports: ${installGrammars}`,
      { cause: error },
    )
  }
}

let treeSitter: Promise<typeof import("web-tree-sitter")> | undefined

function loadTreeSitter(): Promise<typeof import("web-tree-sitter")> {
  treeSitter ??= start()
  return treeSitter
}

async function start(): Promise<typeof import("web-tree-sitter")> {
  const place = pathToFileURL(resolve("web-tree-sitter")!).href
  const loaded = (await import(place)) as typeof import("web-tree-sitter")
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

/** `web-tree-sitter` does not export its package.json, so it is read beside its main file. */
function versionOf(name: string): string {
  const folders = require.resolve.paths(name) ?? []
  for (const folder of folders)
    try {
      return String(JSON.parse(fs.readFileSync(`${folder}/${name}/package.json`, "utf8")).version)
    } catch {
      // Not in this folder: the next one up.
    }
  return "unknown"
}
