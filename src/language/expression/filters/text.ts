import { type Filter, readStringArgument, requireInteger, withParameters } from "../bind-arguments.ts"
import { format } from "../format.ts"
import { makeMapping, requireKeyId } from "../mapping.ts"
import type { Meter } from "../meter.ts"
import { printValue } from "../print.ts"
import { replaceMatches } from "../replace.ts"
import { computeSize } from "../sequence.ts"
import { capitalize, countCharacters, splitLines, strip } from "../text.ts"
import { type Arguments, describeValue, isTrue, isUndefined, makeTuple, type Value } from "../value.ts"

type Given = readonly (Value | undefined)[]

export const textFilters: readonly [string, Filter][] = [
  ["upper", changed((text) => text.toUpperCase())],
  ["lower", changed((text) => text.toLowerCase())],
  ["capitalize", changed(capitalize)],
  ["title", changed(title)],
  ["trim", withParameters(["chars?"], trim)],
  ["replace", withParameters(["old", "new", "count?"], replace)],
  ["indent", withParameters(["width?", "first?", "blank?"], indent)],
  ["truncate", withParameters(["length?", "killwords?", "end?", "leeway?"], truncate)],
  ["center", withParameters(["width?"], center)],
  ["wordcount", withParameters([], wordcount)],
  ["format", formatFilter],
]

function changed(change: (text: string) => string): Filter {
  return withParameters([], (value, _given, meter) => meter.text(change(printValue(value, meter))))
}

function title(text: string): string {
  return text
    .split(/([-\s({[<]+)/)
    .map(capitalize)
    .join("")
}

function trim(value: Value, [characters]: Given, meter: Meter): Value {
  const text = printValue(value, meter)
  return strip(text, "both", characters == null ? undefined : readStringArgument(characters, "", meter))
}

function replace(value: Value, [old, replacement, count]: Given, meter: Meter): Value {
  return replaceMatches(
    printValue(value, meter),
    { old: printValue(old!, meter), replacement: printValue(replacement!, meter) },
    count === null ? -1 : requireInteger(count, -1, meter),
    meter,
  )
}

function indent(value: Value, [width = 4n, first = false, blank = false]: Given, meter: Meter): Value {
  const text = readStringArgument(value, "", meter)
  const lines = splitLines(`${text}\n`)
  const indentation = typeof width === "string" ? width : spaces(requireInteger(width, 4, meter), meter)
  meter.reserveText(text.length + indentation.length * lines.length)
  return lines
    .map((line, index) => {
      if (index === 0) return isTrue(first) ? indentation + line : line
      return line !== "" || isTrue(blank) ? indentation + line : line
    })
    .join("\n")
}

function truncate(value: Value, [length, killwords = false, end, leeway]: Given, meter: Meter): Value {
  const limit = requireInteger(length, 255, meter)
  const ending = readStringArgument(end, "...", meter)
  const extra = leeway === null ? 5 : requireInteger(leeway, 5, meter)
  if (limit < countCharacters(ending))
    throw meter.failure("The length of truncate must be at least that of its end.")
  if (extra < 0) throw meter.failure("The leeway of truncate cannot be negative.")
  if (computeSize(value, meter) <= limit + extra) return value
  if (typeof value !== "string") throw meter.failure(`A string is needed here, not ${describeValue(value)}.`)
  const kept = Array.from(value)
    .slice(0, limit - countCharacters(ending))
    .join("")
  const space = kept.lastIndexOf(" ")
  return (isTrue(killwords) || space < 0 ? kept : kept.slice(0, space)) + ending
}

function center(value: Value, [width]: Given, meter: Meter): Value {
  const text = printValue(value, meter)
  const wanted = requireInteger(width, 80, meter)
  const missing = wanted - computeSize(text, meter)
  if (missing <= 0) return text
  const before = (missing >> 1) + (missing & wanted & 1)
  return spaces(before, meter) + text + spaces(missing - before, meter)
}

function wordcount(value: Value, _given: Given, meter: Meter): Value {
  const text = printValue(value, meter)
  return BigInt(text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0)
}

function formatFilter(value: Value, { positional, named }: Arguments, meter: Meter): Value {
  if (positional.length > 0 && named.size > 0)
    throw meter.failure("format takes arguments with names or without, not both.")
  const inputs =
    named.size > 0
      ? makeMapping(Array.from(named, ([key, each]) => ({ id: requireKeyId(key, meter), key, value: each })))
      : makeTuple(positional)
  if (isUndefined(value)) return format("", inputs, meter)
  return format(printValue(value, meter), inputs, meter)
}

function spaces(count: number, meter: Meter): string {
  meter.reserveText(count)
  return " ".repeat(Math.max(0, count))
}
