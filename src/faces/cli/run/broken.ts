import type { Agent } from "../../../agent/agent.ts"
import { lookUpTool } from "../../../agent/catalogue/look-up.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { applyLevels } from "../../../definitions/rules/levels.ts"
import { fewFiles } from "./few-files.ts"

/**
 * One line about broken definitions, if there are any. For an agent that starts no other agents, only unreadable files
 * count: checking the other files would need all rules.
 */
export function brokenNote(workspace: Workspace, directory: string, agent?: Agent): readonly string[] {
  const files =
    agent && worksAlone(agent, workspace) ? unreadFiles(workspace) : workspace.registry.brokenFiles()
  if (files.length === 0) return []
  return [
    `${files.length} ${files.length === 1 ? "definition is" : "definitions are"} broken: ${fewFiles(files, directory)}. \`cadre check\` shows why.`,
  ]
}

const unreadFiles = ({ registry, configuration: { rules } }: Workspace): readonly string[] =>
  registry
    .files()
    .filter(({ problems }) => applyLevels(problems, rules).some(({ severity }) => severity === "error"))
    .map(({ path }) => path)

/** True if a run of this agent can never start another agent. */
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
  const match = lookUpTool(entry)
  const names = "name" in match ? [match.name, ...("also" in match ? (match.also ?? []) : [])] : []
  return entry.includes("*") || names.includes("Agent")
}
