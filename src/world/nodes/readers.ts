import { hash } from "../../ground/crypto.ts"
import type { LanguageReader } from "./extract.ts"
import { locateGrammar, openGrammar } from "./grammars.ts"
import { findGrammarLanguage } from "./languages.ts"
import { compileQueries, readPacks } from "./packs.ts"

/** The choice of query packs. */
export interface QueryOptions {
  /** Folders with further query packs, in LANGUAGE/PACK/NAME.scm. They replace packs of the same name. */
  readonly queries?: readonly string[]
  /** The names of the packs to use. Default: all. */
  readonly packs?: readonly string[]
}

/** Opens the grammars and queries of languages, each at its first use. */
export interface Readers {
  /** Undefined for a language without a grammar, or without a query. */
  open(language: string): Promise<LanguageReader | undefined>
  /** Identifies everything that the nodes of a file depend on besides the file. Loads no grammar. */
  fingerprint(language: string): string
  /** Sentences about grammars that are not the best ones. */
  readonly notices: ReadonlySet<string>
}

/** Changes whenever the same file would give other nodes. */
const extractorVersion = 1

/** Compiling takes up to a second, and a program uses few packs, so it happens once. */
const compiled = new Map<string, LanguageReader>()

/** Throws DISC_001 if a pack is not there. `open` throws DISC_003 and GRAMMAR_MISSING. */
export function openReaders({ queries = [], packs: names }: QueryOptions): Readers {
  const packs = readPacks(queries, names)
  const readers = new Map<string, LanguageReader | undefined>()
  const fingerprints = new Map<string, string>()
  const notices = new Set<string>()

  const openReader = async (name: string): Promise<LanguageReader | undefined> => {
    const language = findGrammarLanguage(name)
    const files = language ? packs.filesFor(language) : []
    if (!language || files.length === 0) return undefined
    const key = JSON.stringify([name, files.map(({ text }) => text)])
    const earlier = compiled.get(key)
    if (earlier) return earlier
    const grammar = await openGrammar(language)
    const reader = { language, grammar, query: compileQueries(grammar, name, files) }
    compiled.set(key, reader)
    return reader
  }

  const describe = (name: string): readonly unknown[] => {
    const language = findGrammarLanguage(name)
    const files = language ? packs.filesFor(language) : []
    if (!language || files.length === 0) return [name]
    const { version, notice } = locateGrammar(language)
    if (notice !== undefined) notices.add(notice)
    return [name, version, files.map(({ text }) => text)]
  }

  return {
    async open(name) {
      if (readers.has(name)) return readers.get(name)
      describe(name)
      const reader = await openReader(name)
      readers.set(name, reader)
      return reader
    },
    fingerprint(name) {
      let fingerprint = fingerprints.get(name)
      if (fingerprint === undefined) {
        fingerprint = hash("sha256", JSON.stringify([extractorVersion, ...describe(name)]), "hex").slice(
          0,
          16,
        )
        fingerprints.set(name, fingerprint)
      }
      return fingerprint
    },
    notices,
  }
}
