import { ExpressionFailure } from "../expression/failure.ts"
import type { TokenCursor } from "../expression/parse/cursor.ts"
import { parseFilter } from "../expression/parse/operand.ts"
import { parseExpressionNode, parseWithoutCondition } from "../expression/parse/parse.ts"
import { parseTuple } from "../expression/parse/tuple.ts"
import type { AssignmentTarget, FilterLink, TemplateNode } from "./node.ts"
import { parseTarget, parseTargets } from "./target.ts"

/** The nodes between a tag and the tag that ends it. The cursor is at the rest of that tag. */
export type TagBody =
  | { readonly nodes: readonly TemplateNode[]; readonly end: string; readonly cursor: TokenCursor }
  | { readonly nodes: readonly TemplateNode[]; readonly end: undefined; readonly cursor: undefined }

/** Parses the body of a tag, from the end of its head up to one of these tags. */
type ParseBody = (head: TokenCursor, ends: readonly string[]) => ClosedBody
type ClosedBody = Extract<TagBody, { end: string }>
type ParseTag = (cursor: TokenCursor, offset: number, parseBody: ParseBody) => TemplateNode

/** The known tags, by their first word. */
export const tags: ReadonlyMap<string, ParseTag> = new Map<string, ParseTag>([
  ["if", parseIf],
  ["for", parseFor],
  ["set", parseSet],
  ["filter", parseFilterTag],
  ["with", parseWith],
])

function parseIf(cursor: TokenCursor, offset: number, parseBody: ParseBody): TemplateNode {
  const branches = []
  let head = cursor
  for (;;) {
    const test = parseTuple(head, parseWithoutCondition)
    const body = parseBody(head, ["elif", "else", "endif"])
    branches.push({ test, body: body.nodes })
    if (body.end !== "elif")
      return { type: "if", offset, branches, otherwise: parseElse(body, "endif", parseBody) }
    head = body.cursor
  }
}

function parseFor(cursor: TokenCursor, offset: number, parseBody: ParseBody): TemplateNode {
  const target = parseTargets(cursor)
  cursor.expect("in")
  const items = parseTuple(cursor, parseWithoutCondition)
  const test = cursor.skip("if") ? parseExpressionNode(cursor) : undefined
  if (cursor.is("recursive"))
    throw new ExpressionFailure("Recursive loops are not supported.", cursor.current.offset)
  const body = parseBody(cursor, ["else", "endfor"])
  return {
    type: "for",
    offset,
    target,
    items,
    test,
    body: body.nodes,
    otherwise: parseElse(body, "endfor", parseBody),
  }
}

/** The body of `else`, if that is what ended the body before it. */
function parseElse(before: ClosedBody, end: string, parseBody: ParseBody): readonly TemplateNode[] {
  if (before.end === "else") return closed(parseBody(before.cursor, [end]))
  return closed({ ...before, nodes: [] })
}

function closed({ nodes, cursor }: ClosedBody): readonly TemplateNode[] {
  cursor.expectEnd()
  return nodes
}

function parseSet(cursor: TokenCursor, offset: number, parseBody: ParseBody): TemplateNode {
  if (cursor.following.text === ".")
    throw new ExpressionFailure(
      "Only names can be set: namespaces are not supported.",
      cursor.following.offset,
    )
  const target = parseTargets(cursor)
  if (cursor.skip("=")) {
    const value = parseTuple(cursor)
    cursor.expectEnd()
    return { type: "set", offset, target, value }
  }
  const filters: FilterLink[] = []
  while (cursor.skip("|")) filters.push(parseFilter(cursor))
  return { type: "set-block", offset, target, filters, body: closed(parseBody(cursor, ["endset"])) }
}

function parseFilterTag(cursor: TokenCursor, offset: number, parseBody: ParseBody): TemplateNode {
  const filters = [parseFilter(cursor)]
  while (cursor.skip("|")) filters.push(parseFilter(cursor))
  return { type: "filter", offset, filters, body: closed(parseBody(cursor, ["endfilter"])) }
}

function parseWith(cursor: TokenCursor, offset: number, parseBody: ParseBody): TemplateNode {
  const assignments = []
  while (cursor.current.type !== "end") {
    if (assignments.length > 0) cursor.expect(",")
    const target: AssignmentTarget = parseTarget(cursor)
    cursor.expect("=")
    assignments.push({ target, value: parseExpressionNode(cursor) })
  }
  return { type: "with", offset, assignments, body: closed(parseBody(cursor, ["endwith"])) }
}
