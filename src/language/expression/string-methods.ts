import { readStringArgument, requireInteger } from "./bind-arguments.ts"
import type { Meter } from "./meter.ts"
import type { Method } from "./method.ts"
import { replaceMatches } from "./replace.ts"
import { listIterableItems } from "./sequence.ts"
import { capitalize, countCharacters, splitAtSpaces, splitLines, strip } from "./text.ts"
import { describeValue, isType, listValue, type Value } from "./value.ts"

type StringMethod = Method<string>

export const stringMethods: ReadonlyMap<string, StringMethod> = new Map([
  ["lower", changeMethod((text) => text.toLowerCase())],
  ["upper", changeMethod((text) => text.toUpperCase())],
  ["capitalize", changeMethod(capitalize)],
  ["strip", stripMethod("both")],
  ["lstrip", stripMethod("left")],
  ["rstrip", stripMethod("right")],
  ["startswith", testMethod((text, part) => text.startsWith(part))],
  ["endswith", testMethod((text, part) => text.endsWith(part))],
  ["split", { parameters: ["sep?", "maxsplit?"], run: split }],
  ["splitlines", { parameters: [], run: (text, _given, meter) => listOf(splitLines(text), meter) }],
  ["replace", { parameters: ["old", "new", "count?"], run: replace }],
  ["join", { parameters: ["iterable"], run: join }],
  ["find", { parameters: ["sub"], run: find }],
  ["count", { parameters: ["sub"], run: count }],
  ["removeprefix", removeMethod((text, part) => (text.startsWith(part) ? text.slice(part.length) : text))],
  [
    "removesuffix",
    removeMethod((text, part) => (part !== "" && text.endsWith(part) ? text.slice(0, -part.length) : text)),
  ],
  ["isdigit", { parameters: [], run: (text) => /^\p{Nd}+$/u.test(text) }],
] satisfies [string, StringMethod][])

function changeMethod(change: (text: string) => string): StringMethod {
  return { parameters: [], run: (text, _given, meter) => meter.text(change(text)) }
}

function stripMethod(side: "both" | "left" | "right"): StringMethod {
  return {
    parameters: ["chars?"],
    run: (text, [characters], meter) => {
      return strip(text, side, characters == null ? undefined : readStringArgument(characters, "", meter))
    },
  }
}

/** A method that tests for one text, or for any text of a tuple. */
function testMethod(test: (text: string, part: string) => boolean): StringMethod {
  return {
    parameters: ["part"],
    run: (text, [part], meter) => {
      const parts =
        isType(part!, "sequence") && part.kind === "tuple" ? listIterableItems(part, meter) : [part]
      return parts.some((each) => {
        const wanted = readStringArgument(each, "", meter)
        return test(text, wanted)
      })
    },
  }
}

function removeMethod(remove: (text: string, part: string) => string): StringMethod {
  return {
    parameters: ["part"],
    run: (text, [part], meter) => meter.text(remove(text, readStringArgument(part, "", meter))),
  }
}

function split(text: string, [separator, limit]: readonly (Value | undefined)[], meter: Meter): Value {
  const most = requireInteger(limit, -1, meter)
  if (separator == null) {
    if (most >= 0) throw meter.failure("split takes maxsplit only together with a separator.")
    return listOf(splitAtSpaces(text), meter)
  }
  const wanted = readStringArgument(separator, "", meter)
  if (wanted === "") throw meter.failure("split needs a separator that is not empty.")
  meter.spendSearch(text, wanted)
  const parts = text.split(wanted)
  if (most < 0 || parts.length <= most + 1) return listOf(parts, meter)
  return listOf([...parts.slice(0, most), parts.slice(most).join(wanted)], meter)
}

function replace(
  text: string,
  [old, replacement, limit]: readonly (Value | undefined)[],
  meter: Meter,
): Value {
  return replaceMatches(
    text,
    { old: readStringArgument(old, "", meter), replacement: readStringArgument(replacement, "", meter) },
    requireInteger(limit, -1, meter),
    meter,
  )
}

function join(separator: string, [items]: readonly (Value | undefined)[], meter: Meter): Value {
  const parts = listIterableItems(items!, meter).map((item) => {
    if (typeof item === "string") return item
    throw meter.failure(
      `join takes strings only, not ${describeValue(item)}. The filter |join takes anything.`,
    )
  })
  return meter.join(parts, separator)
}

function find(text: string, [part]: readonly (Value | undefined)[], meter: Meter): Value {
  const wanted = readStringArgument(part, "", meter)
  meter.spendSearch(text, wanted)
  const index = text.indexOf(wanted)
  return BigInt(index < 0 ? -1 : countCharacters(text.slice(0, index)))
}

function count(text: string, [part]: readonly (Value | undefined)[], meter: Meter): Value {
  const wanted = readStringArgument(part, "", meter)
  if (wanted === "") return BigInt(countCharacters(text) + 1)
  meter.spendSearch(text, wanted)
  return BigInt(text.split(wanted).length - 1)
}

function listOf(texts: readonly string[], meter: Meter): Value {
  meter.reserveItems(texts.length)
  return listValue(texts)
}
