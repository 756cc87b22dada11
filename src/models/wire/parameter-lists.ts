/** Parameters of requests that are not like others, as each protocol calls them. */
export interface ParameterLists {
  /** Those that the runtime sets itself, so that nothing else can. */
  readonly reserved: readonly string[]
  /** Those that bound a reply. */
  readonly limits: readonly string[]
}

export const openAiParameters: ParameterLists = {
  reserved: ["model", "messages", "tools", "stream"],
  limits: ["max_tokens", "max_completion_tokens"],
}

export const anthropicParameters: ParameterLists = {
  reserved: ["model", "messages", "tools", "stream", "system", "cache_control"],
  limits: ["max_tokens"],
}
