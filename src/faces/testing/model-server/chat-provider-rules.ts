import type { Json } from "../../../ground/message.ts"
import { makeThoughtSignature } from "./chat-answer.ts"
import { listMessageCalls } from "./chat-messages.ts"
import { findFirstProblem, findUnknownKey, isRecord } from "./protocol.ts"
import type { RefusalRule } from "./rule.ts"

const read = "2026-11-16"

type Message = Record<string, Json>

const messagesOf = ({ messages }: Message): readonly Message[] => messages as unknown as readonly Message[]

const isThinking = ({ thinking, reasoning_effort }: Message): boolean =>
  !(isRecord(thinking) && thinking.type === "disabled") && reasoning_effort !== "none"

/** DeepSeek needs its reasoning back: of every message in a turn with a call. A turn lies between two user messages. */
export const deepSeekThinking: RefusalRule = {
  name: "reasoning of a turn with calls",
  says: "The `reasoning_content` in the thinking mode must be passed back to the API.",
  source:
    "api-docs.deepseek.com/guides/thinking_mode; of replies without calls: github.com/NousResearch/hermes-agent/pull/14941",
  read,
  status: 400,
  code: "invalid_request_error",
  refuses(body) {
    if (!isThinking(body)) return undefined
    const turns: Message[][] = [[]]
    for (const message of messagesOf(body))
      if (message.role === "user") turns.push([])
      else turns.at(-1)!.push(message)
    const isMissing = turns.some(
      (turn) =>
        turn.some((message) => listMessageCalls(message).length > 0) &&
        turn.some(
          ({ role, reasoning_content }) => role === "assistant" && typeof reasoning_content !== "string",
        ),
    )
    return isMissing
      ? "The `reasoning_content` in the thinking mode must be passed back to the API."
      : undefined
  },
}

export const moonshotThinking: RefusalRule = {
  name: "reasoning of a reply with calls",
  says: "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
  source: "github.com/mastra-ai/mastra/issues/12592",
  read,
  status: 400,
  refuses: (body) =>
    isThinking(body)
      ? findFirstProblem(messagesOf(body), (message, index) =>
          listMessageCalls(message).length > 0 && typeof message.reasoning_content !== "string"
            ? `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`
            : undefined,
        )
      : undefined,
}

export const mistralIds: RefusalRule = {
  name: "ids of calls",
  says: "Tool call id was call_PTLP8xhu3uwZk4l3nlnrrJha but must be a-z, A-Z, 0-9, with a length of 9.",
  source: "github.com/anomalyco/opencode/issues/1680",
  read,
  status: 400,
  code: "3280",
  refuses: (body) =>
    findFirstProblem(messagesOf(body), (message) =>
      findFirstProblem(
        [
          ...listMessageCalls(message).map(({ id }) => id),
          ...(message.role === "tool" ? [message.tool_call_id] : []),
        ],
        (id) =>
          /^[a-zA-Z0-9]{9}$/.test(String(id))
            ? undefined
            : `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`,
      ),
    ),
}

export const mistralOrder: RefusalRule = {
  name: "order of roles",
  says: "Unexpected role 'user' after role 'tool'",
  source: "github.com/BerriAI/litellm/issues/17761",
  read,
  status: 400,
  code: "3230",
  refuses: (body) =>
    findFirstProblem(messagesOf(body), ({ role }, index) => {
      const before = messagesOf(body)[index - 1]?.role
      return role === "user" && before === "tool" ? "Unexpected role 'user' after role 'tool'" : undefined
    }),
}

export const mistralStreamOptions: RefusalRule = {
  name: "options of streams",
  says: '{"type":"extra_forbidden","loc":["body","stream_options","include_usage"],"msg":"Extra inputs are not permitted"}',
  source: "github.com/BerriAI/litellm/issues/8978",
  read,
  status: 422,
  code: "3001",
  refuses: ({ stream_options: options }) =>
    isRecord(options) && "include_usage" in options
      ? '{"detail":[{"type":"extra_forbidden","loc":["body","stream_options","include_usage"],"msg":"Extra inputs are not permitted"}]}'
      : undefined,
}

export const moonshotTemperature: RefusalRule = {
  name: "temperature",
  says: "invalid temperature: only 1 is allowed for this model",
  source: "github.com/XCNXNXNX/dsh-portable-tavern/issues/1 (kimi-k3)",
  read,
  status: 400,
  refuses: ({ model, temperature }) =>
    /^kimi-k3/.test(String(model)) && temperature !== undefined && temperature !== 1
      ? "invalid temperature: only 1 is allowed for this model"
      : undefined,
}

export const xaiReasoning: RefusalRule = {
  name: "parameters of models that reason",
  says: "The presencePenalty, frequencyPenalty and stop parameters are not supported by reasoning models. Adding them in the request would result in an error.",
  source:
    "docs.x.ai/developers/model-capabilities/text/reasoning, by github.com/can1357/oh-my-pi/pull/7454; the refusals: github.com/yym68686/uni-api/issues/105 (presencePenalty) and github.com/BerriAI/litellm/issues/12635 (stop)",
  read: "2026-11-18",
  status: 400,
  code: "Client specified an invalid argument",
  refuses: (body) =>
    findFirstProblem(Object.entries(xaiNames), ([name, xaiName]) =>
      /^grok-4/.test(String(body.model)) && body[name] !== undefined
        ? `Argument not supported on this model: ${xaiName}`
        : undefined,
    ),
}

/** The names of parameters in xAI's error messages. */
const xaiNames = { presence_penalty: "presencePenalty", frequency_penalty: "frequencyPenalty", stop: "stop" }

/** `words` builds the error message from the message's index, its role and the field. */
const fieldRule = (
  row: Omit<RefusalRule, "name" | "read" | "refuses">,
  allowed: (role: string) => readonly string[],
  words: (index: number, role: string, field: string) => string,
): RefusalRule => ({
  name: "fields of messages",
  read,
  ...row,
  refuses: (body) =>
    findFirstProblem(messagesOf(body), (message, index) => {
      const role = String(message.role)
      const extra = findUnknownKey(message, allowed(role))
      return extra === undefined ? undefined : words(index, role, extra)
    }),
})

const openAiFields = (role: string): readonly string[] =>
  role === "assistant"
    ? ["role", "content", "name", "refusal", "audio", "tool_calls", "function_call"]
    : ["role", "content", "name", ...(role === "tool" ? ["tool_call_id"] : [])]

export const openAiMessageFields = fieldRule(
  {
    says: "Unknown parameter: 'messages[1].reasoning_content'.",
    source:
      "`Unknown parameter: 'reasoning'.` (github.com/teabranch/open-responses-server/issues/41) and the types of `openai` 7.53.0. No refusal of a message field was found, so this message is built from that one",
    status: 400,
    code: "unknown_parameter",
  },
  openAiFields,
  (index, _, field) => `Unknown parameter: 'messages[${index}].${field}'.`,
)

export const groqMessageFields = fieldRule(
  {
    says: "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    source: "github.com/janhq/jan/issues/8136",
    status: 400,
  },
  openAiFields,
  (index, role, field) =>
    `'messages.${index}' : for 'role:${role}' the following must be satisfied[('messages.${index}' : property '${field}' is unsupported)]`,
)

export const cerebrasMessageFields = fieldRule(
  {
    says: "messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported",
    source:
      "github.com/Kilo-Org/kilocode/issues/10375; that it takes `reasoning`: github.com/vercel/ai/issues/15042",
    status: 400,
    code: "wrong_api_format",
  },
  (role) => [...openAiFields(role), ...(role === "assistant" ? ["reasoning"] : [])],
  (index, role, field) =>
    `messages.${index}.${role}.${field}: property 'messages.${index}.${role}.${field}' is unsupported`,
)

export const mistralMessageFields = fieldRule(
  {
    says: '{"type":"extra_forbidden","loc":["body","messages",1,"assistant","reasoning_content"],"msg":"Extra inputs are not permitted"}',
    source: "github.com/charmbracelet/crush/issues/1590 and github.com/BerriAI/litellm/issues/30835",
    status: 422,
    code: "3001",
  },
  (role) =>
    role === "assistant"
      ? ["role", "content", "tool_calls", "prefix"]
      : ["role", "content", ...(role === "tool" ? ["tool_call_id", "name"] : [])],
  (index, role, field) =>
    `{"detail":[{"type":"extra_forbidden","loc":["body","messages",${index},"${role}","${field}"],"msg":"Extra inputs are not permitted"}]}`,
)

export const geminiSignatures: RefusalRule = {
  name: "signatures of thoughts",
  says: "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.",
  source:
    "github.com/Gitlawb/openclaude/issues/67, which names ai.google.dev/gemini-api/docs/thought-signatures",
  read,
  status: 400,
  code: "INVALID_ARGUMENT",
  refuses: (body) =>
    /gemini-(?:[3-9]|\d\d)/.test(String(body.model))
      ? findFirstProblem(messagesOf(body), (message, index) => {
          const [first] = listMessageCalls(message)
          if (!first || isSigned(first)) return undefined
          const called = (first.function as Message).name
          return `Function call is missing a thought_signature in functionCall parts. Additional data, function call \`default_api:${called}\` , position ${index}.`
        })
      : undefined,
}

export const geminiFields: RefusalRule = {
  name: "parameters",
  says: 'Invalid JSON payload received. Unknown name "reasoning": Cannot find field.',
  source:
    "github.com/SuzumiyaAkizuki/ComfyUI-NewBie-LLM-Formatter/issues/3; frequency_penalty and top_k: github.com/MinLL/SkyrimNet-GamePlugin/issues/77; google: github.com/Alishahryar1/free-claude-code/issues/542; Google lists nowhere what its OpenAI address takes",
  read: "2026-11-18",
  status: 400,
  code: "INVALID_ARGUMENT",
  refuses: (body) =>
    findFirstProblem(["reasoning", "frequency_penalty", "top_k", "google"], (name) =>
      body[name] === undefined
        ? undefined
        : `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`,
    ),
}

export const geminiNames: RefusalRule = {
  name: "names of functions",
  says: "GenerateContentRequest.tools[0].function_declarations[18].name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.",
  source: "github.com/microsoft/vscode-copilot-release/issues/7928",
  read: "2026-11-18",
  status: 400,
  code: "INVALID_ARGUMENT",
  refuses: ({ tools }) =>
    findFirstProblem((tools ?? []) as readonly Message[], (tool, index) =>
      /^[A-Za-z_]/.test(String((tool.function as Message).name))
        ? undefined
        : `* GenerateContentRequest.tools[0].function_declarations[${index}].name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.`,
    ),
}

export const geminiOrder: RefusalRule = {
  name: "order of turns",
  says: "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
  source: "github.com/lobehub/lobehub/issues/10049 and github.com/google-gemini/gemini-cli/issues/11814",
  read: "2026-11-18",
  status: 400,
  code: "INVALID_ARGUMENT",
  refuses: (body) => {
    const turns = messagesOf(body).filter(({ role }) => role !== "system" && role !== "developer")
    return findFirstProblem(turns, (message, index) =>
      listMessageCalls(message).length > 0 && !["user", "tool"].includes(String(turns[index - 1]?.role))
        ? "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
        : undefined,
    )
  },
}

/** For calls of other models, Google says to send `skip_thought_signature_validator`. */
function isSigned({ id, extra_content }: Message): boolean {
  const text = JSON.stringify(extra_content ?? null)
  return (
    text === JSON.stringify(makeThoughtSignature(String(id))) ||
    text === '{"google":{"thought_signature":"skip_thought_signature_validator"}}'
  )
}

export const openRouterDetails: RefusalRule = {
  name: "details of reasoning",
  says: "When providing reasoning_details blocks, the entire sequence of consecutive reasoning blocks must match the outputs generated by the model during the original request; you cannot rearrange or modify the sequence of these blocks.",
  source:
    "openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning-blocks, by github.com/LostRuins/lite.koboldai.net/issues/143; the refusal is that of Anthropic behind it: github.com/anomalyco/opencode/pull/19048",
  read: "2026-11-18",
  status: 400,
  refuses: (body, sent) =>
    findFirstProblem(messagesOf(body), (message, index) => {
      const original = sent.get(String(listMessageCalls(message)[0]?.id))
      return original === undefined || sorted(original) === sorted(message.reasoning_details ?? null)
        ? undefined
        : `Provider returned error: messages.${index}.content.0: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`
    }),
}

/** Sorts the keys of every object, because a client that joins a stream may change their order. */
const sorted = (value: Json): string =>
  JSON.stringify(value, (_, inner) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
