import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import { keySchema } from "./key-type.ts"
import { type ConfigurationKey, configurationKeys } from "./keys.ts"

/** The JSON Schema of `config.yaml`, for editors. */
export function configurationSchema(): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "cadre configuration",
    description: "Settings of a project (.cadre/config.yaml) or of a person (config.yaml).",
    ...group(configurationKeys.map((known) => ({ ...known, at: known.key.split(".") }))),
  }
}

type Placed = ConfigurationKey & { readonly at: readonly string[] }

/** A key with nothing behind it is left out, so null fits everywhere. */
function group(keys: readonly Placed[]): { readonly [key: string]: Json } {
  const names = [...new Set(keys.map(({ at }) => at[0]!))]
  const schemas = names.map((name): [string, Json] => {
    const below = keys.filter(({ at }) => at[0] === name)
    const [first] = below
    return [
      name,
      first!.at.length === 1
        ? settingSchema(first!)
        : group(below.map((known) => ({ ...known, at: known.at.slice(1) }))),
    ]
  })
  return { type: ["object", "null"], properties: Object.fromEntries(schemas), additionalProperties: false }
}

function settingSchema({ type, doc, default: value, choices }: ConfigurationKey): Json {
  return {
    description: doc,
    ...(value !== undefined && { default: value }),
    anyOf: [choices ? { enum: [...choices] } : keySchema(type), { type: "null" }],
  }
}
