import { compare } from "./compare.ts"
import type { Meter } from "./meter.ts"
import { writeFloat } from "./number-text.ts"
import { describeValue, type Mapping, type Value } from "./value.ts"

/** Writes JSON like Jinja's `tojson`: keys in order, ASCII only, and without characters that are special in HTML. */
export function toJsonText(value: Value, indent: Value, meter: Meter): string {
  if (indent !== null && typeof indent !== "bigint" && typeof indent !== "string")
    throw meter.failure(`The indent of tojson is an integer, not ${describeValue(indent)}.`)
  if (typeof indent === "bigint") meter.reserveText(Number(indent))
  const step = typeof indent === "bigint" ? " ".repeat(indent > 0n ? Number(indent) : 0) : indent
  const text = writeValue(value, { step, line: "\n" }, meter)
  return meter.text(text.replace(/[<>&']/g, (character) => escaped(character.charCodeAt(0))))
}

interface Layout {
  /** The indent of one level. Null: everything is on one line. */
  readonly step: string | null
  /** The beginning of a new line in the outer value. */
  readonly line: string
}

function writeValue(value: Value, layout: Layout, meter: Meter): string {
  meter.spend(1)
  if (value === null) return "null"
  switch (typeof value) {
    case "boolean":
      return String(value)
    case "bigint":
      return meter.integerText(value)
    case "number":
      return writtenFloat(value)
    case "string":
      return meter.text(writtenString(value))
    default:
      break
  }
  if (value.type === "mapping") return meter.nested(() => writtenMapping(value, layout, meter))
  if (value.type === "sequence" && (value.kind === "list" || value.kind === "tuple"))
    return meter.nested(() => {
      const inner = innerOf(layout)
      return enclosed(
        "[",
        value.items.map((item) => writeValue(item, inner, meter)),
        "]",
        layout,
        meter,
      )
    })
  throw meter.failure(
    `${describeValue(value)} has no form in JSON.${value.type === "sequence" ? " Make a list of it: |list." : ""}`,
  )
}

function writtenMapping(mapping: Mapping, layout: Layout, meter: Meter): string {
  const inner = innerOf(layout)
  const entries = [...mapping.entries.values()]
    .sort((left, right) => compare(left.key, right.key, meter))
    .map(({ key, value }) => {
      if (key !== null && typeof key === "object") throw meter.failure("A tuple cannot be a key in JSON.")
      const name = typeof key === "string" ? writtenString(key) : `"${writeValue(key, inner, meter)}"`
      return `${name}: ${writeValue(value, inner, meter)}`
    })
  return enclosed("{", entries, "}", layout, meter)
}

function innerOf({ step, line }: Layout): Layout {
  return { step, line: step === null ? line : line + step }
}

function enclosed(
  open: string,
  parts: readonly string[],
  close: string,
  layout: Layout,
  meter: Meter,
): string {
  if (parts.length === 0) return open + close
  if (layout.step === null) return open + meter.join(parts, ", ") + close
  const line = layout.line + layout.step
  return meter.text(open + line + meter.join(parts, `,${line}`) + layout.line + close)
}

function writtenFloat(float: number): string {
  if (Number.isNaN(float)) return "NaN"
  if (!Number.isFinite(float)) return float > 0 ? "Infinity" : "-Infinity"
  return writeFloat(float)
}

function writtenString(text: string): string {
  return JSON.stringify(text).replace(/[\u0080-\uffff]/g, (unit) => escaped(unit.charCodeAt(0)))
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`
}
