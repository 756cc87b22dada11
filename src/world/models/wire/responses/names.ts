/** Parameters that only the runtime may set. Nothing is stored at the provider, so nothing can refer to stored data. */
export const reservedResponsesParameters: readonly string[] = [
  ...["model", "input", "messages", "instructions", "tools", "stream"],
  ...["store", "previous_response_id", "conversation", "background"],
]

/** The names that definitions use for the limit on a reply. Only the first belongs to this protocol. */
export const responsesLimitParameters: readonly string[] = [
  "max_output_tokens",
  "max_completion_tokens",
  "max_tokens",
]

/** The lowest limit that the provider accepts. */
export const minOutputTokens = 16
