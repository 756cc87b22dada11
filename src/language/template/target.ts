import type { TokenCursor } from "../expression/parse/cursor.ts"
import type { AssignmentTarget } from "./node.ts"

/** Parses one target, or several with commas between them, into which a list is unpacked. */
export function parseTargets(cursor: TokenCursor): AssignmentTarget {
  const { offset } = cursor.current
  const first = parseTarget(cursor)
  if (!cursor.is(",")) return first
  const targets = [first]
  while (cursor.skip(",")) {
    if (cursor.is("in", "=", ")") || cursor.current.type === "end") break
    targets.push(parseTarget(cursor))
  }
  return { type: "unpack", offset, targets }
}

export function parseTarget(cursor: TokenCursor): AssignmentTarget {
  const { offset, text } = cursor.current
  if (cursor.skip("(")) {
    const inside = cursor.nested(() => parseTargets(cursor))
    cursor.expect(")")
    return inside
  }
  if (fixed.has(text)) throw cursor.unexpected("a name that can be set")
  return { type: "name", offset, name: cursor.expectName("a name to set").text }
}

const fixed = new Set("true True false False none None and or not in is if else loop".split(" "))

export function listTargetNames(target: AssignmentTarget): readonly string[] {
  return target.type === "name" ? [target.name] : target.targets.flatMap(listTargetNames)
}
