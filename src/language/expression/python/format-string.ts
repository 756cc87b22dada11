import type { Evaluate, Names } from "../evaluator.ts"
import type { Meter } from "../meter.ts"
import type { FormatField } from "../node.ts"
import { asciiOnly, represent, textOf } from "../print.ts"
import type { Value } from "../value.ts"
import { formatValue } from "./format-value.ts"

/** The text of an f-string. */
export function formatted(
  parts: readonly (string | FormatField)[],
  names: Names,
  meter: Meter,
  evaluate: Evaluate,
): string {
  return meter.join(
    parts.map((part) => (typeof part === "string" ? part : filled(part, names, meter, evaluate))),
    "",
  )
}

function filled(
  { value, shown, conversion, spec }: FormatField,
  names: Names,
  meter: Meter,
  evaluate: Evaluate,
): string {
  const found = evaluate(value, names, meter)
  const written = formatted(spec, names, meter, evaluate)
  meter.place = value.offset
  return shown + formatValue(converted(found, conversion, meter), written, meter)
}

function converted(value: Value, conversion: FormatField["conversion"], meter: Meter): Value {
  switch (conversion) {
    case undefined:
      return value
    case "s":
      return textOf(value, meter)
    case "r":
      return represent(value, meter)
    case "a":
      return meter.text(asciiOnly(represent(value, meter)))
  }
}
