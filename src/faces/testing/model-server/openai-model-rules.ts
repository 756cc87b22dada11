import type { Json } from "../../../ground/message.ts"
import { listMessageCalls } from "./chat-messages.ts"
import { findFirstProblem } from "./protocol.ts"
import type { RefusalRule } from "./rule.ts"

const reportedIn = (source: string, read = "2026-11-16") => ({ source, read, status: 400 })

type Body = Record<string, Json>

/** Rules of OpenAI's own models for chat completions, in addition to those of every server. */
export const openAiModelRules: readonly RefusalRule[] = [
  {
    name: "length of ids",
    says: "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 43 instead.",
    ...reportedIn("github.com/vercel/ai/issues/5171 and github.com/anomalyco/opencode/issues/12653"),
    code: "string_above_max_length",
    refuses: ({ messages }) =>
      findFirstProblem(messages as readonly Body[], (message, at) =>
        findFirstProblem(listMessageCalls(message), ({ id }, index) =>
          String(id).length > 40
            ? `Invalid 'messages[${at}].tool_calls[${index}].id': string too long. Expected a string with maximum length 40, but got a string with length ${String(id).length} instead.`
            : undefined,
        ),
      ),
  },
  {
    name: "old name of the bound",
    says: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ...reportedIn("github.com/teilomillet/gollm/issues/33"),
    code: "unsupported_parameter",
    refuses: (body) =>
      reasons(body) && body.max_tokens !== undefined
        ? "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        : undefined,
  },
  {
    name: "temperature of a model that reasons",
    says: "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    ...reportedIn("github.com/owndev/Open-WebUI-Functions/issues/98"),
    code: "unsupported_value",
    refuses: (body) =>
      reasons(body) && body.reasoning_effort !== "none"
        ? findFirstProblem(["temperature", "top_p"], (name) =>
            body[name] === undefined || body[name] === 1
              ? undefined
              : `Unsupported value: '${name}' does not support ${body[name]} with this model. Only the default (1) value is supported.`,
          )
        : undefined,
  },
  {
    name: "effort of a model that does not reason",
    says: "Unrecognized request argument supplied: reasoning_effort",
    ...reportedIn("github.com/generative-computing/mellea/issues/270", "2026-11-18"),
    refuses: (body) =>
      reasons(body) || body.reasoning_effort === undefined
        ? undefined
        : "Unrecognized request argument supplied: reasoning_effort",
  },
  {
    name: "tools with an effort",
    says: "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.",
    ...reportedIn(
      "github.com/pipecat-ai/pipecat/issues/4043 and github.com/openai/openai-openapi/issues/541",
    ),
    refuses(body) {
      const version = versionOf(body)
      const { reasoning_effort: effort, tools, model } = body
      if (tools === undefined || effort === "none" || version < 5.4) return undefined
      // Models since 5.6 reason by default.
      if (effort === undefined && version < 5.6) return undefined
      return version < 5.6
        ? `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. Please use /v1/responses instead.`
        : `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`
    },
  },
]

const reasons = ({ model }: Body): boolean =>
  /^(?:o[1-9]|gpt-[5-9])/.test(String(model)) && !/-chat/.test(String(model))

const versionOf = ({ model }: Body): number => Number(/^gpt-(\d+(?:\.\d+)?)/.exec(String(model))?.[1] ?? 0)
