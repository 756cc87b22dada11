import { isConfigurationTrusted } from "../../../definitions/authority/standing.ts"
import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import type { Entry } from "../../../definitions/registry/entry.ts"
import type { Attachment, Json } from "../../../ground/message.ts"
import type { DryRun } from "../../../run/explain/dry-run.ts"
import type { RuleSet } from "../../../run/log/event-rights.ts"
import { lookForSandbox } from "../../../world/sandbox/find-sandbox.ts"
import type { Surroundings } from "../command.ts"
import type { ExitCode } from "../exit-code.ts"
import { aroundOf } from "../explain/around.ts"
import { type Around, type Located, located } from "../explain/located.ts"
import { type LocatedHook, locatedHooks } from "../explain/located-hooks.ts"
import type { From } from "../explain/places.ts"
import { type EntryTrust, entryTrust } from "../trust/entry-trust.ts"
import { brokenNote } from "./broken.ts"
import type { ForeseenProblem, Found, Wanted } from "./foresee.ts"
import { type ForeseenExecutor, foreseenExecutor } from "./foreseen-executor.ts"
import type { Opened } from "./open.ts"
import { unfollowedNotes } from "./unfollowed-settings.ts"
import { untrustedNote } from "./untrusted-note.ts"

/** What would come of a command line, as `cadre run --dry-run --json` prints it. */
export interface Foreseen {
  readonly dryRun: true
  readonly starts: boolean
  /** What the run would end with where it would not start. */
  readonly exitCode: ExitCode
  readonly problems: readonly ForeseenProblem[]
  readonly warnings: readonly string[]
  readonly task: string | null
  readonly parents: readonly string[]
  /** Null, and nothing after it, where it is not clear which one is meant. */
  readonly agent: ForeseenAgent | null
  readonly run?: ForeseenRun
}

export interface ForeseenAgent {
  readonly name: string
  readonly format: string
  readonly scope: string
  /** Null: it is written in code. */
  readonly file: string | null
  readonly hash: string | null
  /** Why this one, where the router chose it. */
  readonly reason: string | null
  /** All others of that name. */
  readonly others: readonly { readonly file: string | null; readonly scope: string; readonly state: string }[]
}

export interface ForeseenRun extends Located {
  readonly depth: number
  readonly hooks: readonly LocatedHook[]
  readonly rights: Setting<Configuration["mode"], "mode"> & { readonly sets: readonly RuleSet[] }
  /** `problem`: why there is none. Whether it works is found out when it is first used. */
  readonly sandbox: Setting<Configuration["sandbox"], "choice"> & { readonly problem: string | null }
  /** Null: a model drives it. */
  readonly executor: ForeseenExecutor | null
  readonly trust: ForeseenTrust
  readonly place: {
    readonly cwd: string
    /** A worktree of its own, which would be made. */
    readonly worktree: { readonly from: string; readonly branch: string; readonly base: string } | null
  }
  readonly workflow: Json
  readonly fallback: readonly string[]
  /** `recorded`: the run whose result would be the answer. */
  readonly cache: { readonly inputs: readonly string[]; readonly recorded: string | null } | null
  readonly continues: string | null
  /** What the task is given with. */
  readonly attachments: readonly Omit<Attachment, "blob" | "run">[]
  readonly dedupe: string | null
}

type Setting<Value, Name extends string> = { readonly [name in Name]: Value } & { readonly from: From }

export interface ForeseenTrust {
  readonly root: string
  /** `all`: by --trust, for this once. */
  readonly given: "all" | "kept"
  /** Null: nobody needs to be asked about it. */
  readonly agent: EntryTrust | null
  readonly configuration: "followed" | "untrusted" | "none"
  /** Files of the project that are not followed, because nobody trusts them as they are. */
  readonly untrusted: readonly string[]
}

export function foreseenOf(
  runs: Opened,
  { agent, parents, task, reason, dry, problems }: Found,
  wanted: Wanted & { readonly code: ExitCode },
  surroundings: Surroundings,
): Foreseen {
  const { environment } = surroundings
  const { root } = runs.standing
  const executor = agent
    ? foreseenExecutor(agent, runs.configuration, wanted.driving, { environment, root })
    : null
  const head = {
    dryRun: true,
    starts: problems.length === 0,
    exitCode: wanted.code,
    problems,
    warnings: [
      ...brokenNote(runs.workspace, surroundings.directory, agent),
      ...unfollowedNotes(runs, surroundings),
      ...untrustedNote(runs, surroundings.directory, wanted.driving.trust),
      ...(dry?.start?.warnings ?? []),
      ...(dry?.start?.model.warnings ?? []),
      ...(dry?.unseen ?? []),
      ...(executor?.problem ? [`The run would fail: ${executor.problem}`] : []),
    ],
    task: task ?? null,
    parents: parents.map(({ name }) => name),
  } as const
  if (!agent || !dry) return { ...head, agent: null }
  const around = aroundOf(
    agent,
    parents.at(-1),
    runs,
    { ...surroundings, directory: wanted.options.cwd },
    wanted.driving.trust,
  )
  return {
    ...head,
    agent: foreseenAgent(around.entry, runs, reason),
    run: { ...foreseenRun(dry, around, runs, wanted), executor },
  }
}

function foreseenAgent(
  entry: Entry,
  { workspace: { registry } }: Opened,
  reason: string | undefined,
): ForeseenAgent {
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
  around: Around & { readonly entry: Entry },
  runs: Opened,
  { driving, options, continues }: Wanted,
): Omit<ForeseenRun, "executor"> {
  const { agent, entry, setting } = around
  const { start } = dry
  const { configuration } = runs
  const fromOf = (said: unknown, key: string): From =>
    said === undefined ? (setting(key).holds?.from ?? { type: "default" }) : { type: "call" }
  const found = lookForSandbox()
  const worktree = start?.isolation
  return {
    depth: dry.depth,
    ...located(dry, around),
    hooks: locatedHooks(dry.hooks, entry),
    rights: {
      mode: driving.mode ?? configuration.mode,
      from: fromOf(driving.mode, "mode"),
      sets: dry.rights,
    },
    sandbox: {
      choice: driving.sandbox ?? configuration.sandbox,
      from: fromOf(driving.sandbox, "sandbox"),
      problem: "problem" in found ? found.problem : null,
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

function foreseenTrust(entry: Entry, { workspace, standing }: Opened, given: "all" | "kept"): ForeseenTrust {
  const { root, claims } = standing
  const isConfigured = claims.some(({ file }) => workspace.configuration.files.includes(file))
  const isFollowed = given === "all" || isConfigurationTrusted(workspace, standing)
  return {
    root,
    given,
    agent: entryTrust(entry, standing) ?? null,
    configuration: isConfigured ? (isFollowed ? "followed" : "untrusted") : "none",
    untrusted:
      given === "all"
        ? []
        : claims.filter((claim) => standing.of(claim) !== "trusted").map(({ file }) => file),
  }
}
