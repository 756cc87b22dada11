import type { ExecutorSettings } from "../../agent/executor.ts"
import { describeThrown } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import type { PrintedOutput } from "../sandbox/process.ts"

type Answer = { readonly text: string } | { readonly problem: string }

/** Reads the program's answer from its output. `value`: the answer as JSON text, for an agent with a result schema. */
export function readAnswer(
  settings: ExecutorSettings,
  printed: PrintedOutput,
  wants: "text" | "value",
): Answer {
  if (settings.result !== "json") return { text: joinOutput(printed) }
  if (printed.omitted > 0)
    return { problem: "It must print JSON, but its output is too long to be read whole." }
  const json = parseExecutorJson(printed.head)
  if ("problem" in json) return json
  const { text, value } = settings
  if (wants === "value" && value !== undefined) {
    const result = readJsonPath(json.value, value)
    return "problem" in result ? result : { text: JSON.stringify(result.value) }
  }
  const result = text === undefined ? json : readJsonPath(json.value, text)
  if ("problem" in result) return result
  // Programs print null if they have no answer.
  if (result.value === null)
    return {
      problem: `${text === undefined ? "The JSON that it printed" : `\`${text}\` in the JSON that it printed`} is null: there is no answer.`,
    }
  return { text: typeof result.value === "string" ? result.value : JSON.stringify(result.value) }
}

/** Joins the kept parts of an output: its beginning and its end. */
export function joinOutput({ head, tail, omitted }: PrintedOutput): string {
  const text = omitted === 0 ? head : `${head}\n[${omitted} bytes were left out here]\n${tail}`
  return text.replace(/\r?\n$/, "")
}

type JsonResult = { readonly value: Json } | { readonly problem: string }

export function parseExecutorJson(text: string): JsonResult {
  try {
    return { value: JSON.parse(text) as Json }
  } catch (error) {
    const why = text.trim() === "" ? "it printed nothing" : describeThrown(error)
    return { problem: `It must print JSON, but its output does not parse: ${why}.` }
  }
}

/** Reads the value at a path such as `result.text`. Numbers are positions in a list. */
export function readJsonPath(value: Json, way: string): JsonResult {
  let result = value
  for (const name of way.split(".")) {
    const isThere = typeof result === "object" && result !== null && Object.hasOwn(result, name)
    if (!isThere) {
      const names = typeof result === "object" && result !== null ? Object.keys(result) : []
      return {
        problem: `The JSON that it printed has no \`${way}\`${names.length > 0 ? `. Found there: ${names.slice(0, 20).join(", ")}` : ""}.`,
      }
    }
    result = (result as { readonly [name: string]: Json })[name]!
  }
  return { value: result }
}
