import { isOpenAiHost } from "../../address.ts"
import { hostOf } from "../strict-tools.ts"

/** Why a provider ended a reply. `retry`: it failed in a way that passes. */
export type Ending = "end" | "calls" | "length" | "filter" | "retry"

/** What of chat completions one provider has otherwise than OpenAI. */
export interface ChatRules {
  /** What it calls the ends of replies. A word that is not here is not known, and no reply that it ends is whole. */
  readonly endings: Readonly<Record<string, Ending>>
  /**
   * What an answer is whose server never speaks of a finish reason: `whole` for servers that nobody knows, because some
   * have none at all (Snowflake Cortex). Everywhere else a missing one means that the answer was cut.
   */
  readonly unsaidEnd?: "whole"
  /**
   * Reasoning of earlier replies. `allowed`: it goes back as it came. `forbidden`: it stays here. `required`: replies are
   * refused without it, so that those of other providers have an empty one.
   */
  readonly reasoning: "allowed" | "forbidden" | "required"
  /** Ids of calls are 9 letters or digits, and no message of the user may come right after a result. */
  readonly history?: "mistral"
  /** Ids of calls have 40 characters at most. */
  readonly ids?: "bounded"
  /** It tells what was used without being asked, and may refuse to be asked. */
  readonly usage?: "unasked"
  /** Calls are refused without the signature of the thought behind them. */
  readonly signatures?: "gemini"
}

/** The rules of a provider, or of whoever has the address; an address that nobody knows may be any server. */
export function chatRules(provider: string | undefined, baseUrl: string | undefined): ChatRules {
  const host = hostOf(baseUrl) ?? "api.openai.com"
  const named = hosts.find(([pattern]) => pattern.test(host))?.[1] ?? provider
  // Another address for OpenAI's models is a gateway or a compatible server: what stands behind it, nobody knows.
  const isKnown = named !== undefined && Object.hasOwn(providers, named)
  const isElsewhere = named === "openai" && !isOpenAiHost(host)
  return isKnown && !isElsewhere ? providers[named]! : anyServer
}

const openAi: ChatRules["endings"] = {
  stop: "end",
  tool_calls: "calls",
  function_call: "calls",
  length: "length",
  content_filter: "filter",
}

/** Servers of one's own, and gateways, which hand on the words of those behind them. */
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
  unsaidEnd: "whole",
  reasoning: "allowed",
}

const plain: ChatRules = { endings: openAi, reasoning: "allowed" }

/**
 * By the ids of providers. Read in the providers' references on 2026-11-16, but where another source is named; words that
 * servers of one's own use were read in their sources (vLLM, SGLang, text-generation-inference, llama.cpp).
 */
const providers: Readonly<Record<string, ChatRules>> = {
  // It has none to send, and refuses fields that it does not know.
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
  // docs.mistral.ai/api; what it says of a user after a result is in its errors alone.
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
  // console.groq.com/docs/reasoning: it gives reasoning, and names no field to give it back in.
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
