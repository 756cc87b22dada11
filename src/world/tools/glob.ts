import { defineTool, type Tool } from "../../agent/tool.ts"
import type { GlobInput } from "./execute/glob.ts"
import { convertRefusals } from "./refusal-as-result.ts"
import type { ToolWorkspace } from "./workspace.ts"

const prompt = [
  'Find files by name. The pattern is for the path below the folder: "*.ts" for files in it, "**/*.ts" for files in all subfolders, too.',
  "Also: ?, [a-z], {a,b}, @(a|b). Files that .gitignore names are left out, unless path or the beginning of the pattern names them.",
].join("\n")

/** Finds files by name. */
export function createGlobTool(workspace: ToolWorkspace): Tool {
  return defineTool<GlobInput>({
    name: "Glob",
    description: prompt,
    effect: "read",
    input: {
      type: "object",
      properties: {
        pattern: { type: "string", minLength: 1, description: "The pattern." },
        path: { type: "string", description: "The folder to search; default: the working directory." },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
    accesses: ({ path: folder = "." }, place) => [workspace.access(folder, "read", place, "below")],
    execute: convertRefusals(async (input, context) => {
      const { findFiles } = await import("./execute/glob.ts")
      return findFiles(workspace, input, context)
    }),
  })
}
