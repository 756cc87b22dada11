import { defineTool, type Tool } from "../../agent/tool.ts"
import { createAliasedSchema, pathAliases } from "./aliased.ts"
import type { GitDiffInput } from "./execute/git-diff.ts"
import { convertRefusals } from "./refusal-as-result.ts"
import type { ToolWorkspace } from "./workspace.ts"

const prompt = [
  "Show changes in the git repository as a unified diff: those that are not staged. With staged: those that are. With base: everything since that commit or branch.",
  "Untracked files are not shown.",
].join("\n")

/** Shows changes in the git repository. No program that the repository names is run. */
export function createGitDiffTool(workspace: ToolWorkspace): Tool {
  return defineTool<GitDiffInput>({
    name: "GitDiff",
    description: prompt,
    effect: "read",
    input: createAliasedSchema<GitDiffInput>(
      {
        type: "object",
        properties: {
          path: { type: "string", description: "Only this file or folder; default: the working directory." },
          staged: { type: "boolean", description: "Show what is staged for the next commit." },
          base: { type: "string", description: "A commit, branch or tag to compare with." },
        },
        additionalProperties: false,
      },
      { ...pathAliases, cached: "staged" },
    ),
    accesses: ({ path: folder = "." }, place) => [workspace.access(folder, "read", place, "below")],
    execute: convertRefusals(async (input, context) => {
      const { showGitChanges } = await import("./execute/git-diff.ts")
      return showGitChanges(workspace, input, context)
    }),
  })
}
