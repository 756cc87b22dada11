import type { Tool } from "../../agent/tool.ts"
import { applyPatchTool } from "./apply-patch.ts"
import { directoryTreeTool } from "./directory-tree.ts"
import { editTool } from "./edit.ts"
import { gitDiffTool } from "./git-diff.ts"
import { globTool } from "./glob.ts"
import { grepTool } from "./grep.ts"
import { lsTool } from "./ls.ts"
import { readTool } from "./read.ts"
import { thinkTool } from "./think.ts"
import { todoWriteTool } from "./todo-write.ts"
import { type FileToolOptions, openToolWorkspace } from "./workspace.ts"
import { writeTool } from "./write.ts"

export type { FileToolOptions } from "./workspace.ts"

/** The tools for the files of one workspace, and two that need no files: TodoWrite and Think. */
export function fileTools(options: FileToolOptions): readonly Tool[] {
  const workspace = openToolWorkspace(options)
  return [
    readTool(workspace),
    editTool(workspace),
    writeTool(workspace),
    applyPatchTool(workspace),
    grepTool(workspace),
    globTool(workspace),
    lsTool(workspace),
    directoryTreeTool(workspace),
    gitDiffTool(workspace),
    todoWriteTool(),
    thinkTool(),
  ]
}
