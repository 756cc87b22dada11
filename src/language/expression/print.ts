import type { Meter } from "./meter.ts"
import { writeFloat } from "./number-text.ts"
import { type ExpressionSequence, isUndefined, type Mapping, type SetValue, type Value } from "./value.ts"

/** The printed text of a value: Python's `str`. */
export function printValue(value: Value, meter: Meter): string {
  if (typeof value === "string") return value
  if (value !== null && typeof value === "object" && isUndefined(value)) return ""
  return represent(value, meter)
}

/** The text of a value inside a printed list: Python's `repr`. */
export function represent(value: Value, meter: Meter): string {
  meter.spend(1)
  if (value === null) return "None"
  switch (typeof value) {
    case "boolean":
      return value ? "True" : "False"
    case "bigint":
      return meter.integerText(value)
    case "number":
      return writeFloat(value)
    case "string":
      meter.spendReading(value)
      return meter.text(quoted(value))
    default:
      break
  }
  switch (value.type) {
    case "sequence":
      return meter.nested(() => sequenceText(value, meter))
    case "mapping":
      return meter.nested(() => mappingText(value, meter))
    case "set":
      return value.members.size === 0 ? "set()" : meter.nested(() => setText(value, meter))
    case "iterator":
      throw meter.failure("An iterator cannot be printed. Make a list of it: list(…).")
    case "undefined":
      return "Undefined"
    case "special":
      return value.text
    case "callable":
      if (value.kind === "function")
        throw meter.failure(
          `"${value.name}" is a function, which has no text. Write ${value.name}(…) to call it.`,
        )
      throw meter.failure(
        `"${value.name}" is a method here and cannot be printed. Write .${value.name}() to call it, or ["${value.name}"] for a key of that name.`,
      )
  }
}

function sequenceText(sequence: ExpressionSequence, meter: Meter): string {
  if (sequence.kind === "iterator")
    throw meter.failure(
      "The result of this filter cannot be printed. Put |list after it to print a list, or |join to print its items.",
    )
  if (sequence.text !== undefined) return sequence.text
  const items = meter.join(
    sequence.items.map((item) => represent(item, meter)),
    ", ",
  )
  if (sequence.kind === "list") return `[${items}]`
  if (sequence.kind === "tuple") return sequence.items.length === 1 ? `(${items},)` : `(${items})`
  return `${sequence.kind}([${items}])`
}

function mappingText(mapping: Mapping, meter: Meter): string {
  const entries = [...mapping.entries.values()].map(
    ({ key, value }) => `${represent(key, meter)}: ${represent(value, meter)}`,
  )
  return `{${meter.join(entries, ", ")}}`
}

function setText({ members }: SetValue, meter: Meter): string {
  const items = Array.from(members.values(), (member) => represent(member, meter))
  return `{${meter.join(items, ", ")}}`
}

/** Escapes all characters that are not ASCII. */
export function escapeNonAscii(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, escaped)
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" }

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const inside = text.replace(/[\\\n\r\t']|(?! )[\p{C}\p{Z}]/gu, (character) => {
    if (character === "'") return quote === "'" ? "\\'" : "'"
    if (Object.hasOwn(escapes, character)) return escapes[character]!
    return escaped(character)
  })
  return quote + inside + quote
}

function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16)
  if (code.length <= 2) return `\\x${code.padStart(2, "0")}`
  return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`
}
