/** The possible meanings of a name in a list of tools. */
export type KnownTool =
  /** One of our tools. */
  | { readonly type: "tool"; readonly name: string }
  /**
   * Another host's name for one of our tools. `also` has further tools, where the name stands for several.
   */
  | {
      readonly type: "equivalent"
      readonly name: string
      readonly also?: readonly string[]
      readonly hosts: readonly string[]
    }
  /** Another host's tool without an equivalent here. */
  | { readonly type: "foreign"; readonly hosts: readonly string[] }
  /** A tool of an MCP server; every tool of the server where none is named. */
  | { readonly type: "mcp"; readonly server: string; readonly tool?: string }
  | { readonly type: "pattern" }
  | { readonly type: "unknown" }
