import { defineTool, type Tool } from "../../agent/tool.ts"
import { createAliasedSchema, pathAliases } from "./aliased.ts"
import type { EditInput } from "./execute/edit.ts"
import { convertRefusals } from "./refusal-as-result.ts"
import type { ToolWorkspace } from "./workspace.ts"

const prompt = [
  "Replace text in a file. Read the file first: an edit is refused if the file was not read in this run, or has changed since.",
  "old_string must occur in the file exactly once, with its white space and without the line numbers that Read shows. Add lines around it until it does, or set replace_all.",
  "Line endings, byte order mark and mode of the file stay as they are.",
].join("\n")

/** Replaces a text in a file. */
export function createEditTool(workspace: ToolWorkspace): Tool {
  return defineTool<EditInput>({
    name: "Edit",
    description: prompt,
    effect: "idempotent",
    input: createAliasedSchema<EditInput>(
      {
        type: "object",
        properties: {
          path: { type: "string", description: "The file." },
          old_string: { type: "string", minLength: 1, description: "The text to replace." },
          new_string: { type: "string", description: "The new text." },
          replace_all: { type: "boolean", description: "Replace every occurrence." },
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
    resource: () => workspace.changeKey,
    accesses: ({ path }, place) => [workspace.access(path, "write", place)],
    execute: convertRefusals(async (input, context) => {
      const { editFile } = await import("./execute/edit.ts")
      return editFile(workspace, input, context)
    }),
  })
}
