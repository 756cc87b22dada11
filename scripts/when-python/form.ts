import type { Maker } from "./make.ts"

/** What an expression is meant to come to. */
export const kinds = [
  "bool",
  "int",
  "float",
  "text",
  "ints",
  "texts",
  "dict",
  "set",
  "tuple",
  "nothing",
  "iterator",
] as const
export type Kind = (typeof kinds)[number]

/** Writes an expression. */
export type Form = (maker: Maker, size: number, kind: Kind) => string

export const written =
  (...texts: readonly string[]): Form =>
  (maker) =>
    maker.one(texts)
export const variable: Form = (maker, _size, kind) => maker.variable(kind)
export const number: Form = (maker, size) => maker.make(maker.chance(0.7) ? "int" : "float", size)
export const whatever: Form = (maker, size) => maker.make(maker.one(kinds), size)
export const call =
  (name: string, ...parts: readonly (Kind | Form)[]): Form =>
  (maker, size) =>
    `${name}(${made(maker, size, parts).join(", ")})`
export const method =
  (kind: Kind, names: readonly string[], ...parts: readonly (Kind | Form)[]): Form =>
  (maker, size) =>
    `${maker.make(kind, size)}.${maker.one(names)}(${made(maker, size, parts).join(", ")})`
export const joined =
  (left: Kind | Form, operators: readonly string[], right: Kind | Form): Form =>
  (maker, size) =>
    made(maker, size, [left, right]).join(` ${maker.one(operators)} `)

export const made = (maker: Maker, size: number, parts: readonly (Kind | Form)[]): readonly string[] =>
  parts.map((part) => (typeof part === "string" ? maker.make(part, size) : part(maker, size, "nothing")))

/** Left out now and then. */
export const maybe =
  (part: Kind | Form, before = ""): Form =>
  (maker, size) =>
    maker.chance(0.5) ? "" : before + made(maker, size, [part])[0]
