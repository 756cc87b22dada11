import { defineTool, type Tool } from "../../agent/tool.ts"

const prompt =
  "Think something through before you go on: what is known, what is not, what to do next. Nothing is read, changed or told to anybody."

/** A place for a thought: it does nothing. */
export function thinkTool(): Tool {
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
