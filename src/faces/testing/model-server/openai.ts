import type { IncomingHttpHeaders } from "node:http"
import type { Json } from "../../../ground/message.ts"
import { chatAnswers } from "./chat-answer.ts"
import type { Dialect } from "./chat-messages.ts"
import { chatRules } from "./chat-rules.ts"
import { isRecord, type Refused, type WireProtocol } from "./protocol.ts"
import { refusedBy } from "./rule.ts"

/** OpenAI's chat completions, as one provider speaks them. Each server has one of its own. */
export function openai(dialect: Dialect = anyServer): WireProtocol {
  const sent = new Map<string, Json>()
  const rules = [...chatRules(dialect), ...dialect.rules]
  return {
    name: "openai",
    serves: (path) =>
      path === "/v1/chat/completions" || /^\/openai\/(v1|deployments\/[^/]+)\/chat\/completions$/.test(path),
    isStreamed: ({ stream }) => stream === true,
    ping: ": ping\n\n",
    refusal: openAiRefusal,
    problem: (body) => refusedBy(rules, body, sent),
    errorText: openAiErrorText,
    ...chatAnswers(dialect, sent),
  }
}

/** A server that nothing is known of. */
const anyServer: Dialect = { rules: [], reasoning: "reasoning_content" }

/** Azure takes a key in a header of its own, and wants a version of the API where the address has none. */
export function openAiRefusal(
  { authorization, "api-key": key }: IncomingHttpHeaders,
  apiKey: string | undefined,
  path: string,
): Refused | undefined {
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
