import { defineTool, type Tool } from "../../agent/tool.ts"
import { aliased, pathAliases } from "./aliased.ts"
import type { WriteInput } from "./execute/write.ts"
import { worded } from "./worded.ts"
import type { Workspace } from "./workspace.ts"

const prompt = [
  "Write a whole file: a new one, with the folders it needs, or in place of one that is there.",
  "A file that exists must have been read in this run and be unchanged since. To change a part of it, Edit is better.",
  "The line endings, byte order mark and mode of a file that is replaced are kept.",
].join("\n")

/** Writes a whole file. */
export function writeTool(workspace: Workspace): Tool {
  return defineTool<WriteInput>({
    name: "Write",
    description: prompt,
    effect: "idempotent",
    input: aliased<WriteInput>(
      {
        type: "object",
        properties: {
          path: { type: "string", description: "The file." },
          content: { type: "string", description: "All that it is to contain." },
        },
        required: ["path", "content"],
        additionalProperties: false,
      },
      { ...pathAliases, contents: "content", file_text: "content" },
    ),
    resource: () => workspace.turn,
    accesses: ({ path }, place) => [workspace.access(path, "write", place)],
    execute: worded(async (input, context) => {
      const { writeText } = await import("./execute/write.ts")
      return writeText(workspace, input, context)
    }),
  })
}
