import type {} from "../../agent/agent.ts"
import type { ModelBinding } from "../../agent/model-binding.ts"
import { bindingKeys } from "../../agent/model-binding.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { keepExtension } from "./fields/common.ts"
import type { Draft } from "./fields/field.ts"
import { reportReserved } from "./fields/reserved-parameters.ts"
import { explainInnerKey } from "./fields/unknown-key.ts"
import type { ReportProblem } from "./problem.ts"
import { isSecret, makeSecretProblem } from "./secret.ts"

/**
 * Reads the model of a file. `model` is short for `model_config.model`. A model alone is stored as its name; with a
 * provider, an endpoint or parameters, it is stored as a binding.
 */
export function bindModel(draft: Draft, config: JsonMap, report: ReportProblem): void {
  const { provider, model, endpoint, parameters, ...unknown } = config
  const shortModel = draft.model as string | undefined
  const { model: configModel } = nonBlank("model", model, report)
  if (shortModel !== undefined && configModel && shortModel !== configModel)
    report({
      code: "model-conflict",
      severity: "error",
      message: `model \`${shortModel}\` conflicts with model_config.model \`${configModel}\`. Remove one of the two.`,
      at: { type: "value", path: ["model_config", "model"] },
    })
  const binding: ModelBinding = {
    ...nonBlank("provider", provider, report),
    ...((shortModel ?? configModel) && { model: shortModel ?? configModel }),
    ...nonBlank("endpoint", endpoint, report),
    ...parametersOf(parameters, report),
  }
  const keys = Object.keys(binding)
  if (keys.length > 0) draft.model = keys.length === 1 && binding.model ? binding.model : binding
  keepUnknown(draft, unknown, report)
}

/** The trimmed text; undefined if the key is absent or has a wrong type. */
function readTrimmed(key: string, value: Json | undefined, report: ReportProblem): string | undefined {
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
  report: ReportProblem,
): ModelBinding {
  const text = readTrimmed(key, value, report)
  if (text === "")
    report({
      code: "model-invalid",
      severity: "error",
      message: `model_config.${key} must be a non-empty string when set. Remove it to keep the caller's.`,
      at: { type: "value", path: ["model_config", key] },
    })
  return text ? { [key]: text } : {}
}

function parametersOf(value: Json | undefined, report: ReportProblem): ModelBinding {
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

function keepUnknown(draft: Draft, unknown: JsonMap, report: ReportProblem): void {
  const safeEntries = Object.entries(unknown).filter(([key, value]) => !isSecret(key, value))
  for (const [key, value] of Object.entries(unknown))
    if (isSecret(key, value)) report(makeSecretProblem(["model_config", key]))
  const keys = safeEntries.map(([key]) => key)
  if (keys.length > 0) keepExtension(draft, "codex-md", { model_config: Object.fromEntries(safeEntries) })
  for (const key of keys)
    report(
      explainInnerKey(["model_config", key], new Set(bindingKeys), {
        is: `\`model_config.${key}\` is not a key of Codex markdown files`,
        otherwise:
          ": it is kept and has no effect. Put settings of the model below `model_config.parameters`.",
        severity: "warning",
        harmless: settings,
      }),
    )
}

/** Keys that limit one request to a model, and not the rights of an agent. */
const settings: ReadonlySet<string> = new Set(["maxtokens", "timeout"])
