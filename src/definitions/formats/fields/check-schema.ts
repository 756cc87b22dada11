import type { PlacedProblem } from "../../../ground/diagnostics/problem.ts"
import { isMap, type Json } from "../../../ground/message.ts"
import { findPatternProblem } from "../../../ground/schema/patterns.ts"
import { findReferenceProblem } from "../../../ground/schema/references.ts"
import type { KeyPath } from "../document/yaml.ts"

type Check = (value: Json, path: KeyPath, look: Look) => readonly PlacedProblem[]

interface Look {
  readonly root: Json
  /** The names that `$id` and `$anchor` give to places in this schema. */
  readonly names: ReadonlySet<string>
}

/** Checks a whole JSON Schema against the meta-schemas of draft 7 and 2020-12. References outside it are not followed. */
export function checkSchema(schema: Json): readonly PlacedProblem[] {
  const problems = checkOne(schema, [], { root: schema, names: namesIn(schema) })
  const reference = findReferenceProblem(schema)
  return reference ? [...problems, reference] : problems
}

const checkOne: Check = (schema, path, look) => {
  if (typeof schema === "boolean") return []
  if (!isMap(schema)) return wrong(path, "must be a schema: keys and values, or true, or false")
  return Object.entries(schema).flatMap(([keyword, value]) =>
    Object.hasOwn(keywords, keyword) ? keywords[keyword]!(value, [...path, keyword], look) : [],
  )
}

const listOfSchemas: Check = (value, path, look) =>
  Array.isArray(value) && value.length > 0
    ? value.flatMap((inner: Json, index) => checkOne(inner, [...path, index], look))
    : wrong(path, "must be a non-empty list of schemas")

const mapOfSchemas: Check = (value, path, look) =>
  isMap(value)
    ? Object.entries(value).flatMap(([key, inner]) => checkOne(inner, [...path, key], look))
    : wrong(path, "must map names to schemas")

const schemaOrList: Check = (value, path, look) =>
  Array.isArray(value) ? listOfSchemas(value, path, look) : checkOne(value, path, look)

const types = ["array", "boolean", "integer", "null", "number", "object", "string"]

const isType: Check = (value, path) => {
  const typeNames = Array.isArray(value) ? value : [value]
  const isValid =
    typeNames.length > 0 && typeNames.every((name) => types.includes(name as string)) && isUnique(typeNames)
  return isValid ? [] : wrong(path, `must be one of ${types.join(", ")}, or a list of them`)
}

const isPattern: Check = (value, path) => {
  if (typeof value !== "string") return wrong(path, "must be a regular expression")
  const problem = findPatternProblem({ pattern: value })
  return problem
    ? wrong(
        path,
        `is the pattern ${JSON.stringify(value)}, which cannot be used: ${problem.problem}. No value can be checked against it`,
      )
    : []
}

const patternsToSchemas: Check = (value, path, look) => [
  ...mapOfSchemas(value, path, look),
  ...(isMap(value) ? Object.keys(value).flatMap((key) => isPattern(key, [...path, key], look)) : []),
]

const isTexts: Check = (value, path) =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string") && isUnique(value)
    ? []
    : wrong(path, "must be a list of texts without duplicates")

const mapOf =
  (check: Check): Check =>
  (value, path, look) =>
    isMap(value)
      ? Object.entries(value).flatMap(([key, inner]) => check(inner, [...path, key], look))
      : wrong(path, "must be keys and values")

const textsOrSchema: Check = (value, path, look) =>
  Array.isArray(value) ? isTexts(value, path, look) : checkOne(value, path, look)

const reference: Check = (value, path, { root, names }) => {
  if (typeof value !== "string") return wrong(path, "must be a reference, such as `#/$defs/name`")
  const exists = value.startsWith("#/") ? leadsTo(root, value) : value === "#" || names.has(value)
  return exists ? [] : wrong(path, `refers to ${JSON.stringify(value)}, which is not in this schema`)
}

const mustBe =
  (what: string, test: (value: Json) => boolean): Check =>
  (value, path) =>
    test(value) ? [] : wrong(path, `must be ${what}`)

const isText = mustBe("text", (value) => typeof value === "string")
const isFlag = mustBe("true or false", (value) => typeof value === "boolean")
const isNumber = mustBe("a number", (value) => typeof value === "number")
const isList = mustBe("a list", Array.isArray)
const isCount = mustBe("a whole number, 0 or more", (value) => Number.isInteger(value) && Number(value) >= 0)
const isPositive = mustBe("a number above 0", (value) => typeof value === "number" && value > 0)

const keywords: Readonly<Record<string, Check>> = {
  ...forEach("additionalItems additionalProperties contains contentSchema else if not", checkOne),
  ...forEach("propertyNames then unevaluatedItems unevaluatedProperties", checkOne),
  ...forEach("allOf anyOf oneOf prefixItems", listOfSchemas),
  ...forEach("$defs definitions dependentSchemas properties", mapOfSchemas),
  ...forEach("$anchor $comment $id $schema contentEncoding contentMediaType", isText),
  ...forEach("description format title", isText),
  ...forEach("deprecated readOnly uniqueItems writeOnly", isFlag),
  ...forEach("exclusiveMaximum exclusiveMinimum maximum minimum", isNumber),
  ...forEach("maxContains maxItems maxLength maxProperties", isCount),
  ...forEach("minContains minItems minLength minProperties", isCount),
  ...forEach("enum examples", isList),
  $ref: reference,
  dependencies: mapOf(textsOrSchema),
  dependentRequired: mapOf(isTexts),
  items: schemaOrList,
  multipleOf: isPositive,
  pattern: isPattern,
  patternProperties: patternsToSchemas,
  required: isTexts,
  type: isType,
}

function forEach(names: string, check: Check): Record<string, Check> {
  return Object.fromEntries(names.split(" ").map((name) => [name, check]))
}

const wrong = (path: KeyPath, message: string): readonly PlacedProblem[] => [{ path, message }]

const isUnique = (values: readonly Json[]): boolean => new Set(values).size === values.length

function leadsTo(root: Json, pointer: string): boolean {
  let place: Json | undefined = root
  for (const step of pointer.slice(2).split("/")) {
    const key = unescapeStep(step)
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return false
    place = (place as { [key: string]: Json })[key]
  }
  return true
}

function unescapeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")
  } catch {
    return step
  }
}

function namesIn(schema: Json, names = new Set<string>()): ReadonlySet<string> {
  if (typeof schema !== "object" || schema === null) return names
  const { $id, $anchor } = schema as { [key: string]: Json }
  if (typeof $id === "string") names.add($id)
  if (typeof $anchor === "string") names.add(`#${$anchor}`)
  for (const inner of Object.values(schema)) namesIn(inner, names)
  return names
}
