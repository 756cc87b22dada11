import { defineTool, type Tool } from "../../agent/tool.ts"
import { createAliasedSchema, pathAliases } from "./aliased.ts"
import type { LsInput } from "./execute/ls.ts"
import { convertRefusals } from "./refusal-as-result.ts"
import type { ToolWorkspace } from "./workspace.ts"

const prompt =
  'List the entries of a folder: a folder with "/" after its name, a file with its size, a link with "@". To see subfolders as well, use DirectoryTree or Glob.'

/** Lists the entries of a folder. */
export function createLsTool(workspace: ToolWorkspace): Tool {
  return defineTool<LsInput>({
    name: "LS",
    description: prompt,
    effect: "read",
    input: createAliasedSchema<LsInput>(
      {
        type: "object",
        properties: { path: { type: "string", description: "The folder; default: the working directory." } },
        additionalProperties: false,
      },
      { ...pathAliases, dir_path: "path", directory: "path" },
    ),
    accesses: ({ path: folder = "." }, place) => [workspace.access(folder, "read", place)],
    execute: convertRefusals(async (input, context) => {
      const { listFolder } = await import("./execute/ls.ts")
      return listFolder(workspace, input, context)
    }),
  })
}
