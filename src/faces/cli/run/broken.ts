import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import path from "node:path"
import type { Agent } from "../../../agent/agent.ts"
import { lookUpTool } from "../../../agent/catalogue/look-up.ts"
import { locateStateFolder } from "../../../assembly/project/place.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { applyLevels } from "../../../definitions/rules/levels.ts"
import type { ProcessContext } from "../command.ts"
import { describeFewFiles } from "./few-files.ts"

/**
 * One line about broken definitions, if there are any. For an agent that starts no other agents, only unreadable files
 * count: checking the other files would need all rules.
 */
export function describeBrokenFiles(
  workspace: Workspace,
  directory: string,
  agent?: Agent,
): readonly string[] {
  const files =
    agent && worksAlone(agent, workspace) ? unreadFiles(workspace) : workspace.registry.brokenFiles()
  if (files.length === 0) return []
  return [
    `${files.length} ${files.length === 1 ? "definition is" : "definitions are"} broken: ${describeFewFiles(files, directory)}. \`cadre check\` shows why.`,
  ]
}

/** The same line, once: it comes again only where other files are broken. */
export const findNewBrokenNote = (
  workspace: Workspace,
  { directory, environment }: Pick<ProcessContext, "directory" | "environment">,
  agent: Agent,
): readonly string[] =>
  describeBrokenFiles(workspace, directory, agent).filter((note) =>
    isFirstTime(`${directory}\n${note}`, environment),
  )

/** True the first time that a text is shown. The state folder remembers it by its digest. */
function isFirstTime(text: string, environment: ProcessContext["environment"]): boolean {
  const folder = path.join(locateStateFolder(environment), "shown")
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 32)
    writeFileSync(path.join(folder, digest), "", { flag: "wx" })
    return true
  } catch (error) {
    // A note that cannot be remembered is shown again.
    return (error as NodeJS.ErrnoException).code !== "EEXIST"
  }
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
