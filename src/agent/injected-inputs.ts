import { isMap } from "../ground/message.ts"
import type { JsonSchema } from "../ground/schema/schema.ts"

/** Removes the inputs that the host gives from a schema of arguments: a model neither sees nor sets them. */
export function hideInputs(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const { properties, required } = schema
  const isHidden = (name: unknown) => names.includes(name as string)
  const shown = isMap(properties as never) ? Object.entries(properties as object) : []
  const hidesProperty = shown.some(([name]) => isHidden(name))
  const hidesRequired = Array.isArray(required) && required.some(isHidden)
  if (!hidesProperty && !hidesRequired) return schema
  return {
    ...schema,
    ...(hidesProperty && { properties: Object.fromEntries(shown.filter(([name]) => !isHidden(name))) }),
    ...(hidesRequired && { required: (required as readonly string[]).filter((name) => !isHidden(name)) }),
  } as JsonSchema
}
