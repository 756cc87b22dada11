import { defineTool, type Tool } from "../../agent/tool.ts"
import { aliased, pathAliases } from "./aliased.ts"
import type { EditInput } from "./execute/edit.ts"
import { worded } from "./worded.ts"
import type { Workspace } from "./workspace.ts"

const prompt = [
  "Replace text in a file. Read the file first: an edit is refused where the file was not read in this run, or has changed since.",
  "old_string must stand in the file exactly once, white space included and without the line numbers that Read shows; give lines around it until it does, or set replace_all.",
  "Line endings, byte order mark and mode of the file stay as they are.",
].join("\n")

/** Replaces a text in a file. */
export function editTool(workspace: Workspace): Tool {
  return defineTool<EditInput>({
    name: "Edit",
    description: prompt,
    effect: "idempotent",
    input: aliased<EditInput>(
      {
        type: "object",
        properties: {
          path: { type: "string", description: "The file." },
          old_string: { type: "string", minLength: 1, description: "The text to replace." },
          new_string: { type: "string", description: "What to put in its place." },
          replace_all: { type: "boolean", description: "Replace it wherever it stands." },
        },
        required: ["path", "old_string", "new_string"],
        additionalProperties: false,
      },
      {
        ...pathAliases,
        old_str: "old_string",
        new_str: "new_string",
        oldString: "old_string",
        newString: "new_string",
        replaceAll: "replace_all",
      },
    ),
    resource: () => workspace.turn,
    accesses: ({ path }, place) => [workspace.access(path, "write", place)],
    execute: worded(async (input, context) => {
      const { editText } = await import("./execute/edit.ts")
      return editText(workspace, input, context)
    }),
  })
}
