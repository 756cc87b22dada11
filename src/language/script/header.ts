import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import type { ScriptDeclarations, ScriptExternal, ScriptInput, ScriptProblem } from "./declarations.ts"

/**
 * Reads the declarations in the comment at the top of a script: `@input {type} name text`, `@input {type} [name=default]
 * text` and `@external name`. The rest of the comment describes the script. Never throws.
 */
export function readScriptHeader(text: string): ScriptDeclarations {
  const inputs: ScriptInput[] = []
  const externals = new Map<string, ScriptExternal>()
  const problems: ScriptProblem[] = []
  const words: string[] = []
  for (const { content, start } of commentLines(text)) {
    const tag = /^@(input|external)\b[ \t]*(.*)$/.exec(content)
    if (!tag) {
      if (!content.startsWith("@")) words.push(content)
      continue
    }
    const [, kind, rest] = tag
    const fail = (message: string) =>
      problems.push({ code: "syntax", severity: "error", message, start, end: start + content.length })
    if (kind === "external") {
      for (const name of rest!.split(/[\s,]+/))
        if (name !== "" && !externals.has(name))
          externals.set(name, { name, parameters: [], start, end: start + content.length })
    } else {
      const input = readInput(rest!)
      if (input === undefined)
        fail(`\`@input ${rest}\` cannot be read. Write \`@input {string} name What it is.\``)
      else if (inputs.some(({ name }) => name === input.name))
        fail(`The input ${input.name} is declared twice.`)
      else inputs.push(input)
    }
  }
  const description = words.join("\n").trim()
  return {
    ...(description !== "" && { description }),
    inputs,
    externals: [...externals.values()],
    problems,
  }
}

interface CommentLine {
  readonly content: string
  readonly start: number
}

/** The lines of the first comment, without its signs. Blank lines and `#!` may stand before it. */
function commentLines(text: string): readonly CommentLine[] {
  const lines: CommentLine[] = []
  let isBlock = false
  let start = text.startsWith("\uFEFF") ? 1 : 0
  for (const line of text.slice(start, start + longestHeader).split("\n")) {
    const trimmed = line.trim()
    const isStart = lines.length === 0 && !isBlock
    if (isBlock || (isStart && trimmed.startsWith("/*"))) {
      const content = trimmed
        .replace(/^\/\*+|\*+\/.*$/g, "")
        .replace(/^\*+ ?/, "")
        .trim()
      lines.push({ content, start })
      isBlock = !trimmed.includes("*/")
      if (!isBlock) return lines
    } else if (/^(?:\/\/|#(?!!))/.test(trimmed)) {
      lines.push({ content: trimmed.replace(/^(?:\/\/+|#+) ?/, "").trim(), start })
    } else if (lines.length > 0 || (trimmed !== "" && !trimmed.startsWith("#!"))) return lines
    start += line.length + 1
  }
  return lines
}

const longestHeader = 64 * 1024

function readInput(text: string): ScriptInput | undefined {
  const match =
    /^\{([^{}]+)\}[ \t]+(?:\[([A-Za-z_]\w*)(?:=((?:"(?:[^"\\]|\\.)*"|[^\]"])*))?\]|([A-Za-z_]\w*))[ \t]*(.*)$/.exec(
      text,
    )
  if (!match) return undefined
  const [, type, optional, written, required, words] = match
  const schema = readType(type!)
  const value = written === undefined ? undefined : readJson(written.trim())
  if (schema === undefined || (written !== undefined && value === undefined)) return undefined
  const description = words!.replace(/^- /, "").trim()
  return {
    name: (optional ?? required)!,
    schema,
    ...(description !== "" && { description }),
    ...(value !== undefined && { default: value }),
    required: optional === undefined,
  }
}

const plainTypes: Readonly<Record<string, JsonSchema>> = {
  string: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  object: { type: "object" },
  array: { type: "array" },
  any: {},
}

/** `string`, `integer[]`, `"a" | "b"`. Undefined: it is another type. */
function readType(text: string): JsonSchema | undefined {
  const members = text.split("|").map((part) => part.trim())
  const values = members.map((part) => (part.startsWith('"') ? readJson(part) : undefined))
  if (values.every((value) => value !== undefined)) return { enum: values as Json[] }
  if (members.length > 1) {
    const schemas = members.map(readType)
    return schemas.every((schema) => schema !== undefined) ? { anyOf: schemas as JsonSchema[] } : undefined
  }
  const [type] = members as [string]
  if (type.endsWith("[]")) {
    const items = readType(type.slice(0, -2))
    return items && { type: "array", items }
  }
  return Object.hasOwn(plainTypes, type) ? plainTypes[type] : undefined
}

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
