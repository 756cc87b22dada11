import os from "node:os"
import { escapeJson } from "../diagnostics/escape-text.ts"
import { openWorkspace, type Workspace } from "../registry/workspace.ts"
import type { Surroundings } from "./command.ts"

/** The workspace of the directory a command was called in. */
export const workspaceOf = ({ directory, environment }: Surroundings): Workspace =>
  openWorkspace({ cwd: directory, home: environment.HOME ?? os.homedir(), environment })

/** JSON as every command prints it. */
export const jsonText = (value: unknown): string => `${escapeJson(JSON.stringify(value, undefined, 2))}\n`
