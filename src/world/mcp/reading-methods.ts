/** The methods that read something of a server besides its tools. */
export type ReadingMethod =
  | "resources/list"
  | "resources/templates/list"
  | "resources/read"
  | "prompts/list"
  | "prompts/get"

/** The kinds of things that a server declares. */
export interface ServerOffers {
  readonly tools: boolean
  readonly resources: boolean
  readonly prompts: boolean
}
