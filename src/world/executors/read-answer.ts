import type { ExecutorSettings } from "../../agent/executor.ts"
import { messageOf } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import type { Printed } from "../sandbox/process.ts"

type Answer = { readonly text: string } | { readonly problem: string }

/** What a program answered, in what it printed. `value`: as JSON text, for an agent with a result schema. */
export function readAnswer(settings: ExecutorSettings, printed: Printed, wants: "text" | "value"): Answer {
  if (settings.result !== "json") return { text: wholeText(printed) }
  if (printed.omitted > 0)
    return { problem: "It was to print JSON, and printed more than can be read as a whole." }
  const read = readJson(printed.head)
  if ("problem" in read) return read
  const { text, value } = settings
  if (wants === "value" && value !== undefined) {
    const found = at(read.value, value)
    return "problem" in found ? found : { text: JSON.stringify(found.value) }
  }
  const found = text === undefined ? read : at(read.value, text)
  if ("problem" in found) return found
  // A program that has no answer says so with it: it is no text.
  if (found.value === null)
    return {
      problem: `${text === undefined ? "The JSON that it printed" : `\`${text}\` in the JSON that it printed`} is null, so there is no answer.`,
    }
  return { text: typeof found.value === "string" ? found.value : JSON.stringify(found.value) }
}

/** Its beginning and its end, where something was left out. */
export function wholeText({ head, tail, omitted }: Printed): string {
  const text = omitted === 0 ? head : `${head}\n[${omitted} bytes were left out here]\n${tail}`
  return text.replace(/\r?\n$/, "")
}

type Found = { readonly value: Json } | { readonly problem: string }

export function readJson(text: string): Found {
  try {
    return { value: JSON.parse(text) as Json }
  } catch (error) {
    const why = text.trim() === "" ? "it printed nothing" : messageOf(error)
    return { problem: `It was to print JSON, and what it printed does not parse: ${why}.` }
  }
}

/** What lies at the end of a way, such as `result.text`; places of a list are numbers. */
export function at(value: Json, way: string): Found {
  let found = value
  for (const name of way.split(".")) {
    const isThere = typeof found === "object" && found !== null && Object.hasOwn(found, name)
    if (!isThere) {
      const names = typeof found === "object" && found !== null ? Object.keys(found) : []
      return {
        problem: `There is no \`${way}\` in the JSON that it printed${names.length > 0 ? `, which has ${names.slice(0, 20).join(", ")} there` : ""}.`,
      }
    }
    found = (found as { readonly [name: string]: Json })[name]!
  }
  return { value: found }
}
