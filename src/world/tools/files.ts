import type { Tool } from "../../agent/tool.ts"
import { createApplyPatchTool } from "./apply-patch.ts"
import { createDirectoryTreeTool } from "./directory-tree.ts"
import { createEditTool } from "./edit.ts"
import { createGitDiffTool } from "./git-diff.ts"
import { createGlobTool } from "./glob.ts"
import { createGrepTool } from "./grep.ts"
import { createLsTool } from "./ls.ts"
import { createReadTool } from "./read.ts"
import { createThinkTool } from "./think.ts"
import { createTodoWriteTool } from "./todo-write.ts"
import { type FileToolOptions, openToolWorkspace } from "./workspace.ts"
import { createWriteTool } from "./write.ts"

export type { FileToolOptions } from "./workspace.ts"

/** The tools for the files of one workspace, and two that need no files: TodoWrite and Think. */
export function createFileTools(options: FileToolOptions): readonly Tool[] {
  const workspace = openToolWorkspace(options)
  return [
    createReadTool(workspace),
    createEditTool(workspace),
    createWriteTool(workspace),
    createApplyPatchTool(workspace),
    createGrepTool(workspace),
    createGlobTool(workspace),
    createLsTool(workspace),
    createDirectoryTreeTool(workspace),
    createGitDiffTool(workspace),
    createTodoWriteTool(),
    createThinkTool(),
  ]
}
