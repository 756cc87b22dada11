import { isMap, type Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"

/** What a JSON Schema tells of the values that fit it, as far as it tells it plainly. Undefined: it could be anything. */
export type Type = JsonSchema | undefined

/** A part of a value; or, where there can be none, what there is instead. */
export type Part =
  | { readonly type: Type }
  | { readonly problem: "missing"; readonly known: readonly string[] }
  | { readonly problem: "list" }

export function partOf(whole: Type, key: string | number): Part {
  const type = plain(whole)
  if (!type) return anything
  if (isOnly(type, "array")) {
    if (typeof key === "string") return { problem: "list" }
    return { type: innerType(type, type.items) }
  }
  if (typeof key === "number" || !isMap(type.properties)) return anything
  if (Object.hasOwn(type.properties, key)) return { type: innerType(type, type.properties[key]) }
  const { additionalProperties: others = false } = type
  if (others !== false || type.patternProperties !== undefined) return anything
  return { problem: "missing", known: Object.keys(type.properties) }
}

/** Whether values of this type cannot be lists. */
export function cannotBeList(whole: Type): boolean {
  const type = plain(whole)
  return type?.type !== undefined && ![type.type].flat().includes("array")
}

/** Whether no value of the one type can be of the other, as far as their names tell. */
export function isOther(one: Type, other: Type): boolean {
  const [left, right] = [namesOf(one), namesOf(other)]
  return left !== undefined && right !== undefined && !left.some((name) => right.includes(name))
}

/** What a value that is written out is. */
export function typeOf(value: Json): Type {
  if (value === null) return { type: "null" }
  return { type: Array.isArray(value) ? "array" : typeof value }
}

export const itemOf = (whole: Type): Type => {
  const type = plain(whole)
  return type && isOnly(type, "array") ? innerType(type, type.items) : undefined
}

/** In words, for a message. */
export function describeType(whole: Type): string {
  const named = [plain(whole)?.type].flat().filter((name) => typeof name === "string")
  return named.map((name) => words[name as string] ?? name).join(" or ") || "anything"
}

const words: Readonly<Record<string, string>> = {
  string: "text",
  array: "a list",
  object: "an object",
  number: "a number",
  integer: "a number",
  boolean: "true or false",
}

/** A whole number is a number. */
const namesOf = (whole: Type): readonly Json[] | undefined => {
  const type = plain(whole)?.type
  return type === undefined ? undefined : [type].flat().map((name) => (name === "integer" ? "number" : name))
}

const anything: Part = { type: undefined }

/** A reference into the schema is followed; what is put together from several schemas could be anything. */
function plain(type: Type): Type {
  if (!type || mixing.some((key) => key in type)) return undefined
  return type
}

const mixing = ["anyOf", "oneOf", "allOf", "if", "not", "$ref", "$dynamicRef"]

function innerType(whole: JsonSchema, inner: Json | undefined): Type {
  if (!isMap(inner)) return undefined
  const defined = { $defs: whole.$defs, definitions: whole.definitions }
  const { $ref: reference } = inner
  const found = typeof reference === "string" ? lookUp(defined, reference) : inner
  return isMap(found) ? ({ ...defined, ...found } as JsonSchema) : undefined
}

function lookUp(defined: { readonly [key: string]: Json | undefined }, reference: string): Json | undefined {
  const [, place, name] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(reference) ?? []
  const all = place === undefined ? undefined : defined[place]
  return name !== undefined && isMap(all) && Object.hasOwn(all, name) ? all[name] : undefined
}

const isOnly = ({ type }: JsonSchema, name: string): boolean => type === name
