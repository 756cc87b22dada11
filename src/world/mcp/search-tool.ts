import { defineTool } from "../../agent/tool.ts"

/** The tools of large servers are not offered at once. This tool finds those that the model needs, and loads them. */
export const searchTool = defineTool<{ query: string; limit?: number }>({
  name: "ToolSearch",
  description:
    'Find tools that are not loaded yet. The tools found can be called from your next turn on. Words search names and descriptions; "select:NAME,NAME" loads tools by name.',
  comesWith: "mcp__*",
  needsDeferred: true,
  input: {
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, description: "Words, or select:NAME,NAME." },
      limit: { type: "integer", minimum: 1, maximum: 20, description: "The most tools. Default: 5." },
    },
    required: ["query"],
    additionalProperties: false,
  },
  control: ({ query, limit = 5 }) => ({ type: "search-tools", query, limit }),
})
