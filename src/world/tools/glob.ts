import { defineTool, type Tool } from "../../agent/tool.ts"
import type { GlobInput } from "./execute/glob.ts"
import { worded } from "./worded.ts"
import type { Workspace } from "./workspace.ts"

const prompt = [
  'Find files by name. The pattern is for the path below the folder: "*.ts" for files in it, "**/*.ts" for those in all folders below, too.',
  "Also: ?, [a-z], {a,b}, @(a|b). What .gitignore names is left out, unless path or the beginning of the pattern names it.",
].join("\n")

/** Finds files by name. */
export function globTool(workspace: Workspace): Tool {
  return defineTool<GlobInput>({
    name: "Glob",
    description: prompt,
    effect: "read",
    input: {
      type: "object",
      properties: {
        pattern: { type: "string", minLength: 1, description: "The pattern." },
        path: { type: "string", description: "The folder to look in; default: the working directory." },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
    accesses: ({ path: folder = "." }, place) => [workspace.access(folder, "read", place, "below")],
    execute: worded(async (input, context) => {
      const { findFiles } = await import("./execute/glob.ts")
      return findFiles(workspace, input, context)
    }),
  })
}
