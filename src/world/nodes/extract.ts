import type { Query, Tree } from "web-tree-sitter"
import { hash } from "../../ground/crypto.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { createRangeFinder } from "../../ground/diagnostics/position.ts"
import {
  type CodeDefinition,
  type CodeProblem,
  createParserFailure,
  findDefinitions,
  findSyntaxError,
} from "./definitions.ts"
import type { Grammar } from "./grammars.ts"
import { identify, type UnnamedNode } from "./identify.ts"
import type { GrammarLanguage } from "./languages.ts"
import { nameParts } from "./names.ts"
import type { CodeNode } from "./node.ts"
import { createByteOffsets, createLineFinder } from "./offsets.ts"

/** A source file that was read. */
export interface CodeFile {
  /** The path from the root, with "/" between names. */
  readonly file: string
  readonly language: string
  readonly text: string
  /** The same as it is in the file, in UTF-8. */
  readonly bytes: Buffer
}

/** The means to parse one language. */
export interface LanguageReader {
  readonly language: GrammarLanguage
  readonly grammar: Grammar
  readonly query: Query
}

export interface FileNodes {
  readonly nodes: readonly CodeNode[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The nodes of one file, in the order of the text. Without a reader it is the file alone. Never throws. */
export function extractNodes(source: CodeFile, reader: LanguageReader | undefined): FileNodes {
  const { definitions, problems } = reader ? parse(source.text, reader) : nothing
  const range = problems.length > 0 ? createRangeFinder(source.text) : undefined
  return {
    nodes: reader ? toNodes(source, definitions, reader.language) : toNodes(source, [], {}),
    diagnostics: problems.map(({ start, ...problem }) => ({
      ...problem,
      file: source.file,
      range: range!({ start, end: start }),
    })),
  }
}

interface Parsed {
  readonly definitions: readonly CodeDefinition[]
  readonly problems: readonly CodeProblem[]
}

const nothing: Parsed = { definitions: [], problems: [] }

function parse(text: string, { grammar, query }: LanguageReader): Parsed {
  let tree: Tree | null = null
  try {
    tree = grammar.parser.parse(text)
    if (!tree) return { definitions: [], problems: [createParserFailure(new Error("it gave no tree"))] }
    const result = findDefinitions(query, tree, text)
    const syntaxError = findSyntaxError(tree)
    return syntaxError ? { ...result, problems: [...result.problems, syntaxError] } : result
  } catch (error) {
    grammar.parser.reset()
    return { definitions: [], problems: [createParserFailure(error)] }
  } finally {
    tree?.delete()
  }
}

interface Placed {
  readonly definition: CodeDefinition
  /** The names of everything around, and its own. */
  readonly path: readonly string[]
  readonly isInClass: boolean
  /** The text around a method that tells it from others with the same name. */
  readonly header: string
}

function toNodes(
  { file, language, text, bytes }: CodeFile,
  definitions: readonly CodeDefinition[],
  dialect: Pick<GrammarLanguage, "separator">,
): readonly CodeNode[] {
  const placed = place(definitions, text, dialect).filter(({ definition: { kind } }) => isNode(kind))
  const lineOf = createLineFinder(text)
  const toByte = createByteOffsets(
    text,
    bytes.length,
    placed.flatMap(({ definition: { start, end, body } }) => [
      start,
      end,
      ...(body ? [body.start, body.end] : []),
    ]),
  )
  const stem = file.slice(file.lastIndexOf("/") + 1).replace(/(?<=.)\.[^.]*$/, "")
  const whole: UnnamedNode = {
    type: "file",
    name: stem,
    fullName: stem,
    language,
    file,
    startLine: 1,
    endLine: lineOf(Math.max(0, text.length - 1)),
    startByte: 0,
    endByte: bytes.length,
    textHash: shortHash(bytes),
    signature: "",
  }
  const parts = placed.map(({ definition, path, isInClass, header }): UnnamedNode => {
    const { kind, start, end, body } = definition
    const name = path.at(-1)!
    const startByte = toByte(start)
    const endByte = toByte(end)
    const bodyBytes = body && { start: toByte(body.start), end: toByte(body.end) }
    const bodyHash = bodyBytes && shortHash(bytes.subarray(bodyBytes.start, bodyBytes.end))
    const nameless = body && withoutWord(text.slice(body.start, body.end), name)
    return {
      type: kind === "class" ? "class" : isInClass ? "method" : "function",
      name,
      fullName: path.join("."),
      language,
      file,
      startLine: lineOf(start),
      endLine: lineOf(Math.max(start, end - 1)),
      startByte,
      endByte,
      // The hash of the body stands for the body, so that no long text is hashed twice.
      textHash: bodyBytes
        ? shortHash(
            `${bytes.toString("latin1", startByte, bodyBytes.start)}\0${bodyHash}\0${bytes.toString("latin1", bodyBytes.end, endByte)}`,
          )
        : shortHash(bytes.subarray(startByte, endByte)),
      ...(bodyHash !== undefined && { bodyHash }),
      ...(nameless !== undefined && { namelessBodyHash: shortHash(nameless) }),
      signature: header + text.slice(start, body?.start ?? end),
    }
  })
  return identify([whole, ...parts], (signature) => shortHash(unformatted(signature)))
}

const isNode = (kind: CodeDefinition["kind"]): boolean => kind === "class" || kind === "function"

/** Definitions come in the order of the text, so what surrounds one is on a stack. */
function place(
  definitions: readonly CodeDefinition[],
  text: string,
  dialect: Pick<GrammarLanguage, "separator">,
): readonly Placed[] {
  const namespaces = new Set(
    definitions.flatMap((one) => (one.kind === "scope" ? nameParts(one, dialect) : [])),
  )
  const around: Placed[] = []
  return definitions.map((definition) => {
    while (around.length > 0 && around.at(-1)!.definition.end <= definition.start) around.pop()
    const parent = around.at(-1)
    const names = nameParts(definition, dialect)
    const owner = names.at(-2)
    const placed: Placed = {
      definition,
      path: [...(parent?.path ?? []), ...names],
      isInClass:
        (parent !== undefined && (parent.isInClass || ["class", "owner"].includes(parent.definition.kind))) ||
        (owner !== undefined && !namespaces.has(owner)),
      header: parent?.definition.kind === "owner" ? headerOf(parent.definition, text) : "",
    }
    around.push(placed)
    return placed
  })
}

const headerOf = ({ start, end, body }: CodeDefinition, text: string): string =>
  body ? text.slice(start, body.start) : text.slice(start, end)

/** Formatters change white space, and these marks. */
const unformatted = (text: string): string => text.replaceAll(/[\s,;()'"`]+/g, "")

/** The text without every occurrence of a word. Undefined if the word is not in it. */
function withoutWord(text: string, word: string): string | undefined {
  const parts: string[] = []
  let from = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    if (isWordPart(text[at - 1]) || isWordPart(text[at + word.length])) continue
    parts.push(text.slice(from, at))
    from = at + word.length
  }
  return from === 0 ? undefined : [...parts, text.slice(from)].join("\0")
}

const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_$]/u.test(character)

const shortHash = (data: string | Uint8Array): string => hash("sha256", data, "hex").slice(0, 16)
