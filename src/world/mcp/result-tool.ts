import { defineTool } from "../../agent/tool.ts"

/** Servers can send long answers. This tool reads the part of an answer that the model was not shown, page by page. */
export const resultTool = defineTool<{ page?: number; back?: number }>({
  name: "ReadResult",
  description:
    "Read a tool result that was cut, page by page. Reads the last cut result unless `back` says otherwise.",
  comesWith: "mcp__*",
  poller: true,
  input: {
    type: "object",
    properties: {
      page: { type: "integer", minimum: 1, description: "Default: 1." },
      back: {
        type: "integer",
        minimum: 0,
        description: "0 (default): the last cut result. 1: the one before it.",
      },
    },
    additionalProperties: false,
  },
  control: ({ page = 1, back = 0 }) => ({ type: "result", page, back }),
})
