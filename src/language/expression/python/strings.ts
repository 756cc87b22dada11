import { deepestNesting, ExpressionFailure } from "../failure.ts"
import type { Lex } from "../parse/cut.ts"
import { match, readEscape } from "../parse/literal.ts"
import type { FieldTokens, Token } from "../parse/token.ts"

/** The syntax of a string. */
interface Style {
  readonly quote: string
  readonly raw: boolean
  /** True for an f-string, in which braces contain values. */
  readonly fields: boolean
  /** Cuts the expression in braces into tokens. */
  readonly lex: Lex
}

/** Reads a string with its prefix. Undefined: no string begins here. */
export function readPythonString(
  text: string,
  offset: number,
  end: number,
  depth: number,
  lex: Lex,
): Token | undefined {
  const opening = match(/[rRuUfFbB]{0,2}(?:'''|"""|'|")/y, text, offset)
  if (opening === undefined) return undefined
  const [, prefix = "", quote = ""] = /^(\w*)(\W+)$/.exec(opening) ?? []
  const letters = prefix.toLowerCase()
  if (!["", "r", "u", "f", "rf", "fr"].includes(letters))
    throw new ExpressionFailure(
      `Strings that begin with ${JSON.stringify(prefix)} cannot be used in a condition.`,
      offset,
    )
  const style = { quote, raw: letters.includes("r"), fields: letters.includes("f"), lex }
  const { parts, at } = readParts(text, offset, offset + opening.length, end, style, depth)
  const whole = { text: text.slice(offset, at), offset }
  return style.fields
    ? { type: "format", ...whole, parts }
    : { type: "string", ...whole, value: parts.join("") }
}

type Parts = readonly (string | FieldTokens)[]

function readParts(
  text: string,
  offset: number,
  start: number,
  end: number,
  style: Style,
  depth: number,
): { readonly parts: Parts; readonly at: number } {
  const parts: (string | FieldTokens)[] = []
  let at = start
  for (;;) {
    const piece = readPlain(text, offset, at, end, style)
    parts.push(piece.value)
    at = piece.at
    if (text.startsWith(style.quote, at)) return { parts, at: at + style.quote.length }
    // A doubled brace is a literal brace.
    if (text[at + 1] === text[at]) {
      parts.push(text[at]!)
      at += 2
    } else if (text[at] === "}") throw new ExpressionFailure('A single "}" in an f-string: write "}}".', at)
    else {
      const field = readField(text, at, end, style, depth)
      parts.push(field)
      at = field.end
    }
  }
}

/** Reads up to the closing quote, or to a brace of an f-string. */
function readPlain(
  text: string,
  offset: number,
  start: number,
  end: number,
  { quote, raw, fields }: Style,
): { readonly value: string; readonly at: number } {
  let value = ""
  let at = start
  for (;;) {
    if (at >= end) throw new ExpressionFailure(`This string is not closed: its ${quote} is missing.`, offset)
    const character = text[at]!
    if (text.startsWith(quote, at) || (fields && (character === "{" || character === "}")))
      return { value, at }
    if (character === "\\") {
      const escaped = raw
        ? { value: text.slice(at, at + (fields && /[{}]/.test(text[at + 1] ?? "") ? 1 : 2)) }
        : readEscape(text, at)
      value += escaped.value
      at += "length" in escaped ? escaped.length : escaped.value.length
    } else if (character === "\n" || character === "\r") {
      if (quote.length === 1)
        throw new ExpressionFailure(
          "A string must end on the line where it begins. Write \\n for a new line, or use three quotes.",
          at,
        )
      value += "\n"
      at += text.startsWith("\r\n", at) ? 2 : 1
    } else {
      value += character
      at++
    }
  }
}

/** Reads `{value=!r:spec}`, including its braces. */
function readField(
  text: string,
  open: number,
  end: number,
  style: Style,
  depth: number,
): FieldTokens & { readonly end: number } {
  if (depth >= deepestNesting)
    throw new ExpressionFailure(
      `F-strings are nested more than ${deepestNesting} levels deep.`,
      open,
      "depth",
    )
  const cut = { start: open + 1, end, closers: ["!", ":", "}"], dialect: "python", depth: depth + 1 } as const
  const value = style.lex(text, cut)
  const field = { tokens: value.tokens, text: text.slice(open + 1, value.end - value.closer.length) }
  const conversion = value.closer === "!" ? readConversion(text, value.end) : undefined
  const closer = conversion === undefined ? value.closer : (text[conversion.at] ?? "")
  const behind = conversion === undefined ? value.end : conversion.at + 1
  if (closer !== ":" && closer !== "}")
    throw new ExpressionFailure('This brace of an f-string is not closed: "}" is missing.', open)
  const spec = closer === ":" ? readSpec(text, open, behind, end, style, depth) : { parts: [], at: behind }
  return { ...field, conversion: conversion?.letter, spec: spec.parts, end: spec.at }
}

function readConversion(text: string, at: number): { readonly letter: "s" | "r" | "a"; readonly at: number } {
  const word = match(/\w*/y, text, at)!
  if (word !== "s" && word !== "r" && word !== "a")
    throw new ExpressionFailure(`After "!" write s, r or a, not ${JSON.stringify(word)}.`, at)
  const space = match(/\s*/y, text, at + 1)!
  return { letter: word, at: at + 1 + space.length }
}

/** Reads the format of a value: text, and values in inner braces. */
function readSpec(
  text: string,
  offset: number,
  start: number,
  end: number,
  style: Style,
  depth: number,
): { readonly parts: Parts; readonly at: number } {
  const parts: (string | FieldTokens)[] = []
  let at = start
  for (;;) {
    const piece = readPlain(text, offset, at, end, style)
    parts.push(piece.value)
    at = piece.at
    if (text[at] === "}") return { parts, at: at + 1 }
    if (text[at] !== "{")
      throw new ExpressionFailure('This brace of an f-string is not closed: "}" is missing.', offset)
    const field = readField(text, at, end, style, depth + 1)
    parts.push(field)
    at = field.end
  }
}
