import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import { buildKeySchema } from "./key-type.ts"
import { type ConfigurationKey, configurationKeys } from "./keys.ts"

/** The JSON Schema of `config.yaml`, for editors. */
export function buildConfigurationSchema(): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "cadre configuration",
    description: "Settings of a project (.cadre/config.yaml) or of a user (config.yaml).",
    ...group(configurationKeys.map((setting) => ({ ...setting, at: setting.key.split(".") }))),
  }
}

type Placed = ConfigurationKey & { readonly at: readonly string[] }

/** Null is allowed everywhere, because a key without a value is ignored. */
function group(keys: readonly Placed[]): { readonly [key: string]: Json } {
  const names = [...new Set(keys.map(({ at }) => at[0]!))]
  const schemas = names.map((name): [string, Json] => {
    const below = keys.filter(({ at }) => at[0] === name)
    const [first] = below
    return [
      name,
      first!.at.length === 1
        ? settingSchema(first!)
        : group(below.map((setting) => ({ ...setting, at: setting.at.slice(1) }))),
    ]
  })
  return { type: ["object", "null"], properties: Object.fromEntries(schemas), additionalProperties: false }
}

function settingSchema({ type, doc, default: value, choices }: ConfigurationKey): Json {
  return {
    description: doc,
    ...(value !== undefined && { default: value }),
    anyOf: [choices ? { enum: [...choices] } : buildKeySchema(type), { type: "null" }],
  }
}
