import type { Agent } from "../../../agent/agent.ts"
import { addReadClaims } from "../../../definitions/authority/read-claims.ts"
import { findRefusedAgents } from "../../../definitions/authority/trusted-agents.ts"
import { isConfigurationTrusted } from "../../../definitions/authority/workspace-trust.ts"
import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { describeThrown } from "../../../ground/errors.ts"
import { subagentsDisabledProblem } from "../../../run/begin/start-problem.ts"
import { describeOldTables, findOldTables } from "../../../world/models/dated-tables.ts"
import type { ModelsDescription } from "../../../world/models/describe.ts"
import type { Models } from "../../../world/models/source.ts"
import { memoryStore } from "../../../world/stores/memory.ts"
import type { ProcessContext } from "../command.ts"
import { isKeyMissing } from "../commands/models.ts"
import { createConfiguredModels } from "../models.ts"
import { openRunsIn, type ProjectRuns } from "../run/open.ts"
import { describeChangedTrust } from "../run/trust.ts"
import { findUnfollowedSettings } from "../run/unfollowed-settings.ts"
import { explainSettings } from "../settings.ts"
import { readStandingAt } from "../trust/trust.ts"
import { openWorkspaceAt } from "../workspace.ts"
import { type DoctorDepth, examineTools, examineTrust } from "./authority.ts"
import { examineFiles } from "./files.ts"
import type { DoctorFinding } from "./finding.ts"
import { examineHookFiles } from "./hook-files.ts"
import { examineServers } from "./servers.ts"
import { examineState } from "./state.ts"
import { examineWorktrees } from "./worktrees.ts"

/** Checks the whole setup and changes nothing. Providers are not contacted: `cadre models` does that. */
export async function examine(
  surroundings: ProcessContext,
  depth: DoctorDepth,
): Promise<readonly DoctorFinding[]> {
  const workspace = openWorkspaceAt(surroundings)
  const standing = readStandingAt(surroundings, workspace)
  const opening = { model: "lenient", runs: "new" } as const
  const runs = openRunsIn(surroundings, workspace, memoryStore(), { ...opening, trust: "kept" })
  const trusting = openRunsIn(surroundings, workspace, memoryStore(), { ...opening, trust: "all" })
  const { configuration: followed } = runs
  const models = createConfiguredModels(surroundings, followed)
  const refused = findRefusedAgents(workspace.registry, standing)
  // Missing trust is reported separately. An untrusted agent is checked as if it were trusted.
  const problemsOf = (agent: Agent) =>
    (refused.has(agent.name) ? trusting : runs).runtime.startProblems(agent, { cwd: surroundings.directory })
  const isHeld =
    describeChangedTrust(runs, surroundings.directory, "kept") !== undefined ||
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
    ...examineTrust({ ...runs, standing: await addReadClaims(workspace, standing) }, surroundings.directory),
    ...(await examineTools(surroundings, runs, depth)),
    ...(await examineServers(surroundings, runs, depth)),
    ...(await providers(models)),
    tables(surroundings.now?.() ?? Date.now()),
    ...(await examineState(surroundings)),
    ...examineWorktrees(surroundings),
  ]
}

function configuration(
  surroundings: ProcessContext,
  project: "trusted" | "untrusted",
): readonly DoctorFinding[] {
  const { files, diagnostics } = explainSettings(surroundings)
  const { directory } = surroundings
  return [
    ...files.map(({ file, of, exists }): DoctorFinding => {
      const wrong = diagnostics.filter((diagnostic) => diagnostic.file === file)
      return {
        part: "Configuration",
        what: toDisplayPath(file, directory),
        state: !exists ? "not found" : wrong.length > 0 ? "has problems" : "read",
        level: wrong.some(({ severity }) => severity === "error") ? "broken" : exists ? "fine" : "note",
        ...(wrong[0] && { reason: `line ${wrong[0].range.start.line}: ${wrong[0].message}` }),
        ...(of === "project" &&
          exists &&
          wrong.length === 0 &&
          project === "untrusted" && { reason: "Runs use it only after `cadre trust`, or with --trust." }),
      }
    }),
    ...diagnostics
      .filter((diagnostic) => !files.some(({ file }) => file === diagnostic.file))
      .map(
        ({ file, message }): DoctorFinding => ({
          part: "Configuration",
          what: file === undefined ? "environment" : toDisplayPath(file, directory),
          state: "has problems",
          level: "broken",
          reason: message,
        }),
      ),
  ]
}

/** Settings of other hosts that forbid something, and that cadre does not follow. */
const foreign = (runs: ProjectRuns, surroundings: ProcessContext): readonly DoctorFinding[] =>
  findUnfollowedSettings(runs, surroundings).map(({ file, range, message }) => ({
    part: "Configuration",
    what: toDisplayPath(file ?? "", surroundings.directory),
    state: "not followed",
    level: "note",
    reason: `line ${range.start.line}: ${message}`,
  }))

/** Reports that subagents are disabled, with the message that a refused run gives. */
function disabled({ subagents }: Configuration): readonly DoctorFinding[] {
  if (subagents.enabled) return []
  const { message } = subagentsDisabledProblem
  return [
    { part: "Configuration", what: "subagents.enabled", state: "false", level: "broken", reason: message },
  ]
}

/** Checks the age of the model tables that ship with cadre. */
function tables(now: number): DoctorFinding {
  const notice = describeOldTables(findOldTables(now))
  return {
    part: "Providers",
    what: "tables of models",
    ...(notice ? { state: "old", level: "note", ...notice } : { state: "up to date", level: "fine" }),
  }
}

/** The values of the user's Codex configuration that apply to Codex files. */
const ofCodex = ({ host: codex }: ModelsDescription): readonly DoctorFinding[] => [
  ...(codex?.settings ?? []).map(
    ({ name, value }): DoctorFinding => ({
      part: "Providers",
      what: name,
      state: value,
      level: "fine",
      reason: "Applies to Codex files, unless cadre's own configuration sets it.",
    }),
  ),
  ...(codex?.warnings ?? []).map(
    (reason): DoctorFinding => ({
      part: "Providers",
      what: codex!.file,
      state: "has problems",
      level: "note",
      reason,
    }),
  ),
]

async function providers(models: Models): Promise<readonly DoctorFinding[]> {
  const description = await models.describe()
  const { default: usual } = description
  const resolution = await models
    .resolve({ owner: "The default model", choice: null, policy: "lenient" })
    .then(
      ({ warnings }) => ({ warning: warnings[0] }),
      (error) => ({ problem: describeThrown(error) }),
    )
  const { problem, warning } = { problem: undefined, warning: undefined, ...resolution }
  return [
    ...description.providers.map(({ id, key, source, warning }): DoctorFinding => {
      const missingLevel = isKeyMissing(key) && source === "built-in" ? "note" : "broken"
      const [, remedy] = /^missing \((.+)\)$/.exec(key) ?? []
      return {
        part: "Providers",
        what: id,
        state: `key ${remedy === undefined ? key : "missing"}`,
        level: isKeyMissing(key) || warning !== undefined ? missingLevel : "fine",
        ...(warning !== undefined && { reason: warning }),
        ...(remedy !== undefined && { remedy: `${remedy[0]!.toUpperCase()}${remedy.slice(1)}.` }),
      }
    }),
    ...ofCodex(description),
    {
      part: "Providers",
      what: "default model",
      state: usual ? (usual.resolved ?? "cannot be used") : "not set",
      level: (problem ?? warning) === undefined ? "fine" : usual?.problem === undefined ? "note" : "broken",
      ...((problem ?? warning) !== undefined && { reason: problem ?? warning }),
    },
  ]
}
