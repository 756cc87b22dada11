import { defineTool, type Tool } from "../../agent/tool.ts"
import { createAliasedSchema, pathAliases } from "./aliased.ts"
import type { WriteInput } from "./execute/write.ts"
import { convertRefusals } from "./refusal-as-result.ts"
import type { ToolWorkspace } from "./workspace.ts"

const prompt = [
  "Write a whole file: a new one, with the folders it needs, or in place of an existing one.",
  "A file that exists must have been read in this run and be unchanged since. To change a part of a file, use Edit.",
  "The line endings, byte order mark and mode of a file that is replaced are kept.",
].join("\n")

/** Writes a whole file. */
export function createWriteTool(workspace: ToolWorkspace): Tool {
  return defineTool<WriteInput>({
    name: "Write",
    description: prompt,
    effect: "idempotent",
    input: createAliasedSchema<WriteInput>(
      {
        type: "object",
        properties: {
          path: { type: "string", description: "The file." },
          content: { type: "string", description: "The whole content." },
        },
        required: ["path", "content"],
        additionalProperties: false,
      },
      { ...pathAliases, contents: "content", file_text: "content" },
    ),
    resource: () => workspace.changeKey,
    accesses: ({ path }, place) => [workspace.access(path, "write", place)],
    execute: convertRefusals(async (input, context) => {
      const { writeWholeFile } = await import("./execute/write.ts")
      return writeWholeFile(workspace, input, context)
    }),
  })
}
