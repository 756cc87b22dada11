import { defineTool, type Tool } from "../../agent/tool.ts"
import { createAliasedSchema, pathAliases } from "./aliased.ts"
import type { ReadInput } from "./execute/read.ts"
import { convertRefusals } from "./refusal-as-result.ts"
import type { ToolWorkspace } from "./workspace.ts"

const prompt = [
  "Read a text file, or look at a picture (PNG, JPEG, GIF, WebP) or a PDF. Each line of text is shown with its number and a tab before it; neither is part of the file.",
  "Reads from the start, up to 2000 lines or about 40 KB; the result says how to continue with offset and limit. Long lines are cut.",
  "Read a file before you edit it. For folders use LS; to find something in large files use Grep.",
].join("\n")

/** Reads a text file, and shows pictures and PDFs. */
export function createReadTool(workspace: ToolWorkspace): Tool {
  return defineTool<ReadInput>({
    name: "Read",
    description: prompt,
    effect: "read",
    input: createAliasedSchema<ReadInput>(
      {
        type: "object",
        properties: {
          path: { type: "string", description: "The file." },
          offset: {
            type: "integer",
            minimum: 1,
            description: "The first line to show; the first of a file is 1.",
          },
          limit: { type: "integer", minimum: 1, description: "The number of lines to show." },
        },
        required: ["path"],
        additionalProperties: false,
      },
      pathAliases,
    ),
    accesses: ({ path }, place) => [workspace.access(path, "read", place)],
    execute: convertRefusals(async (input, context) => {
      const { readFileForModel } = await import("./execute/read.ts")
      return readFileForModel(workspace, input, context)
    }),
  })
}
