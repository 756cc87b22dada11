import { isConfigurationTrusted } from "../../../definitions/authority/workspace-trust.ts"
import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import type { RegistryEntry } from "../../../definitions/registry/entry.ts"
import type { Attachment, Json } from "../../../ground/message.ts"
import type { DryRun } from "../../../run/explain/dry-run.ts"
import type { RuleSet } from "../../../run/log/event-rights.ts"
import { lookForSandbox } from "../../../world/sandbox/find-sandbox.ts"
import type { ProcessContext } from "../command.ts"
import type { ExitCode } from "../exit-code.ts"
import { gatherAgentPlaces } from "../explain/agent-places.ts"
import {
  type AgentPlaces,
  type LocatedExplanation,
  locateExplanation,
} from "../explain/locate-explanation.ts"
import { type LocatedHook, locateHooks } from "../explain/locate-hooks.ts"
import type { ValueSource } from "../explain/places.ts"
import { type EntryTrust, getEntryTrust } from "../trust/entry-trust.ts"
import { describeBrokenFiles } from "./broken.ts"
import { type DryRunExecutor, describeExecutor } from "./dry-run-executor.ts"
import type { ProjectRuns } from "./open.ts"
import type { DryRunFindings, DryRunProblem, DryRunRequest } from "./prepare-dry-run.ts"
import { describeUnfollowedSettings } from "./unfollowed-settings.ts"
import { describeUntrustedFiles } from "./untrusted-note.ts"

/** The result of a dry run, as `cadre run --dry-run --json` prints it. */
export interface DryRunReport {
  readonly dryRun: true
  readonly starts: boolean
  /** The exit code of the refused run; 0 if the run would start. */
  readonly exitCode: ExitCode
  readonly problems: readonly DryRunProblem[]
  readonly warnings: readonly string[]
  readonly task: string | null
  readonly parents: readonly string[]
  /** Null if it is not clear which agent is meant. `run` is absent then. */
  readonly agent: DryRunAgent | null
  readonly run?: DryRunDetails
}

export interface DryRunAgent {
  readonly name: string
  readonly format: string
  readonly scope: string
  /** Null for an agent that is defined in code. */
  readonly file: string | null
  readonly hash: string | null
  /** The router's reason for this agent. Null if the user named the agent. */
  readonly reason: string | null
  /** All other definitions of the same name. */
  readonly others: readonly { readonly file: string | null; readonly scope: string; readonly state: string }[]
}

export interface DryRunDetails extends LocatedExplanation {
  readonly depth: number
  readonly hooks: readonly LocatedHook[]
  readonly rights: Setting<Configuration["mode"], "mode"> & { readonly sets: readonly RuleSet[] }
  /** `problem`: why there is no sandbox. Whether the sandbox works shows only when it is first used. */
  readonly sandbox: Setting<Configuration["sandbox"], "choice"> & { readonly problem: string | null }
  /** Null if a model drives the run. */
  readonly executor: DryRunExecutor | null
  readonly trust: DryRunTrust
  readonly place: {
    readonly cwd: string
    /** The worktree that would be created for the run. */
    readonly worktree: { readonly from: string; readonly branch: string; readonly base: string } | null
  }
  readonly workflow: Json
  readonly fallback: readonly string[]
  /** `recorded`: the run whose recorded result would be returned. */
  readonly cache: { readonly inputs: readonly string[]; readonly recorded: string | null } | null
  readonly continues: string | null
  /** The attachments of the task. */
  readonly attachments: readonly Omit<Attachment, "blob" | "run">[]
  readonly dedupe: string | null
}

type Setting<Value, Name extends string> = { readonly [name in Name]: Value } & { readonly from: ValueSource }

export interface DryRunTrust {
  readonly root: string
  /** `all`: everything is trusted for this run, by --trust. */
  readonly given: "all" | "kept"
  /** Null for an agent that needs no trust. */
  readonly agent: EntryTrust | null
  readonly configuration: "followed" | "untrusted" | "none"
  /** The project's files that have no effect, because they are not trusted as they are now. */
  readonly untrusted: readonly string[]
}

export function buildDryRunReport(
  runs: ProjectRuns,
  { agent, parents, task, reason, dry, problems }: DryRunFindings,
  request: DryRunRequest & { readonly code: ExitCode },
  surroundings: ProcessContext,
): DryRunReport {
  const { environment } = surroundings
  const { root } = runs.standing
  const executor = agent
    ? describeExecutor(agent, runs.configuration, request.driving, { environment, root })
    : null
  const head = {
    dryRun: true,
    starts: problems.length === 0,
    exitCode: request.code,
    problems,
    warnings: [
      ...describeBrokenFiles(runs.workspace, surroundings.directory, agent),
      ...describeUnfollowedSettings(runs, surroundings),
      ...describeUntrustedFiles(runs, surroundings.directory, request.driving.trust),
      ...(dry?.start?.warnings ?? []),
      ...(dry?.start?.model.warnings ?? []),
      ...(dry?.unseen ?? []),
      ...(executor?.problem ? [`The run would fail: ${executor.problem}`] : []),
    ],
    task: task ?? null,
    parents: parents.map(({ name }) => name),
  } as const
  if (!agent || !dry) return { ...head, agent: null }
  const around = gatherAgentPlaces(
    agent,
    parents.at(-1),
    runs,
    { ...surroundings, directory: request.options.cwd },
    request.driving.trust,
  )
  return {
    ...head,
    agent: foreseenAgent(around.entry, runs, reason),
    run: { ...foreseenRun(dry, around, runs, request), executor },
  }
}

function foreseenAgent(
  entry: RegistryEntry,
  { workspace: { registry } }: ProjectRuns,
  reason: string | undefined,
): DryRunAgent {
  const { agent, scope, file } = entry.candidate
  return {
    name: agent.name,
    format: agent.origin.format,
    scope,
    file: file?.path ?? null,
    hash: agent.origin.hash ?? null,
    reason: reason ?? null,
    others: registry
      .entries()
      .filter((other) => other !== entry && other.candidate.agent.name === agent.name)
      .map(({ candidate, state }) => ({
        file: candidate.file?.path ?? null,
        scope: candidate.scope,
        state: state.type,
      })),
  }
}

function foreseenRun(
  dry: DryRun,
  around: AgentPlaces & { readonly entry: RegistryEntry },
  runs: ProjectRuns,
  { driving, options, continues }: DryRunRequest,
): Omit<DryRunDetails, "executor"> {
  const { agent, entry, setting } = around
  const { start } = dry
  const { configuration } = runs
  const fromOf = (option: unknown, key: string): ValueSource =>
    option === undefined ? (setting(key).effective?.from ?? { type: "default" }) : { type: "call" }
  const sandbox = lookForSandbox()
  const worktree = start?.isolation
  return {
    depth: dry.depth,
    ...locateExplanation(dry, around),
    hooks: locateHooks(dry.hooks, entry),
    rights: {
      mode: driving.mode ?? configuration.mode,
      from: fromOf(driving.mode, "mode"),
      sets: dry.rights,
    },
    sandbox: {
      choice: driving.sandbox ?? configuration.sandbox,
      from: fromOf(driving.sandbox, "sandbox"),
      problem: "problem" in sandbox ? sandbox.problem : null,
    },
    trust: foreseenTrust(entry, runs, driving.trust),
    place: {
      cwd: options.cwd,
      worktree: worktree ? { from: worktree.from, branch: worktree.branch, base: worktree.base } : null,
    },
    workflow: agent.workflow ?? null,
    fallback: agent.fallback ?? [],
    cache: agent.cache ? { inputs: agent.cache.inputs ?? [], recorded: start?.recorded?.run ?? null } : null,
    continues: continues ?? null,
    attachments: (start?.attachments ?? []).map(({ blob: _, run: __, ...attachment }) => attachment),
    dedupe: options.dedupe ?? null,
  }
}

function foreseenTrust(
  entry: RegistryEntry,
  { workspace, standing }: ProjectRuns,
  trust: "all" | "kept",
): DryRunTrust {
  const { root, claims } = standing
  const isConfigured = claims.some(({ file }) => workspace.configuration.files.includes(file))
  const isFollowed = trust === "all" || isConfigurationTrusted(workspace, standing)
  return {
    root,
    given: trust,
    agent: getEntryTrust(entry, standing) ?? null,
    configuration: isConfigured ? (isFollowed ? "followed" : "untrusted") : "none",
    untrusted:
      trust === "all"
        ? []
        : claims.filter((claim) => standing.of(claim) !== "trusted").map(({ file }) => file),
  }
}
