/** Parameters of chat completions that the runtime sets itself, so that nothing else can. */
export const reservedParameters: readonly string[] = ["model", "messages", "tools", "stream"]

/** The names under which servers take a bound on the reply. */
export const limitParameters: readonly string[] = ["max_tokens", "max_completion_tokens"]
