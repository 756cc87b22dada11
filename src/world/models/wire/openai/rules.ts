import { isOpenAiHost } from "../../address.ts"
import { getAddressHost } from "../strict-tools.ts"

/** The reason why a provider ended a reply. `retry`: a temporary failure. */
export type ReplyEnding = "end" | "calls" | "length" | "filter" | "retry"

/** The differences of one provider from OpenAI's chat completions. */
export interface ChatRules {
  /** The provider's words for the ends of replies. A reply with an unknown word counts as incomplete. */
  readonly endings: Readonly<Record<string, ReplyEnding>>
  /**
   * The meaning of an answer without any finish reason. `whole` for unknown servers, because some never send one
   * (Snowflake Cortex). Everywhere else a missing reason means that the answer was cut.
   */
  readonly missingEnd?: "whole"
  /**
   * The rule for reasoning of earlier replies. `allowed`: it is sent back unchanged. `forbidden`: it is not sent.
   * `required`: replies without it are refused, so replies of other providers get an empty one.
   */
  readonly reasoning: "allowed" | "forbidden" | "required"
  /** Ids of calls must be 9 letters or digits, and no user's message may directly follow a result. */
  readonly history?: "mistral"
  /** Ids of calls have at most 40 characters. */
  readonly ids?: "bounded"
  /** The provider always reports usage, and may refuse to be asked for it. */
  readonly usage?: "unasked"
  /** The provider refuses calls without the signature of their reasoning. */
  readonly signatures?: "gemini"
}

/** Finds the rules of a provider, or of the provider at the address. An unknown address may be any server. */
export function findChatRules(provider: string | undefined, baseUrl: string | undefined): ChatRules {
  const host = getAddressHost(baseUrl) ?? "api.openai.com"
  const providerId = hosts.find(([pattern]) => pattern.test(host))?.[1] ?? provider
  // Another address for OpenAI's models is a gateway or a compatible server, with an unknown server behind it.
  const isKnown = providerId !== undefined && Object.hasOwn(providers, providerId)
  const isElsewhere = providerId === "openai" && !isOpenAiHost(host)
  return isKnown && !isElsewhere ? providers[providerId]! : anyServer
}

const openAi: ChatRules["endings"] = {
  stop: "end",
  tool_calls: "calls",
  function_call: "calls",
  length: "length",
  content_filter: "filter",
}

/** Rules for users' own servers and for gateways, which pass on the words of other providers. */
const anyServer: ChatRules = {
  endings: {
    ...openAi,
    eos: "end",
    eos_token: "end",
    stop_sequence: "end",
    end_turn: "end",
    tool_use: "calls",
    max_tokens: "length",
    model_length: "length",
    model_context_window_exceeded: "length",
    refusal: "filter",
    sensitive: "filter",
    abort: "retry",
    error: "retry",
    network_error: "retry",
    insufficient_system_resource: "retry",
  },
  missingEnd: "whole",
  reasoning: "allowed",
}

const plain: ChatRules = { endings: openAi, reasoning: "allowed" }

/**
 * Rules by the ids of providers. Unless another source is named, they come from the providers' references (2026-11-16).
 * The words of self-hosted servers come from their source code (vLLM, SGLang, text-generation-inference, llama.cpp).
 */
const providers: Readonly<Record<string, ChatRules>> = {
  // OpenAI sends no reasoning, and refuses unknown fields.
  openai: { endings: openAi, reasoning: "forbidden", ids: "bounded" },
  azure: { endings: openAi, reasoning: "forbidden", ids: "bounded" },
  // api-docs.deepseek.com/api/create-chat-completion and /guides/thinking_mode
  deepseek: { endings: { ...openAi, insufficient_system_resource: "retry" }, reasoning: "required" },
  // platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model
  moonshotai: { endings: openAi, reasoning: "required" },
  // docs.z.ai/api-reference/llm/chat-completion and /guides/capabilities/thinking-mode
  zai: {
    endings: {
      ...openAi,
      sensitive: "filter",
      model_context_window_exceeded: "length",
      network_error: "retry",
    },
    reasoning: "allowed",
  },
  // docs.mistral.ai/api; the rule about a user after a result is only in its errors.
  mistral: {
    endings: { ...openAi, model_length: "length", error: "retry" },
    reasoning: "allowed",
    history: "mistral",
    // github.com/BerriAI/litellm/issues/8978
    usage: "unasked",
  },
  // openrouter.ai/docs/api-reference/overview and /use-cases/reasoning-tokens
  openrouter: { endings: { ...openAi, error: "retry" }, reasoning: "allowed" },
  // ai.google.dev/gemini-api/docs/openai and /thought-signatures
  google: {
    endings: { ...openAi, "function_call_filter: MALFORMED_FUNCTION_CALL": "retry" },
    reasoning: "allowed",
    signatures: "gemini",
  },
  // console.groq.com/docs/reasoning: it returns reasoning, but documents no field to send it back.
  groq: { endings: openAi, reasoning: "forbidden" },
  together: { endings: { ...openAi, eos: "end" }, reasoning: "allowed" },
  // docs.x.ai/developers/rest-api-reference/inference/legacy
  xai: { endings: { ...openAi, end_turn: "end" }, reasoning: "allowed" },
  fireworks: plain,
  cerebras: plain,
}

const hosts: readonly (readonly [RegExp, string])[] = [
  [/^(?:[a-z]+\.)?api\.openai\.com$/, "openai"],
  [/\.openai\.azure\.com$|\.services\.ai\.azure\.com$/, "azure"],
  [/(^|\.)deepseek\.com$/, "deepseek"],
  [/(^|\.)moonshot\.(ai|cn)$/, "moonshotai"],
  [/(^|\.)(z\.ai|bigmodel\.cn)$/, "zai"],
  [/(^|\.)mistral\.ai$/, "mistral"],
  [/(^|\.)openrouter\.ai$/, "openrouter"],
  [/^generativelanguage\.googleapis\.com$/, "google"],
  [/(^|\.)groq\.com$/, "groq"],
  [/(^|\.)together\.(ai|xyz)$/, "together"],
  [/(^|\.)x\.ai$/, "xai"],
  [/(^|\.)fireworks\.ai$/, "fireworks"],
  [/(^|\.)cerebras\.ai$/, "cerebras"],
]
