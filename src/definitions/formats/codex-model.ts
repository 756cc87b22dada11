import type {} from "../../agent/agent.ts"
import type { ModelBinding } from "../../agent/model-binding.ts"
import { bindingKeys } from "../../agent/model-binding.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { keep } from "./fields/common.ts"
import type { Draft } from "./fields/field.ts"
import { reportReserved } from "./fields/reserved-parameters.ts"
import { explainInner } from "./fields/unknown-key.ts"
import type { Report } from "./problem.ts"
import { isSecret, secretAt } from "./secret.ts"

/**
 * `model` is the short way to say `model_config.model`. A model and nothing else is its name; with a provider, an
 * endpoint or parameters it is a binding.
 */
export function bindModel(draft: Draft, config: JsonMap, report: Report): void {
  const { provider, model, endpoint, parameters, ...unknown } = config
  const given = draft.model as string | undefined
  const { model: bound } = nonBlank("model", model, report)
  if (given !== undefined && bound && given !== bound)
    report({
      code: "model-conflict",
      severity: "error",
      message: `model \`${given}\` conflicts with model_config.model \`${bound}\`. Remove one of the two.`,
      at: { type: "value", path: ["model_config", "model"] },
    })
  const binding: ModelBinding = {
    ...nonBlank("provider", provider, report),
    ...((given ?? bound) && { model: given ?? bound }),
    ...nonBlank("endpoint", endpoint, report),
    ...parametersOf(parameters, report),
  }
  const keys = Object.keys(binding)
  if (keys.length > 0) draft.model = keys.length === 1 && binding.model ? binding.model : binding
  keepUnknown(draft, unknown, report)
}

/** Trimmed; undefined where it is left out or of a wrong type. */
function textOf(key: string, value: Json | undefined, report: Report): string | undefined {
  if (typeof value === "string") return value.trim()
  if (value !== undefined && value !== null)
    report({
      code: "field-type",
      severity: "error",
      message: `\`model_config.${key}\` must be text, but it is ${JSON.stringify(value)}.`,
      at: { type: "value", path: ["model_config", key] },
    })
  return undefined
}

function nonBlank(
  key: "provider" | "model" | "endpoint",
  value: Json | undefined,
  report: Report,
): ModelBinding {
  const text = textOf(key, value, report)
  if (text === "")
    report({
      code: "model-invalid",
      severity: "error",
      message: `model_config.${key} must be a non-empty string when set. Leave it out to keep that of whoever calls it.`,
      at: { type: "value", path: ["model_config", key] },
    })
  return text ? { [key]: text } : {}
}

function parametersOf(value: Json | undefined, report: Report): ModelBinding {
  if (value === undefined || value === null) return {}
  const at = { type: "value", path: ["model_config", "parameters"] } as const
  if (!isMap(value)) {
    report({
      code: "field-type",
      severity: "error",
      message: `\`model_config.parameters\` must be keys and values, but it is ${JSON.stringify(value)}.`,
      at,
    })
    return {}
  }
  const entries = Object.entries(value).map(([key, inner]) => [key.trim(), inner] as const)
  if (entries.some(([key]) => key === ""))
    report({
      code: "model-invalid",
      severity: "error",
      message: "model_config.parameters keys must be non-empty strings. Name the parameter, or remove it.",
      at,
    })
  reportReserved(value, at.path, report)
  const named = entries.filter(([key]) => key !== "")
  return named.length > 0 ? { parameters: Object.fromEntries(named) } : {}
}

function keepUnknown(draft: Draft, unknown: JsonMap, report: Report): void {
  const kept = Object.entries(unknown).filter(([key, value]) => !isSecret(key, value))
  for (const [key, value] of Object.entries(unknown))
    if (isSecret(key, value)) report(secretAt(["model_config", key]))
  const keys = kept.map(([key]) => key)
  if (keys.length > 0) keep(draft, "codex-md", { model_config: Object.fromEntries(kept) })
  for (const key of keys)
    report(
      explainInner(["model_config", key], new Set(bindingKeys), {
        is: `\`model_config.${key}\` is no key of Codex markdown files`,
        otherwise: ": it is kept and has no effect. Settings of a model go below `model_config.parameters`.",
        severity: "warning",
        harmless: settings,
      }),
    )
}

/** What bounds one request to a model, and not what an agent may do. */
const settings: ReadonlySet<string> = new Set(["maxtokens", "timeout"])
