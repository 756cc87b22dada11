import { defineTool, type Tool } from "../../agent/tool.ts"
import { createAliasedSchema, pathAliases } from "./aliased.ts"
import type { TreeInput } from "./execute/directory-tree.ts"
import { convertRefusals } from "./refusal-as-result.ts"
import type { ToolWorkspace } from "./workspace.ts"

const prompt =
  "Show a folder and everything below it as a tree. Files that .gitignore names are left out. For a large folder, give a smaller depth or a subfolder."

const defaultDepth = 3
const mostDepth = 20

/** Shows a folder and everything below it. */
export function createDirectoryTreeTool(workspace: ToolWorkspace): Tool {
  return defineTool<TreeInput>({
    name: "DirectoryTree",
    description: prompt,
    effect: "read",
    input: createAliasedSchema<TreeInput>(
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
    accesses: ({ path: folder = "." }, place) => [workspace.access(folder, "read", place, "below")],
    execute: convertRefusals(async (input, context) => {
      const { drawTree } = await import("./execute/directory-tree.ts")
      return drawTree(workspace, { ...input, depth: input.depth ?? defaultDepth }, context)
    }),
  })
}
