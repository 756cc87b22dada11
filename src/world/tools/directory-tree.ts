import { defineTool, type Tool } from "../../agent/tool.ts"
import { aliased, pathAliases } from "./aliased.ts"
import type { TreeInput } from "./execute/directory-tree.ts"
import { worded } from "./worded.ts"
import type { Workspace } from "./workspace.ts"

const prompt =
  "Show a folder and what is below it as a tree. What .gitignore names is left out. For a large one give a smaller depth, or a folder in it."

const defaultDepth = 3
const mostDepth = 20

/** Shows a folder and what is below it. */
export function directoryTreeTool(workspace: Workspace): Tool {
  return defineTool<TreeInput>({
    name: "DirectoryTree",
    description: prompt,
    effect: "read",
    input: aliased<TreeInput>(
      {
        type: "object",
        properties: {
          path: { type: "string", description: "The folder; default: the working directory." },
          depth: { type: "integer", minimum: 1, maximum: mostDepth, description: `Default ${defaultDepth}.` },
        },
        additionalProperties: false,
      },
      { ...pathAliases, max_depth: "depth" },
    ),
    accesses: ({ path: given = "." }, place) => [workspace.access(given, "read", place, "below")],
    execute: worded(async (input, context) => {
      const { drawTree } = await import("./execute/directory-tree.ts")
      return drawTree(workspace, { ...input, depth: input.depth ?? defaultDepth }, context)
    }),
  })
}
