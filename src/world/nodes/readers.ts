import { hash } from "../../ground/crypto.ts"
import type { LanguageReader } from "./extract.ts"
import { openGrammar } from "./grammars.ts"
import { type GrammarLanguage, grammarLanguage } from "./languages.ts"
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
  /** Identifies all that the nodes of a file depend on besides the file. */
  fingerprint(reader: LanguageReader | undefined): string
  /** Sentences about grammars that are not the best ones. */
  readonly notices: readonly string[]
  /** Frees the compiled queries. */
  close(): void
}

/** Throws DISC_001 if a pack is not there. `open` throws DISC_003 and GRAMMAR_MISSING. */
export function openReaders({ queries = [], packs: names }: QueryOptions): Readers {
  const packs = readPacks(queries, names)
  const readers = new Map<string, LanguageReader | undefined>()
  const fingerprints = new Map<LanguageReader | undefined, string>([[undefined, "no grammar"]])
  const notices: string[] = []

  const openReader = async (language: GrammarLanguage): Promise<LanguageReader | undefined> => {
    const files = packs.filesFor(language)
    if (files.length === 0) return undefined
    const grammar = await openGrammar(language)
    if (grammar.notice !== undefined) notices.push(grammar.notice)
    const reader = { language, grammar, query: compileQueries(grammar, language.name, files) }
    fingerprints.set(
      reader,
      hash("sha256", JSON.stringify([language.name, grammar.version, files.map(({ text }) => text)]), "hex"),
    )
    return reader
  }

  return {
    async open(name) {
      if (readers.has(name)) return readers.get(name)
      const language = grammarLanguage(name)
      const reader = language && (await openReader(language))
      readers.set(name, reader)
      return reader
    },
    fingerprint: (reader) => fingerprints.get(reader)!,
    notices,
    close() {
      for (const reader of readers.values()) reader?.query.delete()
      readers.clear()
    },
  }
}
