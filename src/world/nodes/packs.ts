import fs from "node:fs"
import path from "node:path"
import type { Query } from "web-tree-sitter"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { createRangeFinder } from "../../ground/diagnostics/position.ts"
import { CadreError, describeThrown, listKnownNames, quoteName } from "../../ground/errors.ts"
import { findPackageFolder } from "../../ground/paths/package-folder.ts"
import type { Grammar } from "./grammars.ts"
import { type GrammarLanguage, grammarLanguages } from "./languages.ts"

/** One file of a query pack. */
interface QueryFile {
  readonly language: string
  readonly pack: string
  readonly file: string
  readonly text: string
}

/** The query packs of one look, by language. */
export interface QueryPacks {
  filesFor(language: GrammarLanguage): readonly QueryFile[]
}

const largestQueryFile = 256 * 1024

/** The folder of the query files that ship. */
export function locateBuiltInQueries(): string {
  const folder = findPackageFolder()
  if (folder === undefined)
    throw packError("cadre's own query packs are missing: they lie beside the package, and not in a bundle.")
  return path.join(folder, "queries")
}

/**
 * Reads the packs of the given folders, and the built-in one. A folder replaces a pack of the same language
 * and name that an earlier one has. Throws DISC_001 for a folder or a name without a pack.
 */
export function readPacks(folders: readonly string[], names: readonly string[] | undefined): QueryPacks {
  const packs = new Map<string, readonly QueryFile[]>()
  for (const folder of [locateBuiltInQueries(), ...folders])
    for (const [key, files] of packsIn(folder)) packs.set(key, files)
  const all = [...packs.values()].flat()
  const knownPacks = new Set(all.map(({ pack }) => pack))
  for (const name of names ?? [])
    if (!knownPacks.has(name))
      throw packError(`No query pack is named ${quoteName(name)}. ${listKnownNames(name, knownPacks)}`)
  const chosen = names ? all.filter(({ pack }) => names.includes(pack)) : all
  return { filesFor: ({ queries }) => chosen.filter(({ language }) => queries.includes(language)) }
}

function packsIn(folder: string): Map<string, readonly QueryFile[]> {
  const packs = new Map<string, readonly QueryFile[]>()
  const languages = new Set(grammarLanguages.map(({ name }) => name))
  for (const language of namesIn(folder, "folder"))
    for (const pack of namesIn(path.join(folder, language), "folder")) {
      const place = path.join(folder, language, pack)
      const files = namesIn(place, "file").filter((name) => name.endsWith(".scm"))
      if (files.length === 0) continue
      if (!languages.has(language))
        throw packError(
          `${place}: cadre has no grammar for ${quoteName(language)}. ${listKnownNames(language, languages)}`,
        )
      packs.set(
        `${language}/${pack}`,
        files.map((name) => ({ language, pack, ...readQueryFile(path.join(place, name)) })),
      )
    }
  if (packs.size === 0)
    throw packError(
      `${folder} has no query pack. Queries lie in LANGUAGE/PACK/NAME.scm. Copy the built-in ones with: cadre nodes --copy-queries FOLDER`,
    )
  return packs
}

function namesIn(folder: string, kind: "file" | "folder"): readonly string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => {
        const stats = fs.statSync(path.join(folder, name), { throwIfNoEntry: false })
        return kind === "file" ? stats?.isFile() : stats?.isDirectory()
      })
      .sort()
  } catch (error) {
    throw packError(`The folder of query packs ${folder} cannot be read: ${describeThrown(error)}`, error)
  }
}

function readQueryFile(file: string): { file: string; text: string } {
  try {
    if (fs.statSync(file).size > largestQueryFile)
      throw packError(`${file} has more than ${largestQueryFile} bytes. Split it into several files.`)
    return { file, text: fs.readFileSync(file, "utf8") }
  } catch (error) {
    if (error instanceof CadreError) throw error
    throw packError(`The query ${file} cannot be read: ${describeThrown(error)}`, error)
  }
}

const packError = (message: string, cause?: unknown): CadreError =>
  new CadreError("DISC_001", message, cause === undefined ? {} : { cause })

/** Compiles the queries of a language. Throws DISC_003 with the place of the mistake. */
export function compileQueries(grammar: Grammar, language: string, files: readonly QueryFile[]): Query {
  const query = compileAll(grammar, language, files)
  const wrong = query.captureNames.find((name) => !isKnownCapture(name))
  if (wrong === undefined) return query
  const file = files.find(({ text }) => text.includes(`@${wrong}`))!
  throw queryError(
    file,
    file.text.indexOf(`@${wrong}`),
    `Unknown capture ${quoteName(`@${wrong}`)}. Names that begin with "_" are free. ${listKnownNames(wrong, knownCaptures)}`,
  )
}

function compileAll(grammar: Grammar, language: string, files: readonly QueryFile[]): Query {
  try {
    return grammar.createQuery(files.map(({ text }) => text).join("\n"))
  } catch (error) {
    // Each file by itself, because a bracket that is missing in one of them is only missed in the next one.
    for (const file of files) compileFile(grammar, language, file)
    throw error
  }
}

function compileFile(grammar: Grammar, language: string, file: QueryFile): void {
  try {
    grammar.createQuery(file.text).delete()
  } catch (error) {
    const index = (error as { readonly index?: unknown }).index
    throw queryError(
      file,
      typeof index === "number" ? index : 0,
      `The query does not fit the grammar of ${language}: ${describeThrown(error).split("\n")[0]}. Files of ${language} cannot be read before this is fixed.`,
      error,
    )
  }
}

const knownCaptures = [
  ...["file", "class", "function", "scope", "owner"].flatMap((kind) => [`${kind}.def`, `${kind}.name`]),
  "class.body",
  "function.body",
  "owner.body",
  "function.owner",
  "wider.def",
  "wider.inner",
]

const isKnownCapture = (name: string): boolean => name.startsWith("_") || knownCaptures.includes(name)

function queryError(file: QueryFile, index: number, message: string, cause?: unknown): CadreError {
  const range = createRangeFinder(file.text)({ start: index, end: index })
  const diagnostic: Diagnostic = { code: "DISC_003", severity: "error", message, file: file.file, range }
  return new CadreError("DISC_003", `${file.file}:${range.start.line}:${range.start.column}: ${message}`, {
    diagnostics: [diagnostic],
    ...(cause !== undefined && { cause }),
  })
}
