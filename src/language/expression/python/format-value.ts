import type { Meter } from "../meter.ts"
import { printValue } from "../print.ts"
import { describeValue, isType, type Value } from "../value.ts"
import { formatNumber } from "./format-number.ts"
import { type FormatSpec, readFormatSpec } from "./format-spec.ts"
import { padText } from "./padded.ts"

/** Formats a value like Python's `format`: for the part after `:` in an f-string, and for the function `format`. */
export function formatValue(value: Value, written: string, meter: Meter): string {
  if (written === "") return printValue(value, meter)
  const spec = readFormatSpec(written, meter)
  switch (typeof value) {
    case "string":
      return formatText(value, spec, meter)
    case "boolean":
      return formatNumber(value ? 1n : 0n, spec, meter)
    case "bigint":
    case "number":
      return formatNumber(value, spec, meter)
    default:
      throw meter.failure(
        `${describeValue(value)} takes no format.${isType(value, "callable") ? "" : " Convert it to text first, with !s before the colon or with str(…)."}`,
      )
  }
}

function formatText(text: string, spec: FormatSpec, meter: Meter): string {
  const { sign, flags, grouping, precision, type, align = "<" } = spec
  if (type !== "" && type !== "s")
    throw meter.failure(`The format of a string is "s", not ${JSON.stringify(type)}.`)
  if (sign !== undefined || flags.z || flags.alternate || grouping !== undefined || align === "=")
    throw meter.failure("The format of a string must not have a sign, `z`, `#`, `=`, `,` or `_`.")
  meter.spendReading(text)
  const kept = precision === undefined ? text : Array.from(text).slice(0, precision).join("")
  return padText(kept, { ...spec, align }, meter)
}
