import type { Agent } from "../../../agent/agent.ts"
import { withReadClaims } from "../../../definitions/authority/read-claims.ts"
import { isConfigurationTrusted } from "../../../definitions/authority/standing.ts"
import { refusedClaims } from "../../../definitions/authority/trusted-agents.ts"
import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"
import { messageOf } from "../../../ground/errors.ts"
import { subagentsDisabled } from "../../../run/begin/start-problem.ts"
import { oldTables, oldTablesNotice } from "../../../world/models/dated-tables.ts"
import type { ModelsDescription } from "../../../world/models/describe.ts"
import type { Models } from "../../../world/models/source.ts"
import { memoryStore } from "../../../world/stores/memory.ts"
import type { Surroundings } from "../command.ts"
import { isMissing } from "../commands/models.ts"
import { modelsOf } from "../models.ts"
import { type Opened, openRunsIn } from "../run/open.ts"
import { changedTrust } from "../run/trust.ts"
import { unfollowedSettings } from "../run/unfollowed-settings.ts"
import { explained } from "../settings.ts"
import { standingAt } from "../trust/trust.ts"
import { workspaceOf } from "../workspace.ts"
import { type Depth, examineTools, examineTrust } from "./authority.ts"
import type { Examined } from "./examined.ts"
import { examineFiles } from "./files.ts"
import { examineHookFiles } from "./hook-files.ts"
import { examineState } from "./state.ts"
import { examineWorktrees } from "./worktrees.ts"

/** Looks at everything and changes nothing. It asks no provider: `cadre models` does. */
export async function examine(surroundings: Surroundings, depth: Depth): Promise<readonly Examined[]> {
  const workspace = workspaceOf(surroundings)
  const standing = standingAt(surroundings, workspace)
  const opening = { model: "lenient", runs: "new" } as const
  const runs = openRunsIn(surroundings, workspace, memoryStore(), { ...opening, trust: "kept" })
  const trusting = openRunsIn(surroundings, workspace, memoryStore(), { ...opening, trust: "all" })
  const { configuration: followed } = runs
  const models = modelsOf(surroundings, followed)
  const refused = refusedClaims(workspace.registry, standing)
  // Of one that nobody trusts that is told by itself, and here what would be in its way then.
  const problemsOf = (agent: Agent) =>
    (refused.has(agent.name) ? trusting : runs).runtime.startProblems(agent, { cwd: surroundings.directory })
  const isHeld =
    changedTrust(runs, surroundings.directory, "kept") !== undefined ||
    runs.diagnostics.some(({ severity }) => severity === "error")
  return [
    { part: "Node", what: `Node ${process.versions.node}`, state: "fine", level: "fine" },
    ...configuration(surroundings, isConfigurationTrusted(workspace, standing) ? "trusted" : "untrusted"),
    ...disabled(followed),
    ...(await examineFiles(
      workspace,
      surroundings.directory,
      problemsOf,
      ({ name }) => !isHeld && !refused.has(name),
    )),
    ...examineHookFiles(workspace, surroundings.directory),
    ...foreign(runs, surroundings),
    ...examineTrust({ ...runs, standing: await withReadClaims(workspace, standing) }, surroundings.directory),
    ...(await examineTools(surroundings, runs, depth)),
    ...(await providers(models)),
    tables(surroundings.now?.() ?? Date.now()),
    ...(await examineState(surroundings)),
    ...examineWorktrees(surroundings),
  ]
}

function configuration(surroundings: Surroundings, project: "trusted" | "untrusted"): readonly Examined[] {
  const { files, diagnostics } = explained(surroundings)
  const { directory } = surroundings
  return [
    ...files.map(({ file, of, exists }): Examined => {
      const wrong = diagnostics.filter((diagnostic) => diagnostic.file === file)
      return {
        part: "Configuration",
        what: shownPath(file, directory),
        state: !exists ? "not there" : wrong.length > 0 ? "has problems" : "read",
        level: wrong.some(({ severity }) => severity === "error") ? "broken" : exists ? "fine" : "note",
        ...(wrong[0] && { reason: `line ${wrong[0].range.start.line}: ${wrong[0].message}` }),
        ...(of === "project" &&
          exists &&
          wrong.length === 0 &&
          project === "untrusted" && { reason: "For runs only once it is trusted, or with --trust." }),
      }
    }),
    ...diagnostics
      .filter((diagnostic) => !files.some(({ file }) => file === diagnostic.file))
      .map(
        ({ file, message }): Examined => ({
          part: "Configuration",
          what: file === undefined ? "environment" : shownPath(file, directory),
          state: "has problems",
          level: "broken",
          reason: message,
        }),
      ),
  ]
}

/** Of whatever forbids something and is not followed. */
const foreign = (runs: Opened, surroundings: Surroundings): readonly Examined[] =>
  unfollowedSettings(runs, surroundings).map(({ file, range, message }) => ({
    part: "Configuration",
    what: shownPath(file ?? "", surroundings.directory),
    state: "not followed",
    level: "note",
    reason: `line ${range.start.line}: ${message}`,
  }))

/** In the words of a run that is refused. */
function disabled({ subagents }: Configuration): readonly Examined[] {
  if (subagents.enabled) return []
  const { message } = subagentsDisabled
  return [
    { part: "Configuration", what: "subagents.enabled", state: "false", level: "broken", reason: message },
  ]
}

/** Of everything that ships and ages. */
function tables(now: number): Examined {
  const notice = oldTablesNotice(oldTables(now))
  return {
    part: "Providers",
    what: "tables of models",
    ...(notice ? { state: "old", level: "note", ...notice } : { state: "up to date", level: "fine" }),
  }
}
/** What of the user's Codex configuration counts for Codex files. */
const ofCodex = ({ host: codex }: ModelsDescription): readonly Examined[] => [
  ...(codex?.settings ?? []).map(
    ({ name, value }): Examined => ({
      part: "Providers",
      what: name,
      state: value,
      level: "fine",
      reason: "For Codex files, where cadre's own configuration says nothing.",
    }),
  ),
  ...(codex?.warnings ?? []).map(
    (reason): Examined => ({
      part: "Providers",
      what: codex!.file,
      state: "has problems",
      level: "note",
      reason,
    }),
  ),
]

async function providers(models: Models): Promise<readonly Examined[]> {
  const described = await models.describe()
  const { default: usual } = described
  const settled = await models.settle({ owner: "The default model", choice: null, policy: "lenient" }).then(
    ({ warnings }) => ({ warning: warnings[0] }),
    (error) => ({ problem: messageOf(error) }),
  )
  const { problem, warning } = { problem: undefined, warning: undefined, ...settled }
  return [
    ...described.providers.map(({ id, key, source, warning }): Examined => {
      const wanted = isMissing(key) && source === "built-in" ? "note" : "broken"
      const [, remedy] = /^missing \((.+)\)$/.exec(key) ?? []
      return {
        part: "Providers",
        what: id,
        state: `key ${remedy === undefined ? key : "missing"}`,
        level: isMissing(key) || warning !== undefined ? wanted : "fine",
        ...(warning !== undefined && { reason: warning }),
        ...(remedy !== undefined && { remedy: `${remedy[0]!.toUpperCase()}${remedy.slice(1)}.` }),
      }
    }),
    ...ofCodex(described),
    {
      part: "Providers",
      what: "default model",
      state: usual ? (usual.resolved ?? "cannot be used") : "not set",
      level: (problem ?? warning) === undefined ? "fine" : usual?.problem === undefined ? "note" : "broken",
      ...((problem ?? warning) !== undefined && { reason: problem ?? warning }),
    },
  ]
}
