/** Parameters that only the runtime may set. */
export const reservedAnthropicParameters: readonly string[] = [
  "model",
  "messages",
  "tools",
  "stream",
  "system",
  "cache_control",
]
