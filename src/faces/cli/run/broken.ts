import type { Agent } from "../../../agent/agent.ts"
import { lookUpTool } from "../../../agent/catalogue/look-up.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { atLevels } from "../../../definitions/rules/levels.ts"
import { fewFiles } from "./few-files.ts"

/**
 * One line about definitions that cannot be used; none where there are none. Beside an agent that has nobody else work,
 * those count that could not be read: no rule looks at the others then.
 */
export function brokenNote(workspace: Workspace, directory: string, agent?: Agent): readonly string[] {
  const files =
    agent && worksAlone(agent, workspace) ? unreadFiles(workspace) : workspace.registry.brokenFiles()
  if (files.length === 0) return []
  return [
    `${files.length} ${files.length === 1 ? "definition is" : "definitions are"} broken: ${fewFiles(files, directory)}. \`cadre check\` says why.`,
  ]
}

const unreadFiles = ({ registry, configuration: { rules } }: Workspace): readonly string[] =>
  registry
    .files()
    .filter(({ problems }) => atLevels(problems, rules).some(({ severity }) => severity === "error"))
    .map(({ path }) => path)

/** Whether no other agent can come to work below a run of this one, whatever it is granted. */
const worksAlone = (
  { tools, fallback = [], pipeline, workflow = null, hooks }: Agent,
  { configuration, hookFiles }: Workspace,
): boolean =>
  tools.mode === "list" &&
  !tools.allow.some(handsWorkOn) &&
  fallback.length === 0 &&
  [pipeline, workflow ?? undefined, hooks, ...Object.values(configuration.hooks)].every(
    (part) => part === undefined,
  ) &&
  hookFiles.length === 0

function handsWorkOn(entry: string): boolean {
  const meant = lookUpTool(entry)
  const names = "name" in meant ? [meant.name, ...("also" in meant ? (meant.also ?? []) : [])] : []
  return entry.includes("*") || names.includes("Agent")
}
