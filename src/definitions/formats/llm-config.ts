import type { ModelChoice } from "../../agent/agent.ts"
import type { ModelBinding } from "../../agent/model-binding.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { checkModel } from "./cadre.ts"
import { keepExtension } from "./fields/common.ts"
import type { Draft } from "./fields/field.ts"
import type { ReportProblem } from "./problem.ts"
import { makeSecretProblem } from "./secret.ts"

/**
 * Reads the model of a spec: the name of a preset, `inherit`, null, or an object with keys of cadre or of
 * instructor-php's LLMConfig. Keys without a counterpart are kept. Undefined: the value names no model.
 */
export function readModel(
  key: "model" | "llmConfig",
  value: Json,
  draft: Draft,
  report: ReportProblem,
): ModelChoice | undefined {
  if (!isMap(value))
    return value === null || (value as string).trim() !== "" ? (value as string | null) : undefined
  const { binding, rest } = split(withoutSecrets(key, value, report))
  keepUnder(draft, rest)
  for (const unknown of Object.keys(rest))
    report({
      code: "key-unknown",
      severity: "warning",
      message: `\`${key}.${unknown}\` is unknown: it is kept and has no effect. Put settings of the model below \`${key}.parameters\`.`,
      at: { type: "key", path: [key, unknown] },
    })
  const wrong = checkModel(binding)
  if (wrong !== undefined)
    report({
      code: "model-invalid",
      severity: "error",
      message: `Invalid '${key}' field: ${wrong}`,
      at: { type: "value", path: [key] },
    })
  return wrong === undefined && Object.keys(binding).length > 0 ? (binding as ModelBinding) : undefined
}

/** Keeps keys of either source under `llmConfig`: `model` may be a mere name, which has no room for them. */
function keepUnder(draft: Draft, rest: JsonMap): void {
  const earlier = draft.extensions?.["subagent-spec"]?.llmConfig as JsonMap | undefined
  if (Object.keys(rest).length > 0)
    keepExtension(draft, "subagent-spec", { llmConfig: { ...earlier, ...rest } })
}

function withoutSecrets(key: string, { apiKey, ...config }: JsonMap, report: ReportProblem): JsonMap {
  if (apiKey !== undefined && apiKey !== null && apiKey !== "") report(makeSecretProblem([key, "apiKey"]))
  return config
}

/** LLMConfig writes unset values as null or as an empty text. */
function split(config: JsonMap): { binding: JsonMap & Json; rest: JsonMap } {
  const entries = Object.entries(config).filter(([, value]) => value !== null && value !== "")
  const { provider, driver, model, endpoint, apiUrl, parameters, options, maxTokens, ...rest } =
    Object.fromEntries(entries) as Partial<JsonMap>
  // In LLMConfig `endpoint` is a path below `apiUrl`; in cadre it is the whole address.
  const isPath = typeof endpoint === "string" && endpoint.startsWith("/")
  const settings: Json = parameters ?? options ?? {}
  const binding = {
    provider: provider ?? driver,
    model,
    endpoint: isPath ? apiUrl : (endpoint ?? apiUrl),
    parameters:
      maxTokens !== undefined && isMap(settings)
        ? { max_tokens: maxTokens, ...settings }
        : (parameters ?? options),
  }
  return {
    binding: withoutUndefined(binding),
    rest: withoutUndefined({ ...rest, ...(isPath && { endpoint }) }),
  }
}

const withoutUndefined = (values: { readonly [key: string]: Json | undefined }) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonMap & Json
