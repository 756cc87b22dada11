import { defineTool, type Tool } from "../../agent/tool.ts"
import { aliased, pathAliases } from "./aliased.ts"
import type { GitDiffInput } from "./execute/git-diff.ts"
import { worded } from "./worded.ts"
import type { Workspace } from "./workspace.ts"

const prompt = [
  "Show what has changed in the git repository, as a unified diff: what is not staged yet, with staged what is, with base everything since that commit or branch.",
  "Files that git does not know yet are not shown.",
].join("\n")

/** Shows changes in the git repository. No program that the repository names is run. */
export function gitDiffTool(workspace: Workspace): Tool {
  return defineTool<GitDiffInput>({
    name: "GitDiff",
    description: prompt,
    effect: "read",
    input: aliased<GitDiffInput>(
      {
        type: "object",
        properties: {
          path: { type: "string", description: "Only this file or folder; default: the working directory." },
          staged: { type: "boolean", description: "What is staged for the next commit." },
          base: { type: "string", description: "A commit, branch or tag to compare with." },
        },
        additionalProperties: false,
      },
      { ...pathAliases, cached: "staged" },
    ),
    accesses: ({ path: given = "." }, place) => [workspace.access(given, "read", place, "below")],
    execute: worded(async (input, context) => {
      const { showChanges } = await import("./execute/git-diff.ts")
      return showChanges(workspace, input, context)
    }),
  })
}
