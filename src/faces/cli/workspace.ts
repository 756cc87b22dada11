import os from "node:os"
import { openWorkspace, type Workspace } from "../../definitions/registry/workspace.ts"
import type { ProcessContext } from "./command.ts"

/** The workspace of the directory a command was called in. */
export const openWorkspaceAt = ({ directory, environment }: ProcessContext): Workspace =>
  openWorkspace({ cwd: directory, home: environment.HOME ?? os.homedir(), environment })
