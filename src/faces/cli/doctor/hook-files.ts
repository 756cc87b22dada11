import { hooksThatAreOff } from "../../../definitions/authority/unfollowed-hooks.ts"
import { checkedHooks } from "../../../definitions/gates/check-hooks.ts"
import { workflowFindings } from "../../../definitions/gates/check-workflows.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"
import type { Examined } from "./examined.ts"

/** Every file of hooks and of workflows: with one that cannot be followed, agents do not start. */
export function examineHookFiles(workspace: Workspace, base: string): readonly Examined[] {
  const { registry, hookFiles } = workspace
  if (hookFiles.length === 0) return []
  const errors = [
    ...checkedHooks(workspace, registry, hookFiles).diagnostics,
    ...workflowFindings(workspace, registry, hookFiles),
  ].filter(({ severity }) => severity === "error")
  const off = new Map(hooksThatAreOff(workspace).map(({ file, why }) => [file, why]))
  return hookFiles.map(({ file }): Examined => {
    const wrong = errors.find((diagnostic) => diagnostic.file === file)
    const what = shownPath(file, base)
    const why = off.get(file)
    if (!wrong && why !== undefined)
      return {
        part: "Definitions",
        what,
        state: "off",
        level: "fine",
        reason: `Its hooks are not asked: ${why}.`,
      }
    if (!wrong) return { part: "Definitions", what, state: "read", level: "fine" }
    return {
      part: "Definitions",
      what,
      state: "broken",
      level: "broken",
      reason: `line ${wrong.range.start.line}: ${wrong.message}`,
      remedy: `\`cadre check ${what}\` shows where.`,
    }
  })
}
