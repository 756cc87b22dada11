import fs from "node:fs"
import type { Diagnostic, DiagnosticSeverity } from "../../ground/diagnostics/diagnostic.ts"
import { CadreError, describeThrown, listKnownNames, quoteName } from "../../ground/errors.ts"
import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import { Glob } from "../../ground/paths/glob.ts"
import { PathRefusal } from "../../ground/paths/refusal.ts"
import { type LookCache, openLookCache } from "./cache/look-cache.ts"
import { extractNodes, type FileNodes } from "./extract.ts"
import { type FolderReader, openFolderReader } from "./folder-reader.ts"
import { detectTextLanguage, knownLanguages, mayBeOf } from "./languages.ts"
import { type CodeNode, type NodeType, nodeTypes } from "./node.ts"
import { openReaders, type QueryOptions, type Readers } from "./readers.ts"
import { listSourceFiles, type SourcePlace } from "./source-files.ts"
import { readOpenedText } from "./source-text.ts"

/** The choice of files and nodes. */
export interface DiscoverOptions extends QueryOptions {
  /** Files and folders below the root. Default: the directory. */
  readonly paths?: readonly string[]
  /** The folder that relative paths start from. Default: the root. */
  readonly directory?: string
  /** Only files of these languages, such as `python`. */
  readonly languages?: readonly string[]
  /** Only nodes of these types. */
  readonly types?: readonly NodeType[]
  /** Only nodes whose name or full name matches the pattern: `test_*`, `Parser.*`. */
  readonly name?: string
  /** The folder that keeps what looks found, for the next look. Default: none. */
  readonly cache?: string
  /** Stops the look. */
  readonly signal?: AbortSignal
}

/** The code nodes of a tree, one file after the other. Each iteration is a new look. */
export interface NodeSearch extends AsyncIterable<CodeNode> {
  /** The files that could not be read or only in part, so far in this look. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Finds the files, classes, functions and methods below a root. Files that .gitignore excludes are left out.
 * Only one file at a time is in memory. An iteration throws DISC_001 or DISC_003 for wrong queries, and
 * GRAMMAR_MISSING; a file that cannot be read is a diagnostic.
 *
 * @example
 * ```ts
 * import { discoverNodes } from "cadre/nodes"
 *
 * const search = discoverNodes(process.cwd(), { paths: ["src"], types: ["method"] })
 * for await (const { file, fullName, startLine } of search) console.log(`${file}:${startLine} ${fullName}`)
 * for (const { file, message } of search.diagnostics) console.warn(file, message)
 * ```
 */
export function discoverNodes(root: string, options: DiscoverOptions = {}): NodeSearch {
  requireDiscoverOptions("discoverNodes", options)
  const matches = createNodeFilter(options)
  let diagnostics: Diagnostic[] = []
  return {
    get diagnostics() {
      return diagnostics
    },
    async *[Symbol.asyncIterator]() {
      diagnostics = []
      for await (const { nodes } of discoverFiles(root, options, (diagnostic) =>
        diagnostics.push(diagnostic),
      ))
        for (const node of nodes) if (matches(node)) yield node
    },
  }
}

const discoverOptions: KnownOptions<DiscoverOptions> = {
  paths: "known",
  directory: "known",
  languages: "known",
  types: "known",
  name: "known",
  cache: "known",
  queries: "known",
  packs: "known",
  signal: "known",
}

/** Throws OPTION_INVALID for an option, a language or a type that there is not. */
export function requireDiscoverOptions(owner: string, options: DiscoverOptions): void {
  requireKnownOptions(owner, options, discoverOptions)
  const requireNames = (
    option: string,
    names: readonly string[] = [],
    knownNames: readonly string[],
  ): void => {
    for (const name of names)
      if (!knownNames.includes(name))
        throw new CadreError(
          "OPTION_INVALID",
          `${owner}: ${option} has ${quoteName(name)}. ${listKnownNames(name, knownNames)}`,
        )
  }
  requireNames("languages", options.languages, [...knownLanguages, "text"])
  requireNames("types", options.types, nodeTypes)
}

/** Throws OPTION_INVALID for a pattern that cannot be read. */
export function createNodeFilter({
  types,
  name,
}: Pick<DiscoverOptions, "types" | "name">): (node: CodeNode) => boolean {
  const pattern = name === undefined ? undefined : readPattern(name)
  return (node) =>
    (types === undefined || types.includes(node.type)) &&
    (pattern === undefined || pattern.matches(node.name) || pattern.matches(node.fullName))
}

function readPattern(name: string): Glob {
  try {
    return new Glob(name)
  } catch (error) {
    if (!(error instanceof PathRefusal)) throw error
    throw new CadreError(
      "OPTION_INVALID",
      `The pattern of names ${quoteName(name)} cannot be read: ${describeThrown(error)}`,
    )
  }
}

interface FileResult extends FileNodes {
  readonly file: string
}

/** The nodes of every file, also those that the types and the name leave out. */
async function* discoverFiles(
  root: string,
  options: DiscoverOptions,
  tell: (diagnostic: Diagnostic) => void,
): AsyncGenerator<FileResult> {
  const base = fs.realpathSync.native(root)
  const { directory = root, paths = ["."], languages, signal } = options
  const readers = openReaders(options)
  const folders = openFolderReader(base)
  const cache = options.cache === undefined ? undefined : openLookCache(options.cache, base)
  let look: "complete" | "incomplete" = "incomplete"
  try {
    const problem = ({
      file,
      severity,
      message,
    }: {
      file: string
      severity: DiagnosticSeverity
      message: string
    }) => tell(fileProblem(file, severity, message))
    for await (const place of listSourceFiles(base, directory, paths, problem, signal)) {
      if (!mayBeOf(languages, place.file, place.language)) {
        if (place.from === "folder") cache?.pass(place.file)
        continue
      }
      signal?.throwIfAborted()
      const look = await lookAt(place, folders, readers, place.from === "folder" ? cache : undefined)
      for (const diagnostic of look.diagnostics) tell(diagnostic)
      if (!languages || (look.language !== undefined && languages.includes(look.language)))
        yield { file: place.file, ...look }
    }
    look = "complete"
  } finally {
    folders.close()
    cache?.close(look)
  }
  for (const notice of readers.notices) tell(fileProblem(".", "info", notice))
  if (cache?.problem !== undefined)
    tell(
      fileProblem(options.cache!, "info", `The nodes could not be kept for the next look: ${cache.problem}.`),
    )
}

interface Look extends FileNodes {
  /** Undefined: the file could not be read. */
  readonly language?: string
}

async function lookAt(
  { path: target, file, language: byName, from }: SourcePlace,
  folders: FolderReader,
  readers: Readers,
  cache: LookCache | undefined,
): Promise<Look> {
  const stats = cache && fs.lstatSync(target, { bigint: true, throwIfNoEntry: false })
  const cached = stats && cache.find(file, stats, readers.fingerprint)
  if (cached) return { ...cached.result, language: cached.language }
  const readAt = Date.now()
  const source = readOpenedText(() => folders.open(target))
  if (source.type === "refused") {
    const severity = from === "path" ? "error" : "warning"
    return { nodes: [], diagnostics: [fileProblem(file, severity, `${file}: ${source.reason}`)] }
  }
  const language = detectTextLanguage(file, byName, source.text)
  const reader = await readers.open(language)
  const result = extractNodes({ file, language, text: source.text, bytes: source.bytes }, reader)
  cache?.put(file, {
    language,
    fingerprint: readers.fingerprint(language),
    stats: source.stats,
    readAt,
    result,
  })
  return { ...result, language }
}

const fileProblem = (file: string, severity: DiagnosticSeverity, message: string): Diagnostic => ({
  code: "DISC_004",
  severity,
  message,
  file,
  range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } },
})
