import { isMap, type JsonMap } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import type { ScriptInput } from "./declarations.ts"

/** The parameters of a script as a model is told them, and what an override changed against the script. */
export interface ScriptParameters {
  readonly schema: JsonSchema
  readonly warnings: readonly string[]
}

interface ParameterOptions {
  /** Changes by input: `type`, `description`, `default`, `required`. They win over the script. */
  readonly overrides?: JsonMap
  /** Inputs that the host gives. A model is not told of them. */
  readonly injected?: readonly string[]
}

/** Derives the JSON Schema of a call from the inputs that a script declares. */
export function deriveScriptParameters(
  inputs: readonly ScriptInput[],
  { overrides = {}, injected = [] }: ParameterOptions = {},
): ScriptParameters {
  const warnings = Object.keys(overrides)
    .filter((name) => !inputs.some((input) => input.name === name))
    .map((name) => `inputs_override names ${JSON.stringify(name)}, which the script does not declare`)
  const shown = inputs.filter(
    ({ name, alias }) => !injected.includes(name) && !injected.includes(alias ?? name),
  )
  const read = shown.map((input) => {
    const override = overrides[input.name]
    return { name: input.name, ...changed(input, isMap(override) ? override : {}, warnings) }
  })
  const required = read.filter((one) => one.required).map(({ name }) => name)
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(read.map(({ name, schema }) => [name, schema])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    warnings,
  }
}

function changed(
  input: ScriptInput,
  override: JsonMap,
  warnings: string[],
): { schema: JsonSchema; required: boolean } {
  const { name, schema, description, default: value, required } = input
  const differs = (key: string, was: unknown) => {
    if (
      override[key] !== undefined &&
      was !== undefined &&
      JSON.stringify(override[key]) !== JSON.stringify(was)
    )
      warnings.push(
        `inputs_override changes ${key} of ${name} from ${JSON.stringify(was)} to ${JSON.stringify(override[key])}`,
      )
  }
  differs("type", schema.type)
  differs("default", value ?? undefined)
  if (typeof override.required === "boolean") differs("required", required)
  const text = typeof override.description === "string" ? override.description : description
  const fallback = override.default ?? value
  const isRequired =
    typeof override.required === "boolean" ? override.required : required && override.default === undefined
  return {
    schema: {
      ...schema,
      ...(typeof override.type === "string" && { type: override.type }),
      ...(text !== undefined && { description: text }),
      ...(fallback !== undefined && fallback !== null && { default: fallback }),
    },
    required: isRequired,
  }
}
