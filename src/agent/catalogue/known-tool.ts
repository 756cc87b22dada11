/** What a name in a list of tools may turn out to be. */
export type KnownTool =
  /** One of ours. */
  | { readonly type: "tool"; readonly name: string }
  /** Another host's name for one of ours. `also` are further tools, where the name stands for several. */
  | {
      readonly type: "equivalent"
      readonly name: string
      readonly also?: readonly string[]
      readonly hosts: readonly string[]
    }
  /** Another host's tool with no equivalent here. */
  | { readonly type: "foreign"; readonly hosts: readonly string[] }
  /** A tool of an MCP server; every tool of it where none is named. */
  | { readonly type: "mcp"; readonly server: string; readonly tool?: string }
  | { readonly type: "pattern" }
  | { readonly type: "unknown" }
