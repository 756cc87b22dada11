import type { Query, QueryMatch, Tree } from "web-tree-sitter"
import { describeThrown } from "../../ground/errors.ts"

/** A part of a text that a query names, with UTF-16 offsets. Scopes and owners only give names. */
export interface CodeDefinition {
  readonly kind: DefinitionKind
  readonly start: number
  readonly end: number
  /** As written in the text. */
  readonly name: string
  /** The type that a method belongs to, where it does not surround the method. */
  readonly owner?: string
  readonly body?: { readonly start: number; readonly end: number }
}

/** `scope` is a namespace, `owner` a block of methods of a class, as `impl` in Rust. */
export type DefinitionKind = "class" | "function" | "scope" | "owner"

/** A problem at an offset of the text. */
export interface CodeProblem {
  readonly code: "DISC_002" | "DISC_004"
  readonly severity: "error" | "warning"
  readonly message: string
  readonly start: number
}

interface Draft {
  kind: DefinitionKind
  start: number
  end: number
  name: string
  owner?: string
  body?: { start: number; end: number }
}

/** Everything that the queries name, in the order of the text, the outer before the inner. */
export function findDefinitions(
  query: Query,
  tree: Tree,
  text: string,
): { readonly definitions: readonly CodeDefinition[]; readonly problems: readonly CodeProblem[] } {
  const drafts = new Map<string, Draft>()
  const wider = new Map<string, { start: number; end: number }>()
  const problems: CodeProblem[] = []
  for (const match of query.matches(tree.rootNode)) {
    const parts = partsOf(match)
    if (!parts) continue
    if (parts.kind === "wider") {
      if (parts.inner) wider.set(keyOf(parts.inner), parts.definition)
      continue
    }
    const { kind, definition, named, body, owner } = parts
    const name = named ? text.slice(named.start, named.end) : match.setProperties?.name
    if (name === undefined || name === null || name === "") {
      const message = `A query matched a ${kind} without @${kind}.name here. Capture its name, or set it with (#set! name "…").`
      problems.push({ code: "DISC_002", severity: "error", message, start: definition.start })
      continue
    }
    // Several patterns and packs can match one definition.
    const key = `${kind} ${named ? named.start : `=${definition.start}`}`
    const draft = drafts.get(key)
    if (!draft) {
      drafts.set(key, {
        kind,
        ...definition,
        name,
        ...(body && { body }),
        ...(owner && { owner: text.slice(owner.start, owner.end) }),
      })
      continue
    }
    if (definition.end - definition.start > draft.end - draft.start) Object.assign(draft, definition)
    if (body) draft.body ??= body
    if (owner) draft.owner ??= text.slice(owner.start, owner.end)
  }
  for (const draft of drafts.values()) widen(draft, wider)
  const definitions = [...drafts.values()].sort((one, two) => one.start - two.start || two.end - one.end)
  return { definitions, problems }
}

interface Part {
  readonly start: number
  readonly end: number
}

interface Parts {
  kind: DefinitionKind | "wider"
  definition: Part
  named?: Part
  body?: Part
  owner?: Part
  inner?: Part
}

/** Undefined for a match that defines nothing, such as one that has only free captures. */
function partsOf({ captures }: QueryMatch): Parts | undefined {
  let whole: Parts | undefined
  const parts: Partial<Parts> = {}
  for (const { name, node } of captures) {
    const dot = name.indexOf(".")
    if (dot < 1) continue
    const part = { start: node.startIndex, end: node.endIndex }
    switch (name.slice(dot + 1)) {
      case "def": {
        const kind = name.slice(0, dot)
        // The node of a file is there without a query.
        if (kind !== "file") whole = { kind: kind as Parts["kind"], definition: part }
        break
      }
      case "name":
        parts.named = part
        break
      case "body":
        parts.body = part
        break
      case "owner":
        parts.owner = part
        break
      case "inner":
        parts.inner = part
    }
  }
  return whole && { ...parts, ...whole }
}

const keyOf = ({ start, end }: Part): string => `${start}:${end}`

/** The wider part can have a wider part itself: a template in a template, an exported declaration. */
function widen(draft: Draft, wider: ReadonlyMap<string, Part>): void {
  for (let part = wider.get(keyOf(draft)); part; part = wider.get(keyOf(part))) {
    const grows = part.end - part.start > draft.end - draft.start
    if (!grows) return
    Object.assign(draft, part)
  }
}

/** The first syntax error of a tree. Its parser goes on behind it. */
export function findSyntaxError(tree: Tree): CodeProblem | undefined {
  let node = tree.rootNode
  if (!node.hasError) return undefined
  for (;;) {
    const inner = node.children.find((child) => child.hasError || child.isError || child.isMissing)
    if (!inner) break
    node = inner
  }
  const what = node.isMissing ? `${JSON.stringify(node.type)} is missing` : "the code cannot be parsed"
  return {
    code: "DISC_004",
    severity: "warning",
    message: `Syntax error: ${what} here. Code nodes nearby may be missing or cut.`,
    start: node.startIndex,
  }
}

/** A tree-sitter that gave up, as a problem of the file. */
export const createParserFailure = (error: unknown): CodeProblem => ({
  code: "DISC_002",
  severity: "error",
  message: `tree-sitter failed on this file: ${describeThrown(error)}. The file was skipped.`,
  start: 0,
})
