import type { ModelError, ModelRequest } from "../../../../agent/model.ts"
import { appendSentence } from "../../../../ground/errors.ts"
import type { ChatRules } from "./rules.ts"

/** Parts of a request that a server may refuse. The request is then repeated without them. */
export interface ChatParts {
  readonly rules: ChatRules
  readonly usage: "asked" | "unasked"
}

/**
 * Tracks the optional parts of requests. `refusal` turns the refusal of such a part into a retryable error, and the
 * part is no longer sent. Undefined: the error is about something else.
 */
export function createChatParts(firstRules: ChatRules): {
  sent(): ChatParts
  refusal(error: ModelError, request: ModelRequest): ModelError | undefined
} {
  let parts: ChatParts = { rules: firstRules, usage: firstRules.usage ?? "asked" }

  function without(error: ModelError, words: string, rest: Partial<ChatParts>): ModelError {
    parts = { ...parts, ...rest }
    return {
      ...error,
      message: appendSentence(error.message, `The request is repeated without ${words}.`),
      retryable: true,
    }
  }

  return {
    sent: () => parts,
    refusal(error, { messages }) {
      if (error.kind !== "rejected" || error.retryable) return undefined
      const { rules, usage } = parts
      if (usage === "asked" && /stream_options|include_usage/.test(error.message))
        return without(error, "`stream_options`", { usage: "unasked" })
      if (rules.reasoning === "allowed" && fieldWords.test(error.message) && hasProviderData(messages))
        return without(error, "its own reasoning", { rules: { ...rules, reasoning: "forbidden" } })
      return undefined
    },
  }
}

const fieldWords = /reasoning(?:_content|_details)?|extra_content/

function hasProviderData(messages: ModelRequest["messages"]): boolean {
  for (const message of messages)
    if (message.role === "assistant" && message.provider !== undefined) return true
  return false
}
