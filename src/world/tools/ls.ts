import { defineTool, type Tool } from "../../agent/tool.ts"
import { aliased, pathAliases } from "./aliased.ts"
import type { LsInput } from "./execute/ls.ts"
import { worded } from "./worded.ts"
import type { Workspace } from "./workspace.ts"

const prompt =
  'List what is in a folder: a folder with "/" after its name, a file with its size, a link with "@". For what is below as well use DirectoryTree or Glob.'

/** Lists what is in a folder. */
export function lsTool(workspace: Workspace): Tool {
  return defineTool<LsInput>({
    name: "LS",
    description: prompt,
    effect: "read",
    input: aliased<LsInput>(
      {
        type: "object",
        properties: { path: { type: "string", description: "The folder; default: the working directory." } },
        additionalProperties: false,
      },
      { ...pathAliases, dir_path: "path", directory: "path" },
    ),
    accesses: ({ path: given = "." }, place) => [workspace.access(given, "read", place)],
    execute: worded(async (input, context) => {
      const { listFolder } = await import("./execute/ls.ts")
      return listFolder(workspace, input, context)
    }),
  })
}
