import type { Json } from "../../../ground/message.ts"
import {
  type ChatDialect,
  findAnswersProblem,
  findCallsProblem,
  findMessageProblem,
} from "./chat-messages.ts"
import { findFirstProblem, findModelKeyProblem, findToolSchemaProblem, isRecord } from "./protocol.ts"
import type { RefusalRule } from "./rule.ts"
import { findStrictProblem } from "./strict-problem.ts"

const types = {
  source: "the types of `openai` 7.53.0, resources/chat/completions/completions.d.ts",
  read: "2026-11-16",
  status: 400,
}
const reportedIn = (source: string, read = "2026-11-16") => ({ source, read, status: 400 })

/** The rules of every chat completions server, in the order of checking. */
export const listChatServerRules = (dialect: ChatDialect): readonly RefusalRule[] => [
  {
    name: "model",
    says: "model: Model ID used to generate the response.",
    ...types,
    refuses: findModelKeyProblem,
  },
  {
    name: "messages",
    says: "messages: Array<ChatCompletionMessageParam>. A list of messages comprising the conversation so far.",
    ...types,
    refuses: ({ messages }) =>
      Array.isArray(messages) && messages.length > 0 ? undefined : "messages: a non-empty list is required.",
  },
  {
    name: "kinds of messages",
    says: "role: 'developer' | 'system' | 'user' | 'assistant' | 'tool'; content: string | Array<part>.",
    ...types,
    refuses: ({ messages }) =>
      findFirstProblem(messages as readonly Json[], (message, index) =>
        findMessageProblem(message, `messages[${index}]`, dialect),
      ),
  },
  {
    name: "calls",
    says: "ChatCompletionMessageFunctionToolCall: id: string; function: { arguments: string; name: string }; type: 'function'.",
    ...types,
    refuses: ({ messages }) => findCallsProblem(messages as readonly Record<string, Json>[]),
  },
  {
    name: "results of calls",
    says: "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    ...reportedIn("github.com/evalstate/fast-agent/issues/314"),
    refuses: ({ messages }) => findAnswersProblem(messages as readonly Record<string, Json>[]),
  },
  {
    name: "tools",
    says: "FunctionDefinition: name: must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.",
    ...types,
    refuses: ({ tools }) => (tools === undefined ? undefined : toolsProblem(tools)),
  },
  {
    name: "settings of tools without tools",
    says: "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
    ...reportedIn("github.com/Upsonic/Upsonic/issues/323"),
    refuses: (body) =>
      findFirstProblem(["tool_choice", "parallel_tool_calls"], (name) =>
        body.tools === undefined && body[name] !== undefined
          ? `Invalid value for '${name}': '${name}' is only allowed when 'tools' are specified.`
          : undefined,
      ),
  },
  {
    name: "strict tools",
    says: "Invalid schema for function 'add': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    ...reportedIn("github.com/xemantic/xemantic-ai-tool-schema/issues/37", "2026-11-18"),
    code: "invalid_function_parameters",
    refuses: ({ tools }) =>
      findFirstProblem((tools ?? []) as readonly Json[], (tool) => {
        const { name, parameters, strict } = (tool as { function: Record<string, Json> }).function
        const problem = strict === true ? findStrictProblem(parameters!) : undefined
        return problem && `Invalid schema for function '${name}': ${problem}`
      }),
  },
]

function toolsProblem(tools: Json): string | undefined {
  if (!Array.isArray(tools) || tools.length === 0) return "tools: a non-empty list is required, or none."
  const names = new Set<unknown>()
  return findFirstProblem(tools as readonly Json[], (tool, index) => {
    const at = `tools[${index}]`
    if (!isRecord(tool) || tool.type !== "function" || !isRecord(tool.function))
      return `${at}: a function is required.`
    const { name, description, parameters, strict } = tool.function
    if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name))
      return `${at}.function.name: does not match ^[a-zA-Z0-9_-]{1,64}$.`
    if (names.has(name)) return `${at}.function.name: ${name} is used twice.`
    names.add(name)
    if (typeof description !== "string") return `${at}.function.description: a string is required.`
    const problem = findToolSchemaProblem(parameters)
    if (problem) return `${at}.function.parameters: ${problem}`
    return strict === undefined || strict === null || typeof strict === "boolean"
      ? undefined
      : `${at}.function.strict: a boolean is required.`
  })
}
