import type { Json } from "../../src/ground/message.ts"
import type { Meter } from "../../src/language/expression/meter.ts"
import { represent } from "../../src/language/expression/print.ts"
import { listIterableItems } from "../../src/language/expression/sequence.ts"
import type { Value } from "../../src/language/expression/value.ts"

/** A value with its kinds, as the oracle writes it. */
export function plain(value: Value, meter: Meter): Json {
  if (value === null) return ["none"]
  switch (typeof value) {
    case "boolean":
      return ["bool", represent(value, meter)]
    case "bigint":
      return ["int", value.toString()]
    case "number":
      return ["float", represent(value, meter)]
    case "string":
      return ["str", value]
    default:
      break
  }
  const all = (values: readonly Value[]): Json[] => values.map((each) => plain(each, meter))
  switch (value.type) {
    case "sequence":
      return value.kind === "range" ? ["range", represent(value, meter)] : [value.kind, all(value.items)]
    case "mapping":
      return [
        "dict",
        inOrder([...value.entries.values()].map(({ key, value }) => ["tuple", all([key, value])])),
      ]
    case "set":
      return ["set", inOrder(all([...value.members.values()]))]
    case "iterator":
      return ["iterator", all(listIterableItems(value, meter))]
    default:
      return ["callable"]
  }
}

const inOrder = (values: readonly Json[]): Json[] =>
  [...values].sort((one, other) => (written(one) < written(other) ? -1 : 1))

/** As Python writes JSON: in ASCII, with a space behind a comma. */
const written = (value: Json): string =>
  Array.isArray(value)
    ? `[${value.map(written).join(", ")}]`
    : JSON.stringify(value).replace(
        /[\u007f-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      )
