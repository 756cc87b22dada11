/** Parameters of chat completions that only the runtime may set. */
export const reservedChatParameters: readonly string[] = ["model", "messages", "tools", "stream"]

/** The names that servers use for the limit on a reply. */
export const chatLimitParameters: readonly string[] = ["max_tokens", "max_completion_tokens"]
