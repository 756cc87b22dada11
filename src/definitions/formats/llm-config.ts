import type { ModelChoice } from "../../agent/agent.ts"
import type { ModelBinding } from "../../agent/model-binding.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { checkModel } from "./cadre.ts"
import { keep } from "./fields/common.ts"
import type { Draft } from "./fields/field.ts"
import type { Report } from "./problem.ts"
import { secretAt } from "./secret.ts"

/**
 * The model of a spec: a preset's name, `inherit`, null, or an object in our words or in those of instructor-php's
 * LLMConfig. What of that has no place here is kept. Undefined: it says no model.
 */
export function readModel(
  key: "model" | "llmConfig",
  value: Json,
  draft: Draft,
  report: Report,
): ModelChoice | undefined {
  if (!isMap(value))
    return value === null || (value as string).trim() !== "" ? (value as string | null) : undefined
  const { binding, rest } = split(withoutSecrets(key, value, report))
  keepUnder(draft, rest)
  for (const unknown of Object.keys(rest))
    report({
      code: "key-unknown",
      severity: "warning",
      message: `\`${key}.${unknown}\` has no meaning here: it is kept and has no effect. Settings of a model go below \`${key}.parameters\`.`,
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

/** Whichever key it came from: a model is written as `model`, which may be a name, so there is room here only. */
function keepUnder(draft: Draft, rest: JsonMap): void {
  const earlier = draft.extensions?.["subagent-spec"]?.llmConfig as JsonMap | undefined
  if (Object.keys(rest).length > 0) keep(draft, "subagent-spec", { llmConfig: { ...earlier, ...rest } })
}

function withoutSecrets(key: string, { apiKey, ...config }: JsonMap, report: Report): JsonMap {
  if (apiKey !== undefined && apiKey !== null && apiKey !== "") report(secretAt([key, "apiKey"]))
  return config
}

/** LLMConfig writes out what is not set as null or as an empty text. */
function split(config: JsonMap): { binding: JsonMap & Json; rest: JsonMap } {
  const said = Object.entries(config).filter(([, value]) => value !== null && value !== "")
  const { provider, driver, model, endpoint, apiUrl, parameters, options, maxTokens, ...rest } =
    Object.fromEntries(said) as Partial<JsonMap>
  // There `endpoint` is a path below `apiUrl`; here it is the whole address.
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
  return { binding: defined(binding), rest: defined({ ...rest, ...(isPath && { endpoint }) }) }
}

const defined = (values: { readonly [key: string]: Json | undefined }) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonMap & Json
