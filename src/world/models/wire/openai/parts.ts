import type { ModelError, ModelRequest } from "../../../../agent/model.ts"
import { followedBy } from "../../../../ground/errors.ts"
import type { ChatRules } from "./rules.ts"

/** Parts of a request that a server may refuse, and that it is asked again without. */
export interface ChatParts {
  readonly rules: ChatRules
  readonly usage: "asked" | "unasked"
}

/** `refusal`: a refusal of such a part, as an error that passes: from now on it is not sent. Undefined for any other. */
export function chatParts(known: ChatRules): {
  sent(): ChatParts
  refusal(error: ModelError, request: ModelRequest): ModelError | undefined
} {
  let parts: ChatParts = { rules: known, usage: known.usage ?? "asked" }

  function without(error: ModelError, words: string, rest: Partial<ChatParts>): ModelError {
    parts = { ...parts, ...rest }
    return {
      ...error,
      message: followedBy(error.message, `It is asked again without ${words}.`),
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
      if (rules.reasoning === "allowed" && fieldWords.test(error.message) && hasKept(messages))
        return without(error, "its own reasoning", { rules: { ...rules, reasoning: "forbidden" } })
      return undefined
    },
  }
}

const fieldWords = /reasoning(?:_content|_details)?|extra_content/

function hasKept(messages: ModelRequest["messages"]): boolean {
  for (const message of messages)
    if (message.role === "assistant" && message.provider !== undefined) return true
  return false
}
