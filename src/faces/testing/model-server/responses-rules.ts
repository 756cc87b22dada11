import type { Json } from "../../../ground/message.ts"
import { findFirstProblem, findModelKeyProblem, findToolSchemaProblem, isRecord } from "./protocol.ts"
import { inputRules } from "./responses-input-rules.ts"
import { findResponsesKeyProblem, type ResponsesBody } from "./responses-items.ts"
import type { RefusalRule } from "./rule.ts"
import { findStrictProblem } from "./strict-problem.ts"

const types = {
  source: "the types of `openai` 7.53.0, resources/responses/responses.d.ts",
  read: "2026-11-16",
}
const reportedIn = (source: string) => ({ source, read: "2026-11-16" })

/** OpenAI's rules for a responses request, in the order of checking. */
export const responsesRules: readonly RefusalRule[] = [
  {
    name: "model",
    says: "model?: the model ID used to generate the response.",
    ...types,
    status: 400,
    refuses: findModelKeyProblem,
  },
  {
    name: "names of chat completions",
    says: "Unsupported parameter: 'reasoning_effort'. In the Responses API, this parameter has moved to 'reasoning.effort'. Try again with the new parameter.",
    ...reportedIn("github.com/lobehub/lobehub/pull/8163"),
    status: 400,
    code: "unsupported_parameter",
    refuses: (body) =>
      findFirstProblem(Object.entries(newNames), ([old, now]) =>
        old in body
          ? `Unsupported parameter: '${old}'. In the Responses API, this parameter has moved to '${now}'. Try again with the new parameter.`
          : undefined,
      ),
  },
  {
    name: "parameters",
    says: "ResponseCreateParamsBase: all that a request may say.",
    ...types,
    status: 400,
    code: "unknown_parameter",
    refuses: (body) => findResponsesKeyProblem(body, parameters),
  },
  {
    name: "kinds of values",
    says: "stream?: boolean; store?: boolean; parallel_tool_calls?: boolean; instructions?: string.",
    ...types,
    status: 400,
    refuses: (body) =>
      findFirstProblem(["stream", "store", "parallel_tool_calls", "background"], (name) =>
        body[name] === undefined || typeof body[name] === "boolean"
          ? undefined
          : `${name}: a boolean is required.`,
      ) ??
      (body.instructions === undefined || typeof body.instructions === "string"
        ? undefined
        : "instructions: a string is required."),
  },
  {
    name: "least output",
    says: "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 15 instead.",
    ...reportedIn("github.com/vectorize-io/hindsight/issues/58"),
    status: 400,
    code: "integer_below_min_value",
    refuses: ({ max_output_tokens: limit }) =>
      limit === undefined || (typeof limit === "number" && Number.isInteger(limit) && limit >= 16)
        ? undefined
        : `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${limit} instead.`,
  },
  {
    name: "sampling",
    says: "temperature: what sampling temperature to use, between 0 and 2. top_p: an alternative.",
    ...types,
    status: 400,
    refuses: (body) =>
      findFirstProblem(Object.entries({ temperature: 2, top_p: 1 }), ([name, most]) => {
        const value = body[name]
        return value === undefined || (typeof value === "number" && value >= 0 && value <= most)
          ? undefined
          : `${name}: a number from 0 to ${most} is required.`
      }),
  },
  {
    name: "sampling of a model that reasons",
    says: "Unsupported parameter: 'temperature' is not supported with this model.",
    ...reportedIn("github.com/OpenHands/software-agent-sdk/issues/1837"),
    status: 400,
    refuses(body) {
      const isOff = isRecord(body.reasoning) && body.reasoning.effort === "none"
      if (!reasons(body) || isOff) return undefined
      const name = ["temperature", "top_p", "top_logprobs"].find((parameter) => parameter in body)
      return name && `Unsupported parameter: '${name}' is not supported with this model.`
    },
  },
  {
    name: "include",
    says: "ResponseIncludable: 'reasoning.encrypted_content' | 'message.output_text.logprobs' | …",
    ...types,
    status: 400,
    refuses: ({ include }) =>
      include === undefined || (Array.isArray(include) && include.every((name) => includable.includes(name)))
        ? undefined
        : `include: a list of ${includable.join(", ")} is required.`,
  },
  {
    name: "sealed reasoning of a model that does not reason",
    says: "Encrypted content is not supported with this model.",
    ...reportedIn("github.com/pydantic/pydantic-ai/issues/2865"),
    status: 400,
    refuses: (body) =>
      isPlain(body) && Array.isArray(body.include) && body.include.includes("reasoning.encrypted_content")
        ? "Encrypted content is not supported with this model."
        : undefined,
  },
  {
    name: "reasoning settings",
    says: "Reasoning: context?, effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max', mode?, summary?.",
    ...types,
    status: 400,
    code: "invalid_value",
    refuses({ reasoning }) {
      if (reasoning === undefined) return undefined
      if (!isRecord(reasoning)) return "reasoning: an object is required."
      const extra = findResponsesKeyProblem(reasoning, ["effort", "summary", "mode", "context"], "reasoning.")
      if (extra) return extra
      return reasoning.effort === undefined || efforts.includes(String(reasoning.effort))
        ? undefined
        : `Invalid value: '${reasoning.effort}'. Supported values are: ${efforts.join(", ")}.`
    },
  },
  {
    name: "reasoning of a model that does not",
    says: "reasoning?: configuration options for reasoning models.",
    ...types,
    status: 400,
    code: "unsupported_parameter",
    refuses: (body) =>
      isPlain(body) && isRecord(body.reasoning) && "effort" in body.reasoning
        ? "Unsupported parameter: 'reasoning.effort' is not supported with this model."
        : undefined,
  },
  {
    name: "format of the text",
    says: "ResponseFormatTextJSONSchemaConfig: name: string; schema: object; type: 'json_schema'.",
    ...types,
    status: 400,
    refuses: ({ text }) => (text === undefined ? undefined : textProblem(text)),
  },
  {
    name: "key of the cache",
    says: "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    ...reportedIn("github.com/theopenco/llmgateway/pull/3110"),
    status: 400,
    code: "string_above_max_length",
    refuses: ({ prompt_cache_key: key }) =>
      key === undefined || (typeof key === "string" && key.length <= 64)
        ? undefined
        : `Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with length ${String(key).length} instead.`,
  },
  {
    name: "what was stored before",
    says: "previous_response_id?: the unique ID of the previous response to the model. store: whether to store the response.",
    ...types,
    status: 400,
    code: "previous_response_not_found",
    refuses: ({ previous_response_id: id }) =>
      id === undefined || id === null ? undefined : `Previous response with id '${id}' not found.`,
  },
  {
    name: "tools",
    says: "FunctionTool: name: string; parameters: object | null; strict: boolean | null; type: 'function'.",
    ...types,
    status: 400,
    refuses: toolsProblem,
  },
  {
    name: "strict tools",
    says: "Invalid schema for function 'add': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    ...reportedIn("developers.openai.com/api/docs/guides/structured-outputs"),
    status: 400,
    code: "invalid_function_parameters",
    refuses: ({ tools }) =>
      findFirstProblem(Array.isArray(tools) ? (tools as readonly Json[]) : [], (tool) => {
        // A tool is strict by default.
        if (!isRecord(tool) || tool.strict === false || tool.strict === null) return undefined
        const problem = findStrictProblem(tool.parameters!)
        return problem && `Invalid schema for function '${tool.name}': ${problem}`
      }),
  },
  ...inputRules,
]

/** Notes about a request that is accepted, but should be different. */
export const listResponsesNotes = ({ store }: ResponsesBody): readonly string[] =>
  store === false ? [] : ["`store` is not false, so the provider keeps this response for 30 days."]

const newNames: Readonly<Record<string, string>> = {
  messages: "input",
  max_tokens: "max_output_tokens",
  max_completion_tokens: "max_output_tokens",
  response_format: "text.format",
  reasoning_effort: "reasoning.effort",
  verbosity: "text.verbosity",
}

const parameters: readonly string[] = [
  ...["model", "input", "instructions", "stream", "stream_options", "store", "include", "metadata", "user"],
  ...["tools", "tool_choice", "parallel_tool_calls", "max_tool_calls", "max_output_tokens", "truncation"],
  ...["reasoning", "text", "temperature", "top_p", "top_logprobs", "service_tier", "previous_response_id"],
  ...["conversation", "prompt", "prompt_cache_key", "prompt_cache_retention", "prompt_cache_options"],
  ...["safety_identifier", "background", "context_management", "image", "moderation", "access_programs"],
]

const includable: readonly Json[] = ["reasoning.encrypted_content", "message.output_text.logprobs"]
const efforts: readonly string[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

const isPlain = ({ model }: ResponsesBody): boolean =>
  /^(?:gpt-4|gpt-3\.5|chatgpt-|gpt-5[.\d]*-chat)/.test(String(model))
const reasons = (body: ResponsesBody): boolean =>
  /^(?:o[1-9]|gpt-[5-9])/.test(String(body.model)) && !isPlain(body)

function textProblem(text: Json): string | undefined {
  if (!isRecord(text)) return "text: an object is required."
  const { format } = text
  const extra = findResponsesKeyProblem(text, ["format", "verbosity"], "text.")
  if (extra || format === undefined) return extra
  if (!isRecord(format)) return "text.format: an object is required."
  if (format.type === "text" || format.type === "json_object")
    return findResponsesKeyProblem(format, ["type"], "text.format.")
  if (format.type !== "json_schema") return `Invalid value: '${format.type}' (text.format.type).`
  const missing = ["name", "schema"].find((name) => !(name in format))
  if (missing) return `Missing required parameter: 'text.format.${missing}'.`
  return findResponsesKeyProblem(format, ["type", "name", "schema", "strict", "description"], "text.format.")
}

function toolsProblem({ tools, tool_choice: choice }: ResponsesBody): string | undefined {
  if (tools === undefined)
    return choice === undefined ? undefined : "tool_choice: is only allowed when tools are given."
  if (!Array.isArray(tools) || tools.length === 0) return "tools: a non-empty list is required, or none."
  const names = new Set<unknown>()
  const wrong = findFirstProblem(tools as readonly Json[], (tool, index) => {
    const at = `tools[${index}]`
    if (!isRecord(tool) || tool.type !== "function") return `${at}: a function is required.`
    const extra = findResponsesKeyProblem(
      tool,
      ["type", "name", "description", "parameters", "strict"],
      `${at}.`,
    )
    if (extra) return extra
    if (typeof tool.name !== "string" || !/^[\w-]{1,64}$/.test(tool.name))
      return `${at}.name: does not match ^[a-zA-Z0-9_-]{1,64}$.`
    if (names.has(tool.name)) return `${at}.name: ${tool.name} is used twice.`
    names.add(tool.name)
    if (tool.description !== undefined && typeof tool.description !== "string")
      return `${at}.description: a string is required.`
    const problem = findToolSchemaProblem(tool.parameters)
    return problem && `${at}.parameters: ${problem}`
  })
  if (wrong || choice === undefined || typeof choice === "string") return wrong
  if (!isRecord(choice)) return "tool_choice: a word or an object is required."
  if (choice.type !== "function") return undefined
  return names.has(choice.name) ? undefined : `Tool choice '${choice.name}' not found in 'tools' parameter.`
}
