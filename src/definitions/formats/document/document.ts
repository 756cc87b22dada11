import type { Span } from "../../../ground/diagnostics/position.ts"
import { isMap, type Json } from "../../../ground/message.ts"
import type { Locate, Problem, ProblemPlace } from "../problem.ts"
import { mayCutText } from "./entries.ts"
import { splitFrontmatter } from "./frontmatter.ts"
import { shapeOfJson } from "./json-keys.ts"
import { findLostKeys } from "./lost-keys.ts"
import { readPlainYaml } from "./plain-yaml.ts"
import { applyEdits, type Edit, isDuplicateKeyError, readValidEntries, repairYaml } from "./repair.ts"
import {
  findStrictError,
  locateYaml,
  maxYamlDepth,
  maxYamlValues,
  readYaml,
  tooDeepMessage,
  tooManyMessage,
  type YamlResult,
} from "./yaml.ts"

/** The syntax of a file. `markdown` is YAML between lines of dashes, with the instructions below. */
export type Syntax = "markdown" | "yaml" | "json"

/** A file split into its keys and values, and the text that becomes the agent's instructions. */
export interface Document {
  /** Undefined if not a single key could be read. */
  readonly values: Values | undefined
  /** The text after the front matter; undefined in files without front matter. */
  readonly body: string | undefined
  readonly problems: readonly Problem[]
  readonly repaired: boolean
  readonly locate: Locate
}

export type Values = { readonly [key: string]: Json }

/**
 * Reads strictly first. Invalid YAML is repaired where its meaning is clear; otherwise only its valid entries are
 * read. Without `knownKeys` nothing is repaired. Never throws.
 */
export function readDocument(text: string, syntax: Syntax, knownKeys: ReadonlySet<string>): Document {
  const textProblem = checkText(text)
  if (textProblem) return unreadDocument([textProblem])
  switch (syntax) {
    case "markdown":
      return readMarkdown(text, knownKeys)
    case "yaml":
      return readData(text.slice(afterMark(text)), afterMark(text), knownKeys, undefined)
    case "json":
      return readJson(text)
  }
}

function readMarkdown(text: string, knownKeys: ReadonlySet<string>): Document {
  const split = splitFrontmatter(text)
  switch (split.type) {
    case "split": {
      const document = readData(split.yaml, split.yamlStart, knownKeys, {
        text: split.body,
        start: split.bodyStart,
        whole: text,
      })
      const lost = findLostKeys(split.body, split.bodyStart, knownKeys)
      return lost.length === 0 ? document : { ...document, problems: [...document.problems, ...lost] }
    }
    case "none":
      return unreadDocument([
        error(
          "frontmatter-missing",
          "no YAML frontmatter block found: the file must begin with a line `---`, then its keys, then another line `---`. Without it, the agent has no name.",
          { start: 0, end: 0 },
        ),
      ])
    case "unclosed":
      return unreadDocument([
        error(
          "frontmatter-unclosed",
          "The frontmatter block is never closed: add a line `---` after its last key, before the instructions.",
          { start: split.yamlStart, end: split.yamlStart },
        ),
      ])
    case "language":
      return unreadDocument([
        error(
          "frontmatter-language",
          `Frontmatter in ${JSON.stringify(split.language)} is refused: some readers would run it. Write YAML between plain \`---\` lines.`,
          { start: 0, end: 3 + split.language.length },
        ),
      ])
  }
}

function readData(
  yaml: string,
  offset: number,
  knownKeys: ReadonlySet<string>,
  body: Body | undefined,
): Document {
  // Every reader accepts plain YAML.
  const plain = readPlainYaml(yaml, body && { text: body.whole, start: offset })
  if (plain !== undefined && !(knownKeys.size > 0 && mayCutText(yaml, plain, knownKeys)))
    return assemble({ yaml, offset, body, value: plain, edits: none, problems: none })
  const lenient: YamlResult = plain === undefined ? readYaml(yaml) : { type: "value", value: plain }
  const asIs = (value: Json) => assemble({ yaml, offset, body, value, edits: [], problems: [] })
  const mayMend = knownKeys.size > 0
  const isDoubtful = mayMend && lenient.type === "value" && plain === undefined
  const strict = (isDoubtful && findStrictError(yaml)) || lenient
  if (strict.type === "value" && !(mayMend && mayCutText(yaml, strict.value, knownKeys)))
    return asIs(strict.value)
  if (strict.type === "invalid" && isTooMuch(strict.message))
    return unreadDocument([tooMuchProblem("yaml-invalid", strict.message, offset)])
  const edits = mayMend ? repairYaml(yaml, knownKeys) : undefined
  const repaired = edits && readYaml(applyEdits(yaml, edits))
  if (edits && repaired?.type === "value") {
    const why =
      strict.type === "invalid" ? explainInvalid(strict.message) : explainCut(strict.value, repaired.value)
    return assemble({
      yaml,
      offset,
      body,
      value: repaired.value,
      edits,
      problems: [repairedProblem(why, offset, edits)],
    })
  }
  if (lenient.type === "value") return asIs(lenient.value)
  if (strict.type === "value") return asIs(strict.value)
  const at = offset + strict.offset
  const duplicate = isDuplicateKeyError(strict.message)
  const problem = duplicate
    ? error("key-duplicate", duplicateMessage, keyAt(yaml, strict.offset, offset))
    : error(
        "yaml-invalid",
        `Invalid YAML: ${strict.message}. Put a value that contains ": ", " #" or quotes in quotes, or write it below its key after "|".`,
        { start: at, end: at },
      )
  const rest = duplicate ? readYaml(yaml, "last-wins") : undefined
  const value = rest?.type === "value" ? rest.value : readValidEntries(yaml, knownKeys)
  return assemble({ yaml, offset, body, value, edits: [], problems: [problem] })
}

/** JSON is YAML too, so the YAML reader finds the places of its keys. */
function readJson(text: string): Document {
  const start = afterMark(text)
  const json = text.slice(start)
  try {
    const value = JSON.parse(json) as Json
    const { duplicate, depth, values } = shapeOfJson(json)
    if (depth > maxYamlDepth) return unreadDocument([tooMuchProblem("json-invalid", tooDeepMessage, start)])
    if (values > maxYamlValues) return unreadDocument([tooMuchProblem("json-invalid", tooManyMessage, start)])
    const problems = duplicate
      ? [
          error("key-duplicate", duplicateMessage, {
            start: start + duplicate.start,
            end: start + duplicate.end,
          }),
        ]
      : []
    if (!isMap(value) && problems.length === 0)
      return unreadDocument([
        error("map-expected", `Expected an object (\`{"name": …}\`), but found ${kindOf(value)}.`, {
          start,
          end: start + json.length,
        }),
      ])
    return assemble({ yaml: json, offset: start, body: undefined, value, edits: [], problems })
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? json.length)
    const at = start + Math.min(position, json.length)
    return unreadDocument([error("json-invalid", `Invalid JSON: ${message}.`, { start: at, end: at })])
  }
}

interface Body {
  readonly text: string
  readonly start: number
  /** The text of the whole file. */
  readonly whole: string
}

const none: readonly never[] = []

interface Parts {
  readonly yaml: string
  readonly offset: number
  readonly body: Body | undefined
  readonly value: Json | undefined
  readonly edits: readonly Edit[]
  readonly problems: readonly Problem[]
}

function assemble({ yaml, offset, body, value, edits, problems }: Parts): Document {
  // YAML of only blanks and comments is a map without keys.
  const values = isMap(value) ? value : value === null ? {} : undefined
  const isWrong = values === undefined && problems.length === 0
  return {
    values,
    body: body?.text,
    problems: isWrong ? [mapExpected(value, { start: offset, end: offset + yaml.length })] : problems,
    repaired: edits.length > 0,
    locate: locator(yaml, offset, edits, body?.start),
  }
}

function mapExpected(value: Json | undefined, span: Span): Problem {
  return error("map-expected", `Expected keys and values (\`name: …\`), but found ${kindOf(value)}.`, span)
}

const kindOf = (value: Json | undefined): string =>
  Array.isArray(value)
    ? "a list"
    : value === null
      ? "null"
      : `the text or number ${abbreviate(JSON.stringify(value))}`

const abbreviate = (text = ""): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

const duplicateMessage =
  "This key is written twice. It is unclear which value is meant, so the agent does not run. Remove one of the two."

/** Text with so many values is no definition, and searching it for valid entries would take long. */
const isTooMuch = (message: string): boolean => message.startsWith("it has too many values")

const tooMuchProblem = (code: string, message: string, at: number): Problem =>
  error(code, `This file is not read, because ${message}. A definition has only a few dozen values.`, {
    start: at,
    end: at,
  })

/** Looks places up in the repaired text, and maps them back to offsets of the file as written. */
function locator(yaml: string, offset: number, edits: readonly Edit[], body: number | undefined): Locate {
  let lookup: Lookup | undefined
  return (place) => {
    switch (place.type) {
      case "span":
        return place.span
      case "start":
        return { start: offset, end: offset }
      case "body":
        return body === undefined ? undefined : { start: body, end: body }
      default: {
        lookup ??= createLookup(yaml, edits)
        const { mended, find } = lookup
        const span =
          place.type === "inside"
            ? within(mended, find(place.path, "value"), place)
            : find(place.path, place.type)
        return (
          span && {
            start: offset + originalOffset(span.start, edits),
            end: offset + originalOffset(span.end, edits),
          }
        )
      }
    }
  }
}

interface Lookup {
  readonly mended: string
  readonly find: ReturnType<typeof locateYaml>
}

function createLookup(yaml: string, edits: readonly Edit[]): Lookup {
  const mended = applyEdits(yaml, edits)
  return { mended, find: locateYaml(mended) }
}

function within(
  text: string,
  value: Span | undefined,
  { text: needle, occurrence }: Extract<ProblemPlace, { type: "inside" }>,
): Span | undefined {
  if (!value || needle === "") return undefined
  let end = value.start
  for (let count = 0; count <= occurrence; count++) {
    const start = text.indexOf(needle, end)
    if (start < 0 || start >= value.end) return undefined
    end = start + needle.length
  }
  return { start: end - needle.length, end }
}

/** Maps an offset of the repaired text to the original text. Inside a repaired piece, the offset stays in that piece. */
function originalOffset(position: number, edits: readonly Edit[]): number {
  let shift = 0
  for (const edit of [...edits].sort((left, right) => left.start - right.start)) {
    const start = edit.start + shift
    if (position < start) break
    if (position <= start + edit.text.length)
      return edit.start + Math.min(position - start, edit.end - edit.start)
    shift += edit.text.length - (edit.end - edit.start)
  }
  return position - shift
}

const explainInvalid = (message: string): string =>
  `Invalid YAML (${message}), so other tools may silently skip this file. cadre read it as it must have been meant`

function explainCut(strict: Json, mended: Json): string {
  const lost = Object.keys(strict as object).filter((key) => !(key in (mended as object)))
  const names = lost.slice(0, 3).map((key) => `\`${abbreviate(key)}\``)
  if (names.length === 0)
    return "YAML reads the lines of this `description` as keys of their own, so other tools refuse the file. cadre read them as one text"
  return `YAML reads the lines ${names.join(", ")}${lost.length > 3 ? ", …" : ""} as keys of their own, so other tools cut the text off above them. cadre read everything as one text`
}

function repairedProblem(why: string, offset: number, edits: readonly Edit[]): Problem {
  const spans = edits.map(({ start, end }) => ({ start: offset + start, end: offset + end }))
  return {
    code: "yaml-repaired",
    severity: "warning",
    message: `${why}. Run \`cadre check --fix\` to write it that way.`,
    at: { type: "span", span: spans[0]! },
    fix: {
      title: "Write it as valid YAML",
      edits: spans.map((span, index) => ({ at: { type: "span", span }, text: edits[index]!.text })),
    },
  }
}

/** Reports text that cannot be a definition in any format. */
function checkText(text: string): Problem | undefined {
  const nul = text.indexOf("\0")
  if (nul >= 0)
    return error("text-binary", "Found a NUL character: this is not a text file.", {
      start: nul,
      end: nul + 1,
    })
  if (text.trim() === "")
    return error("file-empty", "The file is empty: it defines no agent.", { start: 0, end: 0 })
  return undefined
}

const unreadDocument = (problems: readonly Problem[]): Document => ({
  values: undefined,
  body: undefined,
  problems,
  repaired: false,
  locate: (place) =>
    place.type === "span" ? place.span : place.type === "start" ? { start: 0, end: 0 } : undefined,
})

const error = (code: string, message: string, span: Span): Problem => ({
  code,
  severity: "error",
  message,
  at: { type: "span", span },
})

const afterMark = (text: string): number => (text.startsWith("\ufeff") ? 1 : 0)

/** Finds the key that begins at an offset, or after the blanks there. */
function keyAt(text: string, position: number, offset: number): Span {
  const rest = text.slice(position)
  const key = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:](?:[^:\n]|:(?=\S))*/.exec(rest)
  const start = offset + position + (key?.index ?? 0)
  return { start, end: start + (key?.[0].trimEnd().length ?? 0) }
}
