import { isMap, type Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"

/** The type of a value, as a JSON Schema. Only simple schemas are understood. Undefined: it could be anything. */
export type Type = JsonSchema | undefined

/** The type of a part of a value; or why there is no such part. */
export type TypePart =
  | { readonly type: Type }
  | { readonly problem: "missing"; readonly knownKeys: readonly string[] }
  | { readonly problem: "list" }

export function getPartType(whole: Type, key: string | number): TypePart {
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
  return { problem: "missing", knownKeys: Object.keys(type.properties) }
}

/** True if values of this type cannot be lists. */
export function cannotBeList(whole: Type): boolean {
  const type = plain(whole)
  return type?.type !== undefined && ![type.type].flat().includes("array")
}

/** True if the names of the types show that no value can have both. */
export function excludesType(one: Type, other: Type): boolean {
  const [left, right] = [namesOf(one), namesOf(other)]
  return left !== undefined && right !== undefined && !left.some((name) => right.includes(name))
}

/** The type of a literal value. */
export function getLiteralType(value: Json): Type {
  if (value === null) return { type: "null" }
  return { type: Array.isArray(value) ? "array" : typeof value }
}

export const getItemType = (whole: Type): Type => {
  const type = plain(whole)
  return type && isOnly(type, "array") ? innerType(type, type.items) : undefined
}

/** Describes a type in words, for a message. */
export function describeType(whole: Type): string {
  const typeNames = [plain(whole)?.type].flat().filter((name) => typeof name === "string")
  return typeNames.map((name) => words[name as string] ?? name).join(" or ") || "anything"
}

const words: Readonly<Record<string, string>> = {
  string: "text",
  array: "a list",
  object: "an object",
  number: "a number",
  integer: "a number",
  boolean: "true or false",
}

/** The names of a type. An integer counts as a number. */
const namesOf = (whole: Type): readonly Json[] | undefined => {
  const type = plain(whole)?.type
  return type === undefined ? undefined : [type].flat().map((name) => (name === "integer" ? "number" : name))
}

const anything: TypePart = { type: undefined }

/** A type that combines several schemas could be anything. */
function plain(type: Type): Type {
  if (!type || mixing.some((key) => key in type)) return undefined
  return type
}

const mixing = ["anyOf", "oneOf", "allOf", "if", "not", "$ref", "$dynamicRef"]

function innerType(whole: JsonSchema, inner: Json | undefined): Type {
  if (!isMap(inner)) return undefined
  const defined = { $defs: whole.$defs, definitions: whole.definitions }
  const { $ref: reference } = inner
  const resolved = typeof reference === "string" ? lookUp(defined, reference) : inner
  return isMap(resolved) ? ({ ...defined, ...resolved } as JsonSchema) : undefined
}

function lookUp(defined: { readonly [key: string]: Json | undefined }, reference: string): Json | undefined {
  const [, place, name] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(reference) ?? []
  const all = place === undefined ? undefined : defined[place]
  return name !== undefined && isMap(all) && Object.hasOwn(all, name) ? all[name] : undefined
}

const isOnly = ({ type }: JsonSchema, name: string): boolean => type === name
