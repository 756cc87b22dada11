import { messageOf } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { type JsonSchema, validator } from "../../ground/schema/schema.ts"

/** The value that an agent hands in, in what its program answered: JSON, and nothing else but a fence around it. */
export async function readValue(
  text: string,
  schema: JsonSchema,
): Promise<{ readonly value: Json } | { readonly problem: string }> {
  const written = /^\s*```(?:json)?\s*\n([\s\S]*)\n\s*```\s*$/.exec(text)?.[1] ?? text
  let value: unknown
  try {
    value = JSON.parse(written)
  } catch (error) {
    if (/\n\[\.\.\. \d+ bytes left out by the runtime \.\.\.\]\n/.test(text))
      return { problem: "it is longer than `maxResultBytes`, so a part of it was left out" }
    return { problem: `it is no JSON: ${messageOf(error)}` }
  }
  const checked = await validator(schema)(value)
  return "problem" in checked ? checked : { value: checked.value as Json }
}
