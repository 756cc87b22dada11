import { defineTool } from "../../agent/tool.ts"

/** Answers of servers may be long: what a model does not see of one at once it can read page by page. */
export const resultTool = defineTool<{ page?: number; back?: number }>({
  name: "ReadResult",
  description:
    "Read a tool's result of which a part was left out, page by page. The last such result, unless you say how many back.",
  comesWith: "mcp__*",
  poller: true,
  input: {
    type: "object",
    properties: {
      page: { type: "integer", minimum: 1, description: "Default: 1." },
      back: {
        type: "integer",
        minimum: 0,
        description: "0 (default) is the last one that was cut, 1 the one before.",
      },
    },
    additionalProperties: false,
  },
  control: ({ page = 1, back = 0 }) => ({ type: "result", page, back }),
})
