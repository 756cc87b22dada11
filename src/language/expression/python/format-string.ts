import type { Evaluate, NameScope } from "../evaluator.ts"
import type { Meter } from "../meter.ts"
import type { FormatField } from "../node.ts"
import { escapeNonAscii, printValue, represent } from "../print.ts"
import type { Value } from "../value.ts"
import { formatValue } from "./format-value.ts"

/** Renders an f-string. */
export function renderFormatString(
  parts: readonly (string | FormatField)[],
  names: NameScope,
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
  names: NameScope,
  meter: Meter,
  evaluate: Evaluate,
): string {
  const result = evaluate(value, names, meter)
  const written = renderFormatString(spec, names, meter, evaluate)
  meter.place = value.offset
  return shown + formatValue(converted(result, conversion, meter), written, meter)
}

function converted(value: Value, conversion: FormatField["conversion"], meter: Meter): Value {
  switch (conversion) {
    case undefined:
      return value
    case "s":
      return printValue(value, meter)
    case "r":
      return represent(value, meter)
    case "a":
      return meter.text(escapeNonAscii(represent(value, meter)))
  }
}
