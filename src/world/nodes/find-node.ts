import fs from "node:fs"
import path from "node:path"
import { CadreError, listKnownNames, quoteName } from "../../ground/errors.ts"
import { extractNodes } from "./extract.ts"
import { detectNameLanguage, detectTextLanguage, findGrammarLanguage } from "./languages.ts"
import type { CodeNode, FoundNode } from "./node.ts"
import { openReaders, type QueryOptions } from "./readers.ts"
import { placeBelow } from "./source-files.ts"
import { readSourceText } from "./source-text.ts"

/** The way to read an address. */
export interface FindNodeOptions extends QueryOptions {
  /** The folder that a relative path starts from. Default: the root. */
  readonly directory?: string
}

/**
 * Finds one code node and its text by its address. `src/x.py::Class.method` has the full name, or the end of one
 * that is unique in the file. `src/x.py::ID` has the id, and `src/x.py` is the whole file. The file must lie
 * below the root. Throws NODE_UNKNOWN if the address fits no node, or more than one.
 *
 * @example
 * ```ts
 * import { findNode } from "cadre/nodes"
 *
 * const { text, startLine } = await findNode(process.cwd(), "src/parser.py::Parser.next")
 * console.log(startLine, text)
 * ```
 */
export async function findNode(
  root: string,
  address: string,
  { directory = root, ...options }: FindNodeOptions = {},
): Promise<FoundNode> {
  const [place, wanted] = splitAddress(address)
  const base = fs.realpathSync.native(root)
  const target = placeBelow(base, directory, place)
  if (target.type !== "inside") throw unknown(`${quoteName(address)}: ${target.reason}`)
  const source = readSourceText(target.base, target.path)
  if (source.type === "refused") throw new CadreError("DISC_004", `${quoteName(address)}: ${source.reason}`)
  const file = path.relative(base, target.path).split(path.sep).join("/")
  const language = detectTextLanguage(file, detectNameLanguage(file) ?? "text", source.text)
  const readers = openReaders(options)
  // The whole file needs no grammar.
  const reader = wanted === undefined ? undefined : await readers.open(language)
  const { nodes } = extractNodes({ file, language, text: source.text, bytes: source.bytes }, reader)
  const node = wanted === undefined ? nodes[0]! : choose(nodes, wanted, address, language)
  return { ...node, text: source.bytes.toString("utf8", node.startByte, node.endByte) }
}

function splitAddress(address: string): readonly [file: string, name: string | undefined] {
  const at = address.indexOf("::")
  if (at < 0) return [address, undefined]
  const name = address.slice(at + 2).replaceAll("::", ".")
  if (name === "")
    throw unknown(
      `${quoteName(address)} names no node after "::". Write PATH::Class.method, or PATH for the whole file.`,
    )
  return [address.slice(0, at), name]
}

function choose(nodes: readonly CodeNode[], wanted: string, address: string, language: string): CodeNode {
  const parts = nodes.filter(({ type }) => type !== "file")
  const matches =
    matching(nodes, ({ id }) => id === wanted) ??
    matching(parts, ({ fullName }) => fullName === wanted) ??
    matching(parts, ({ fullName }) => fullName.endsWith(`.${wanted}`))
  if (!matches) {
    const names = parts.map(({ fullName }) => fullName)
    throw unknown(
      findGrammarLanguage(language)
        ? `${quoteName(address)}: the file has no node ${quoteName(wanted)}. ${listKnownNames(wanted, new Set(names))}`
        : `${quoteName(address)}: cadre has no grammar for ${language}, so the file is one node. Write the path alone.`,
    )
  }
  if (matches.length === 1) return matches[0]!
  const list = matches.map(({ id, fullName, startLine }) => `${id} (${fullName}, line ${startLine})`)
  throw unknown(
    `${quoteName(address)}: ${matches.length} nodes of the file have this name. Write one of these ids in its place: ${list.join(", ")}.`,
  )
}

function matching(
  nodes: readonly CodeNode[],
  test: (node: CodeNode) => boolean,
): readonly CodeNode[] | undefined {
  const matches = nodes.filter(test)
  return matches.length > 0 ? matches : undefined
}

const unknown = (message: string): CadreError => new CadreError("NODE_UNKNOWN", message)
