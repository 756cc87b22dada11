import { knownNames } from "../../ground/errors.ts"
import { Failure, maxDepth } from "../expression/failure.ts"
import type { Cursor } from "../expression/parse/cursor.ts"
import { cursorOver } from "../expression/parse/parse.ts"
import { parseTuple } from "../expression/parse/tuple.ts"
import type { TemplateNode } from "./node.ts"
import { type Piece, scan } from "./scan.ts"
import { type Body, tags } from "./tags.ts"

/** The parts of a template; throws a Failure where it is wrong. */
export function parseNodes(text: string): readonly TemplateNode[] {
  const pieces = scan(text)
  const place = { at: 0, depth: 0 }
  const { nodes } = parseBody(pieces, place, [])
  return nodes
}

/** Moves through the pieces while bodies inside bodies are parsed. */
interface Place {
  at: number
  depth: number
}

/** Parses up to one of these tags, which is left to the caller; without any, up to the end. */
function parseBody(pieces: readonly Piece[], place: Place, ends: readonly string[]): Body {
  const nodes: TemplateNode[] = []
  for (; place.at < pieces.length; place.at++) {
    const piece = pieces[place.at]!
    if (piece.type === "text") {
      nodes.push(piece)
      continue
    }
    const cursor = cursorOver(piece.tokens, "jinja")
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
  cursor: Cursor,
  pieces: readonly Piece[],
  place: Place,
): TemplateNode {
  return tags.get(name.text)!(cursor, offset, (head, ends) => {
    head.skip(":")
    head.expectEnd()
    if (place.depth >= maxDepth)
      throw new Failure(`Tags are nested more than ${maxDepth} levels deep.`, offset, "depth")
    place.at++
    place.depth++
    const body = parseBody(pieces, place, ends)
    place.depth--
    if (body.end === undefined)
      throw new Failure(`{% ${name.text} %} is not closed: ${written(ends)} is missing.`, offset)
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
): Failure {
  if (refused.has(text))
    return new Failure(
      `{% ${text} %} is not allowed here: a template cannot read other templates, define code or change how it is rendered.`,
      offset,
    )
  if (inner.has(text)) {
    const reason = ends.length === 0 ? "no tag is open" : `${written(ends)} comes first`
    return new Failure(`{% ${text} %} does not fit here: ${reason}.`, offset)
  }
  return new Failure(`There is no tag "${text}". ${knownNames(text, [...tags.keys(), "raw"])}`, offset)
}

function written(ends: readonly string[]): string {
  return ends.map((end) => `{% ${end} %}`).join(" or ")
}
