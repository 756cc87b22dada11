import { findDisabledHooks } from "../../../definitions/authority/untrusted-hooks.ts"
import { checkAllHooks } from "../../../definitions/gates/check-hooks.ts"
import { checkWorkflowFiles } from "../../../definitions/gates/check-workflows.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import type { DoctorFinding } from "./finding.ts"

/** One finding for each file that has hooks or workflows. A broken file keeps agents from starting. */
export function examineHookFiles(workspace: Workspace, base: string): readonly DoctorFinding[] {
  const { registry, hookFiles } = workspace
  if (hookFiles.length === 0) return []
  const errors = [
    ...checkAllHooks(workspace, registry, hookFiles).diagnostics,
    ...checkWorkflowFiles(workspace, registry, hookFiles),
  ].filter(({ severity }) => severity === "error")
  const off = new Map(findDisabledHooks(workspace).map(({ file, why }) => [file, why]))
  return hookFiles.map(({ file }): DoctorFinding => {
    const wrong = errors.find((diagnostic) => diagnostic.file === file)
    const what = toDisplayPath(file, base)
    const why = off.get(file)
    if (!wrong && why !== undefined)
      return {
        part: "Definitions",
        what,
        state: "off",
        level: "fine",
        reason: `Its hooks do not run: ${why}.`,
      }
    if (!wrong) return { part: "Definitions", what, state: "read", level: "fine" }
    return {
      part: "Definitions",
      what,
      state: "broken",
      level: "broken",
      reason: `line ${wrong.range.start.line}: ${wrong.message}`,
      remedy: `\`cadre check ${what}\` shows all problems of the file.`,
    }
  })
}
