import { listKnownNames } from "../../ground/errors.ts"
import { deepestNesting, ExpressionFailure } from "../expression/failure.ts"
import type { TokenCursor } from "../expression/parse/cursor.ts"
import { createCursor } from "../expression/parse/parse.ts"
import { parseTuple } from "../expression/parse/tuple.ts"
import type { TemplateNode } from "./node.ts"
import { scan, type TemplatePiece } from "./scan.ts"
import { type TagBody, tags } from "./tags.ts"

/** Parses a template. Throws a Failure if it is invalid. */
export function parseNodes(text: string): readonly TemplateNode[] {
  const pieces = scan(text)
  const place = { at: 0, depth: 0 }
  const { nodes } = parseBody(pieces, place, [])
  return nodes
}

/** The position in the pieces, shared by nested bodies. */
interface Place {
  at: number
  depth: number
}

/** Parses up to one of these tags, which the caller parses. Without tags, up to the end. */
function parseBody(pieces: readonly TemplatePiece[], place: Place, ends: readonly string[]): TagBody {
  const nodes: TemplateNode[] = []
  for (; place.at < pieces.length; place.at++) {
    const piece = pieces[place.at]!
    if (piece.type === "text") {
      nodes.push(piece)
      continue
    }
    const cursor = createCursor(piece.tokens, "jinja")
    if (piece.type === "print") {
      nodes.push({ type: "print", value: parseTuple(cursor), offset: piece.offset })
      cursor.expectEnd()
      continue
    }
    const name = cursor.expectName("the name of a tag")
    if (ends.includes(name.text)) return { nodes, end: name.text, cursor }
    if (!tags.has(name.text)) throw unknownTag(name, ends)
    nodes.push(parseTag(name, piece.offset, cursor, pieces, place))
  }
  return { nodes, end: undefined, cursor: undefined }
}

function parseTag(
  name: { readonly text: string; readonly offset: number },
  offset: number,
  cursor: TokenCursor,
  pieces: readonly TemplatePiece[],
  place: Place,
): TemplateNode {
  return tags.get(name.text)!(cursor, offset, (head, ends) => {
    head.skip(":")
    head.expectEnd()
    if (place.depth >= deepestNesting)
      throw new ExpressionFailure(`Tags are nested more than ${deepestNesting} levels deep.`, offset, "depth")
    place.at++
    place.depth++
    const body = parseBody(pieces, place, ends)
    place.depth--
    if (body.end === undefined)
      throw new ExpressionFailure(`{% ${name.text} %} is not closed: ${listTags(ends)} is missing.`, offset)
    return body
  })
}

const refused = new Set(
  "include import from extends block endblock macro endmacro call endcall autoescape endautoescape do trans endtrans pluralize break continue print debug".split(
    " ",
  ),
)
const inner = new Set(["elif", "else", "endif", "endfor", "endset", "endfilter", "endwith", "endraw"])

function unknownTag(
  { text, offset }: { readonly text: string; readonly offset: number },
  ends: readonly string[],
): ExpressionFailure {
  if (refused.has(text))
    return new ExpressionFailure(
      `{% ${text} %} is not allowed here: a template cannot read other templates, define code or change how it is rendered.`,
      offset,
    )
  if (inner.has(text)) {
    const reason = ends.length === 0 ? "no tag is open" : `${listTags(ends)} must come first`
    return new ExpressionFailure(`{% ${text} %} is not allowed here: ${reason}.`, offset)
  }
  return new ExpressionFailure(
    `Unknown tag "${text}". ${listKnownNames(text, [...tags.keys(), "raw"])}`,
    offset,
  )
}

function listTags(ends: readonly string[]): string {
  return ends.map((end) => `{% ${end} %}`).join(" or ")
}
