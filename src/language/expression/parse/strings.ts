import { ExpressionFailure } from "../failure.ts"
import type { FormatField, Node } from "../node.ts"
import { parseStarred } from "./brackets.ts"
import type { TokenCursor } from "./cursor.ts"
import type { FieldTokens } from "./token.ts"
import { parseTuple } from "./tuple.ts"

/** Parses adjacent strings as one string. If one of them is an f-string, the whole is an f-string. */
export function parseStrings(cursor: TokenCursor): Node {
  const { offset } = cursor.current
  const parts: (string | FormatField)[] = []
  for (;;) {
    const token = cursor.current
    if (token.type === "string") parts.push(token.value)
    else if (token.type === "format") parts.push(...parseParts(token.parts, cursor))
    else break
    cursor.take()
  }
  return parts.every((part) => typeof part === "string")
    ? { type: "literal", offset, value: parts.join("") }
    : { type: "format", offset, parts }
}

const parseParts = (
  parts: readonly (string | FieldTokens)[],
  cursor: TokenCursor,
): readonly (string | FormatField)[] =>
  parts.map((part) => (typeof part === "string" ? part : parseField(part, cursor)))

function parseField({ tokens, text, conversion, spec }: FieldTokens, cursor: TokenCursor): FormatField {
  const inside = cursor.inside(tokens)
  if (inside.current.type === "end")
    throw new ExpressionFailure(
      "There is nothing between these braces of an f-string.",
      inside.current.offset,
    )
  const value = parseTuple(inside, parseStarred)
  if (value.type === "starred")
    throw new ExpressionFailure('"*" is not allowed alone in an f-string.', value.offset)
  const isShown = inside.is("=") && inside.following.type === "end"
  if (isShown) inside.take()
  inside.expectEnd()
  return {
    value,
    shown: isShown ? text : "",
    conversion: conversion ?? (isShown && spec.length === 0 ? "r" : undefined),
    spec: cursor.nested(() => parseParts(spec, cursor)),
  }
}
