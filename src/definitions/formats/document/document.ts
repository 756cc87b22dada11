import type { Span } from "../../../ground/diagnostics/position.ts"
import { isMap, type Json } from "../../../ground/message.ts"
import type { Locate, Place, Problem } from "../problem.ts"
import { mayCutText } from "./entries.ts"
import { splitFrontmatter } from "./frontmatter.ts"
import { shapeOfJson } from "./json-keys.ts"
import { lostKeys } from "./lost-keys.ts"
import { readPlainYaml } from "./plain-yaml.ts"
import { applyEdits, type Edit, isDuplicate, readableEntries, repairYaml } from "./repair.ts"
import {
  locateYaml,
  maxDepth,
  maxValues,
  readYaml,
  refusedByOthers,
  tooDeep,
  tooMany,
  type YamlResult,
} from "./yaml.ts"

/** How a file is written. `markdown` is YAML between lines of dashes, and the instructions below. */
export type Syntax = "markdown" | "yaml" | "json"

/** A file taken apart: its keys and values, and what a format makes its instructions of. */
export interface Document {
  /** Undefined where not a single key could be read. */
  readonly values: Values | undefined
  /** What follows the front matter; undefined in files that have none. */
  readonly body: string | undefined
  readonly problems: readonly Problem[]
  readonly repaired: boolean
  readonly locate: Locate
}

export type Values = { readonly [key: string]: Json }

/**
 * Reads strictly first. What fails is mended where its meaning is plain, and read in part where it is not; without
 * known keys nothing is plain, and nothing is mended. Never throws.
 */
export function readDocument(text: string, syntax: Syntax, knownKeys: ReadonlySet<string>): Document {
  const unfit = unfitText(text)
  if (unfit) return unread([unfit])
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
      const lost = lostKeys(split.body, split.bodyStart, knownKeys)
      return lost.length === 0 ? document : { ...document, problems: [...document.problems, ...lost] }
    }
    case "none":
      return unread([
        error(
          "frontmatter-missing",
          "no YAML frontmatter block found: the file must begin with a line `---`, then its keys, then another line `---`. Without it nothing says what this agent is called.",
          { start: 0, end: 0 },
        ),
      ])
    case "unclosed":
      return unread([
        error(
          "frontmatter-unclosed",
          "The frontmatter block is never closed: put a line `---` after its last key, before the instructions.",
          { start: split.yamlStart, end: split.yamlStart },
        ),
      ])
    case "language":
      return unread([
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
  // What is plain, every reader takes.
  const plain = readPlainYaml(yaml, body && { text: body.whole, start: offset })
  if (plain !== undefined && !(knownKeys.size > 0 && mayCutText(yaml, plain, knownKeys)))
    return assemble({ yaml, offset, body, value: plain, edits: none, problems: none })
  const lenient: YamlResult = plain === undefined ? readYaml(yaml) : { type: "value", value: plain }
  const asIs = (value: Json) => assemble({ yaml, offset, body, value, edits: [], problems: [] })
  const mayMend = knownKeys.size > 0
  const isDoubtful = mayMend && lenient.type === "value" && plain === undefined
  const strict = (isDoubtful && refusedByOthers(yaml)) || lenient
  if (strict.type === "value" && !(mayMend && mayCutText(yaml, strict.value, knownKeys)))
    return asIs(strict.value)
  if (strict.type === "invalid" && isTooMuch(strict.message))
    return unread([tooMuch("yaml-invalid", strict.message, offset)])
  const edits = mayMend ? repairYaml(yaml, knownKeys) : undefined
  const mended = edits && readYaml(applyEdits(yaml, edits))
  if (edits && mended?.type === "value") {
    const why = strict.type === "invalid" ? noYaml(strict.message) : cutsText(strict.value, mended.value)
    return assemble({
      yaml,
      offset,
      body,
      value: mended.value,
      edits,
      problems: [repairedProblem(why, offset, edits)],
    })
  }
  if (lenient.type === "value") return asIs(lenient.value)
  if (strict.type === "value") return asIs(strict.value)
  const at = offset + strict.offset
  const duplicate = isDuplicate(strict.message)
  const problem = duplicate
    ? error("key-duplicate", writtenTwice, keyAt(yaml, strict.offset, offset))
    : error(
        "yaml-invalid",
        `This is no valid YAML: ${strict.message}. A value with ": ", " #" or quotes inside goes in quotes, or below its key after "|".`,
        { start: at, end: at },
      )
  const rest = duplicate ? readYaml(yaml, "last-wins") : undefined
  const value = rest?.type === "value" ? rest.value : readableEntries(yaml, knownKeys)
  return assemble({ yaml, offset, body, value, edits: [], problems: [problem] })
}

/** JSON reads as YAML too, which finds keys that are written twice. */
function readJson(text: string): Document {
  const start = afterMark(text)
  const json = text.slice(start)
  try {
    const value = JSON.parse(json) as Json
    const { duplicate, depth, values } = shapeOfJson(json)
    if (depth > maxDepth) return unread([tooMuch("json-invalid", tooDeep, start)])
    if (values > maxValues) return unread([tooMuch("json-invalid", tooMany, start)])
    const problems = duplicate
      ? [error("key-duplicate", writtenTwice, { start: start + duplicate.start, end: start + duplicate.end })]
      : []
    if (!isMap(value) && problems.length === 0)
      return unread([
        error("map-expected", `An object is expected here (\`{"name": …}\`), but this is ${kindOf(value)}.`, {
          start,
          end: start + json.length,
        }),
      ])
    return assemble({ yaml: json, offset: start, body: undefined, value, edits: [], problems })
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? json.length)
    const at = start + Math.min(position, json.length)
    return unread([error("json-invalid", `This is no valid JSON: ${message}.`, { start: at, end: at })])
  }
}

interface Body {
  readonly text: string
  readonly start: number
  /** The text that it and its front matter are parts of. */
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
  // Nothing but blanks and comments says nothing, which is a map without keys.
  const values = isMap(value) ? value : value === null ? {} : undefined
  const isWrong = values === undefined && problems.length === 0
  return {
    values,
    body: body?.text,
    problems: isWrong ? [noMap(value, { start: offset, end: offset + yaml.length })] : problems,
    repaired: edits.length > 0,
    locate: locator(yaml, offset, edits, body?.start),
  }
}

function noMap(value: Json | undefined, span: Span): Problem {
  return error(
    "map-expected",
    `Keys and values are expected here (\`name: …\`), but this is ${kindOf(value)}.`,
    span,
  )
}

const kindOf = (value: Json | undefined): string =>
  Array.isArray(value)
    ? "a list"
    : value === null
      ? "null"
      : `the text or number ${begun(JSON.stringify(value))}`

const begun = (text = ""): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

const writtenTwice =
  "This key is written twice: which of the two is meant cannot be told, so the agent does not run. Remove one of them."

/** What has been read is no definition, and looking for parts of one in it would take long. */
const isTooMuch = (message: string): boolean => message.startsWith("it stands for too many values")

const tooMuch = (code: string, message: string, at: number): Problem =>
  error(code, `This is not read, because ${message}. A definition has a few dozen of them.`, {
    start: at,
    end: at,
  })

/** Places are looked up in the text that reads; what a repair moved is brought back to the file as written. */
function locator(yaml: string, offset: number, edits: readonly Edit[], body: number | undefined): Locate {
  let found: Found | undefined
  return (place) => {
    switch (place.type) {
      case "span":
        return place.span
      case "start":
        return { start: offset, end: offset }
      case "body":
        return body === undefined ? undefined : { start: body, end: body }
      default: {
        found ??= lookInto(yaml, edits)
        const { mended, find } = found
        const span =
          place.type === "inside"
            ? within(mended, find(place.path, "value"), place)
            : find(place.path, place.type)
        return (
          span && { start: offset + unedited(span.start, edits), end: offset + unedited(span.end, edits) }
        )
      }
    }
  }
}

interface Found {
  readonly mended: string
  readonly find: ReturnType<typeof locateYaml>
}

function lookInto(yaml: string, edits: readonly Edit[]): Found {
  const mended = applyEdits(yaml, edits)
  return { mended, find: locateYaml(mended) }
}

function within(
  text: string,
  value: Span | undefined,
  { text: sought, occurrence }: Extract<Place, { type: "inside" }>,
): Span | undefined {
  if (!value || sought === "") return undefined
  let end = value.start
  for (let count = 0; count <= occurrence; count++) {
    const start = text.indexOf(sought, end)
    if (start < 0 || start >= value.end) return undefined
    end = start + sought.length
  }
  return { start: end - sought.length, end }
}

/** An offset of the mended text as one of the text before. Inside a mended piece it is kept within that piece. */
function unedited(position: number, edits: readonly Edit[]): number {
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

const noYaml = (message: string): string =>
  `This is no valid YAML (${message}), and other tools may skip the file without a word. It was read as it must have been meant`

function cutsText(strict: Json, mended: Json): string {
  const lost = Object.keys(strict as object).filter((key) => !(key in (mended as object)))
  const names = lost.slice(0, 3).map((key) => `\`${begun(key)}\``)
  if (names.length === 0)
    return "To YAML the lines of this `description` are keys of their own, and other tools refuse it. It was read as one text"
  return `To YAML the lines ${names.join(", ")}${lost.length > 3 ? ", …" : ""} are keys of their own, so other tools cut the text above them off there. It was read as one text`
}

function repairedProblem(why: string, offset: number, edits: readonly Edit[]): Problem {
  const spans = edits.map(({ start, end }) => ({ start: offset + start, end: offset + end }))
  return {
    code: "yaml-repaired",
    severity: "warning",
    message: `${why}; \`cadre check --fix\` writes it that way.`,
    at: { type: "span", span: spans[0]! },
    fix: {
      title: "Write it as valid YAML",
      edits: spans.map((span, index) => ({ at: { type: "span", span }, text: edits[index]!.text })),
    },
  }
}

/** Text that is not the text of a definition, whatever its format. */
function unfitText(text: string): Problem | undefined {
  const nul = text.indexOf("\0")
  if (nul >= 0)
    return error("text-binary", "There is a NUL character here: this is no text file.", {
      start: nul,
      end: nul + 1,
    })
  if (text.trim() === "")
    return error("file-empty", "The file is empty: it defines no agent.", { start: 0, end: 0 })
  return undefined
}

const unread = (problems: readonly Problem[]): Document => ({
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

/** The key that begins at an offset, or after the blanks there. */
function keyAt(text: string, position: number, offset: number): Span {
  const rest = text.slice(position)
  const key = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:](?:[^:\n]|:(?=\S))*/.exec(rest)
  const start = offset + position + (key?.index ?? 0)
  return { start, end: start + (key?.[0].trimEnd().length ?? 0) }
}
