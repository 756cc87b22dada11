import { describeThrown } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { createValidator, type JsonSchema } from "../../ground/schema/schema.ts"

/** Reads the result value from a program's answer: JSON, alone or in one code fence. */
export async function readValue(
  text: string,
  schema: JsonSchema,
): Promise<{ readonly value: Json } | { readonly problem: string }> {
  const jsonText = /^\s*```(?:json)?\s*\n([\s\S]*)\n\s*```\s*$/.exec(text)?.[1] ?? text
  let value: unknown
  try {
    value = JSON.parse(jsonText)
  } catch (error) {
    if (/\n\[\.\.\. \d+ bytes left out by the runtime \.\.\.\]\n/.test(text))
      return { problem: "it is longer than `maxResultBytes`, so it was cut" }
    return { problem: `it is not JSON: ${describeThrown(error)}` }
  }
  const checked = await createValidator(schema)(value)
  return "problem" in checked ? checked : { value: checked.value as Json }
}
