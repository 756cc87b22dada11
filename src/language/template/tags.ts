import { Failure } from "../expression/failure.ts"
import type { Cursor } from "../expression/parse/cursor.ts"
import { parseFilter } from "../expression/parse/operand.ts"
import { parseExpressionNode, parseWithoutCondition } from "../expression/parse/parse.ts"
import { parseTuple } from "../expression/parse/tuple.ts"
import type { FilterLink, Target, TemplateNode } from "./node.ts"
import { parseTarget, parseTargets } from "./target.ts"

/** What stands between a tag and the tag that ended it, whose rest is under the cursor. */
export type Body =
  | { readonly nodes: readonly TemplateNode[]; readonly end: string; readonly cursor: Cursor }
  | { readonly nodes: readonly TemplateNode[]; readonly end: undefined; readonly cursor: undefined }

/** Parses what follows a tag, from the end of its head up to one of these tags. */
type ParseBody = (head: Cursor, ends: readonly string[]) => ClosedBody
type ClosedBody = Extract<Body, { end: string }>
type ParseTag = (cursor: Cursor, offset: number, parseBody: ParseBody) => TemplateNode

/** The tags that are known, by the word they begin with. */
export const tags: ReadonlyMap<string, ParseTag> = new Map<string, ParseTag>([
  ["if", parseIf],
  ["for", parseFor],
  ["set", parseSet],
  ["filter", parseFilterTag],
  ["with", parseWith],
])

function parseIf(cursor: Cursor, offset: number, parseBody: ParseBody): TemplateNode {
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

function parseFor(cursor: Cursor, offset: number, parseBody: ParseBody): TemplateNode {
  const target = parseTargets(cursor)
  cursor.expect("in")
  const items = parseTuple(cursor, parseWithoutCondition)
  const test = cursor.skip("if") ? parseExpressionNode(cursor) : undefined
  if (cursor.is("recursive")) throw new Failure("Recursive loops are not supported.", cursor.current.offset)
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

function parseSet(cursor: Cursor, offset: number, parseBody: ParseBody): TemplateNode {
  if (cursor.following.text === ".")
    throw new Failure("Only names can be set: namespaces are not supported.", cursor.following.offset)
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

function parseFilterTag(cursor: Cursor, offset: number, parseBody: ParseBody): TemplateNode {
  const filters = [parseFilter(cursor)]
  while (cursor.skip("|")) filters.push(parseFilter(cursor))
  return { type: "filter", offset, filters, body: closed(parseBody(cursor, ["endfilter"])) }
}

function parseWith(cursor: Cursor, offset: number, parseBody: ParseBody): TemplateNode {
  const assignments = []
  while (cursor.current.type !== "end") {
    if (assignments.length > 0) cursor.expect(",")
    const target: Target = parseTarget(cursor)
    cursor.expect("=")
    assignments.push({ target, value: parseExpressionNode(cursor) })
  }
  return { type: "with", offset, assignments, body: closed(parseBody(cursor, ["endwith"])) }
}
