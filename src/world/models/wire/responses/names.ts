/**
 * Parameters the runtime sets itself, so that nothing else can. Nothing is stored at the provider, so nothing can refer
 * to what it stored.
 */
export const reservedParameters: readonly string[] = [
  ...["model", "input", "messages", "instructions", "tools", "stream"],
  ...["store", "previous_response_id", "conversation", "background"],
]

/** The names under which definitions bound a reply. Only the first is this protocol's. */
export const limitParameters: readonly string[] = ["max_output_tokens", "max_completion_tokens", "max_tokens"]

/** The least the provider takes. */
export const leastOutput = 16
