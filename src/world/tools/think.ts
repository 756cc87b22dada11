import { defineTool, type Tool } from "../../agent/tool.ts"

const prompt =
  "Think something through before you go on: what is known, what is not, what to do next. Nothing is read, changed or sent."

/** Gives a model room for a thought: the tool does nothing. */
export function createThinkTool(): Tool {
  return defineTool<{ readonly thought: string }>({
    name: "Think",
    description: prompt,
    effect: "read",
    input: {
      type: "object",
      properties: { thought: { type: "string", minLength: 1 } },
      required: ["thought"],
      additionalProperties: false,
    },
    accesses: () => [],
    execute: () => "Noted.",
  })
}
