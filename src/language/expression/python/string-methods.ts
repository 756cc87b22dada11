import { readStringArgument, requireInteger } from "../bind-arguments.ts"
import type { Meter } from "../meter.ts"
import type { Method } from "../method.ts"
import { listIterableItems } from "../sequence.ts"
import { stringMethods } from "../string-methods.ts"
import { countCharacters, splitLines } from "../text.ts"
import { isType, listValue, makeTuple, type Value } from "../value.ts"
import { caseMethods } from "./case-methods.ts"
import { splitFromRight, splitText } from "./split.ts"
import { boundGiven, sliceText } from "./text-range.ts"

type StringMethod = Method<string>
type Given = readonly (Value | undefined)[]

/** Python's methods of texts. */
export const pythonStringMethods: ReadonlyMap<string, StringMethod> = new Map<string, StringMethod>([
  ...stringMethods,
  ...caseMethods,
  ["startswith", asking((text, part) => text.startsWith(part))],
  ["endswith", asking((text, part) => text.endsWith(part))],
  ["split", { parameters: ["sep?", "maxsplit?"], run: splitText }],
  ["rsplit", { parameters: ["sep?", "maxsplit?"], run: splitFromRight }],
  ["splitlines", { parameters: ["keepends?"], run: lines }],
  [
    "partition",
    { parameters: ["sep"], run: (text, [part], meter) => partition(text, part!, "first", meter) },
  ],
  [
    "rpartition",
    { parameters: ["sep"], run: (text, [part], meter) => partition(text, part!, "last", meter) },
  ],
  ["find", seeking("first", () => -1n)],
  ["rfind", seeking("last", () => -1n)],
  ["index", seeking("first", notFound)],
  ["rindex", seeking("last", notFound)],
  ["count", { parameters: ["sub", "start?", "end?"], run: count }],
  ["zfill", { parameters: ["width"], run: zeroFilled }],
  ["ljust", padding((missing) => [0, missing])],
  ["rjust", padding((missing) => [missing, 0])],
  ["center", padding(centered)],
])

/** A method that takes one text, or a tuple of which any may match. */
function asking(ask: (text: string, part: string) => boolean): StringMethod {
  return {
    parameters: ["part", "start?", "end?"],
    run: (text, [part, start, end], meter) => {
      const within = sliceText(text, start, end, meter)
      const parts =
        isType(part!, "sequence") && part.kind === "tuple" ? listIterableItems(part, meter) : [part]
      return parts.some((each) => {
        const wanted = readStringArgument(each, "", meter)
        return within !== undefined && ask(within.text, wanted)
      })
    },
  }
}

function seeking(which: "first" | "last", otherwise: (meter: Meter) => bigint): StringMethod {
  return {
    parameters: ["sub", "start?", "end?"],
    run: (text, [part, start, end], meter) => {
      const wanted = readStringArgument(part, "", meter)
      const within = sliceText(text, start, end, meter)
      if (within === undefined) return otherwise(meter)
      meter.spendSearch(within.text, wanted)
      const index = which === "first" ? within.text.indexOf(wanted) : within.text.lastIndexOf(wanted)
      return index < 0
        ? otherwise(meter)
        : BigInt(within.start + countCharacters(within.text.slice(0, index)))
    },
  }
}

function notFound(meter: Meter): never {
  throw meter.failure("This text is not in the other one, so it has no index there.")
}

function count(text: string, [part, start, end]: Given, meter: Meter): Value {
  const wanted = readStringArgument(part, "", meter)
  const within = sliceText(text, start, end, meter)
  if (within === undefined) return 0n
  if (wanted === "") return BigInt(countCharacters(within.text) + 1)
  meter.spendSearch(within.text, wanted)
  return BigInt(within.text.split(wanted).length - 1)
}

function partition(text: string, separator: Value, which: "first" | "last", meter: Meter): Value {
  const wanted = readStringArgument(separator, "", meter)
  if (wanted === "") throw meter.failure("partition needs a separator that is not empty.")
  meter.spendSearch(text, wanted)
  const at = which === "first" ? text.indexOf(wanted) : text.lastIndexOf(wanted)
  if (at < 0) return makeTuple(which === "first" ? [text, "", ""] : ["", "", text])
  return makeTuple([text.slice(0, at), wanted, text.slice(at + wanted.length)])
}

function lines(text: string, [keepEnds]: Given, meter: Meter): Value {
  const isKept = requireInteger(keepEnds, 0, meter) !== 0
  const parts = splitLines(text)
  meter.reserveItems(parts.length)
  if (!isKept) return listValue(parts)
  let start = 0
  return listValue(
    parts.map((line) => {
      const end = start + line.length
      const next = text.startsWith("\r\n", end) ? end + 2 : Math.min(end + 1, text.length)
      const whole = text.slice(start, next)
      start = next
      return whole
    }),
  )
}

function zeroFilled(text: string, [width]: Given, meter: Meter): Value {
  const missing = boundGiven(width!, meter) - countCharacters(text)
  if (missing <= 0) return text
  meter.reserveText(text.length + missing)
  const sign = /^[+-]/.test(text) ? 1 : 0
  return text.slice(0, sign) + "0".repeat(missing) + text.slice(sign)
}

function padding(share: (missing: number, width: number) => readonly [number, number]): StringMethod {
  return {
    parameters: ["width", "fillchar?"],
    run: (text, [width, filler], meter) => {
      const fill = readStringArgument(filler, " ", meter)
      if (countCharacters(fill) !== 1) throw meter.failure("The fill text must have exactly one character.")
      const wanted = boundGiven(width!, meter)
      const missing = wanted - countCharacters(text)
      if (missing <= 0) return text
      meter.reserveText(text.length + missing * fill.length)
      const [left, right] = share(missing, wanted)
      return fill.repeat(left) + text + fill.repeat(right)
    },
  }
}

/** Divides the padding. If it is odd, the width decides which side gets one more, as in Python. */
function centered(missing: number, width: number): readonly [number, number] {
  const left = (missing >> 1) + (missing & width & 1)
  return [left, missing - left]
}
