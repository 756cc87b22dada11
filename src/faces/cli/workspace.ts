import os from "node:os"
import { openWorkspace, type Workspace } from "../../definitions/registry/workspace.ts"
import type { Surroundings } from "./command.ts"

/** The workspace of the directory a command was called in. */
export const workspaceOf = ({ directory, environment }: Surroundings): Workspace =>
  openWorkspace({ cwd: directory, home: environment.HOME ?? os.homedir(), environment })
