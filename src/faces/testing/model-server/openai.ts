import type { IncomingHttpHeaders } from "node:http"
import type { Json } from "../../../ground/message.ts"
import { createChatAnswers } from "./chat-answer.ts"
import type { ChatDialect } from "./chat-messages.ts"
import { listChatServerRules } from "./chat-rules.ts"
import { type ErrorAnswer, isRecord, type WireProtocol } from "./protocol.ts"
import { findFirstRefusal } from "./rule.ts"

/** OpenAI's chat completions protocol, in the dialect of one provider. Each server creates its own. */
export function openAiProtocol(dialect: ChatDialect = anyServer): WireProtocol {
  const sent = new Map<string, Json>()
  const rules = [...listChatServerRules(dialect), ...dialect.rules]
  return {
    name: "openai",
    serves: (path) =>
      path === "/v1/chat/completions" || /^\/openai\/(v1|deployments\/[^/]+)\/chat\/completions$/.test(path),
    isStreamed: ({ stream }) => stream === true,
    ping: ": ping\n\n",
    refusal: openAiRefusal,
    problem: (body) => findFirstRefusal(rules, body, sent),
    errorText: openAiErrorText,
    ...createChatAnswers(dialect, sent),
  }
}

/** The dialect of a server whose provider is unknown. */
const anyServer: ChatDialect = { rules: [], reasoning: "reasoning_content" }

/** Azure has its own header for the key, and needs an API version if the address has none. */
export function openAiRefusal(
  { authorization, "api-key": key }: IncomingHttpHeaders,
  apiKey: string | undefined,
  path: string,
): ErrorAnswer | undefined {
  const isAzure = path.startsWith("/openai/")
  if (isAzure && !path.startsWith("/openai/v1/") && !/[?&]api-version=\d{4}-\d\d-\d\d/.test(path))
    return { status: 404, message: "Resource not found", code: "404" }
  const isKnown = authorization === `Bearer ${apiKey}` || (isAzure && key === apiKey)
  return apiKey === undefined || isKnown
    ? undefined
    : { status: 401, message: "Incorrect API key provided.", type: "authentication_error" }
}

export function openAiErrorText(error: Json): string {
  return JSON.stringify({ error: isRecord(error) ? { param: null, code: null, ...error } : error })
}
