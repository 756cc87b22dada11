/** Parameters the runtime sets itself, so that nothing else can. */
export const reservedParameters: readonly string[] = [
  "model",
  "messages",
  "tools",
  "stream",
  "system",
  "cache_control",
]
