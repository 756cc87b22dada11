import type { AgentOrigin, ModelChoice } from "../../agent/agent.ts"
import type { CommandConfinement } from "../../agent/confinement.ts"
import type { FolderMove, Worktree } from "../../agent/isolation.ts"
import type { ModelUse } from "../../agent/model.ts"
import type { Postcondition } from "../../agent/postcondition.ts"
import type { RunNode } from "../../agent/run-node.ts"
import type { ToolEvidence } from "../../agent/tool.ts"
import type { RunLimits } from "../../ground/limits.ts"
import type { Attachment, Json } from "../../ground/message.ts"
import type { AgentAttempt } from "./event-children.ts"
import type { MomentHooks } from "./event-hooks.ts"
import type { RunOutcome } from "./event-outcome.ts"
import type { Lack, RuleSet } from "./event-rights.ts"

export interface RunStart {
  readonly type: "run-start"
  /** `agent`: a model drives the run. Any other kind: a planner does. */
  readonly kind: string
  readonly agent: string
  /** The hash of the resolved definition and tool schemas, which are kept as a blob. */
  readonly definition: string
  readonly task: string
  /** The first user message, where it differs from the task. */
  readonly opening?: string
  /** Pictures and PDFs that came with the task: their bytes are blobs, as base64. */
  readonly attachments?: readonly Attachment[]
  readonly depth: number
  readonly limits: RunLimits & {
    readonly maxTurns: number
    readonly maxToolCalls: number
    readonly maxDepth: number
  }
  /**
   * Set where only the format of the definition sets the `timeout`. That `timeout` then counts the run's own
   * work and not its waiting for children. Children are bound by this timeout instead, which comes from above
   * or from the configuration.
   */
  readonly within?: number
  /** The run's own rules first, then every ancestor's. The strictest decision wins. */
  readonly rights: readonly RuleSet[]
  readonly tools: readonly string[]
  /**
   * `own`: runs below have the tools of their own definitions. `narrow`, or absent: they have only tools that
   * their callers have or may hand on.
   */
  readonly delegation?: "own" | "narrow"
  /**
   * For a root: every tool that a run of its tree may have. In a narrow tree it is there only if the call named tools,
   * and bounds the scripts that definitions bring.
   */
  readonly ceiling?: readonly string[]
  /** Tools that the definition lists and the run does not have, each with the cause. */
  readonly lacks?: readonly Lack[]
  /** Tools that the run has but is not offered, because there are no runs for them to work on. */
  readonly withheld?: readonly string[]
  /** Tools that the run is not offered and may give to its children. */
  readonly delegates?: readonly string[]
  /** For a run of a program: the tools that it may have at most, where a run above took some away. */
  readonly handable?: readonly string[]
  /** For a run of a program: the tools that the program gets. `*`: all that it has. */
  readonly programTools?: readonly string[]
  /** Hooks that judge every call before the rules do. */
  readonly hooks?: readonly string[]
  /** Hooks that are asked at moments of the run. */
  readonly moments?: MomentHooks
  /** Hooks that spawned this run or a run above it. They judge no call of this run. */
  readonly spawnedBy?: readonly string[]
  /** The agents of the runs above, from the root down; recorded where hooks need them. */
  readonly above?: readonly string[]
  /** The number of postconditions that decide whether the run completed. The definition has them. */
  readonly postconditions?: number
  /** The file that the agent was read from. */
  readonly origin?: Pick<AgentOrigin, "format" | "scope" | "file" | "hash">
  readonly model: StartModel
  /** Parts that the run will have to do without, and changes since the run that it continues. */
  readonly warnings?: readonly string[]
  /**
   * A limit on tokens, cost or output applies here or above, so every reply is bounded by its reservation.
   */
  readonly metered?: true
  readonly variables: { readonly [name: string]: Json }
  /** The code node that the run works on. Its text is among the variables. */
  readonly node?: RunNode
  readonly cwd: string
  /** The confinement of the commands of this run and of all runs below. */
  readonly confinement?: CommandConfinement
  /** The worktree that the run needs. */
  readonly isolation?: Worktree
  /**
   * The worktrees of the ancestors and of the run itself, the outermost first. The run works in the last one.
   */
  readonly moved?: readonly FolderMove[]
  /** The call of the parent that this run answers. */
  readonly caller?: { readonly run: string; readonly call: string }
  /** The time at which the parent run was resumed. Both runs wait for their provider until the same time. */
  readonly resumedAt?: number
  /** The ended run whose history this run continues. */
  readonly continues?: string
  /** The run that failed at this task before. */
  readonly fallbackOf?: string
  /**
   * For a root: the agents that get its task if it fails, those that had it before, and the caller's options.
   */
  readonly fallback?: {
    readonly next: readonly string[]
    readonly tried?: readonly AgentAttempt[]
    readonly limits?: RunLimits
    readonly tools?: readonly string[]
    readonly variables?: { readonly [name: string]: Json }
  }
  /**
   * The key under which the result is recorded, and the digest of its inputs. `skip`: neither this run nor
   * any run below reuses results.
   */
  readonly cache?: { readonly key: string; readonly inputs: string } | "skip"
  /** The result of an earlier run that answers this run. */
  readonly recorded?: { readonly run: string; readonly output: string; readonly value?: Json }
  /** While this run is active, no other run of its agent with the same key starts. */
  readonly dedupe?: string
  /** The run whose history this run starts from, as it was before the reply of that turn. */
  readonly forks?: { readonly run: string; readonly turn: number }
}

/** The model that a run asks, and the reason for that choice. */
export interface StartModel {
  /** The model as it was written; null where no source names one. */
  readonly requested: ModelChoice
  readonly source: "call" | "definition" | "parent" | "default"
  /** The models in the order they are tried. A resume opens the same ones. */
  readonly uses: readonly ModelUse[]
  /** The id of the first model. */
  readonly resolved: string
  /** The run fails if the provider reports another model than the one it was asked for. */
  readonly strict?: true
  /** Differences from the model that was asked for. */
  readonly warnings?: readonly string[]
}

/**
 * A process resumed the run. The rights, hooks and sandbox of its configuration bind the run from here on,
 * too.
 */
export interface RunResume {
  readonly type: "run-resume"
  readonly differences?: readonly string[]
  readonly rights?: RuleSet
  readonly hooks?: readonly string[]
  readonly moments?: MomentHooks
  /** A stricter confinement than before. */
  readonly confinement?: CommandConfinement
}

export interface MessageAdd {
  readonly type: "message-add"
  readonly key: string
  readonly from: string
  readonly text: string
  /** The open question of this run that the message answers. */
  readonly answers?: string
}

/** The results of checking the postconditions after this turn. */
export interface CheckEnd {
  readonly type: "check-end"
  readonly turn: number
  readonly results: readonly PostconditionResult[]
}

/** The result of checking one postcondition. */
export interface PostconditionResult {
  /** The condition as the definition has it. */
  readonly condition: Postcondition
  /** True: the condition is met. */
  readonly holds: boolean
  /** The reason why the condition does not hold. */
  readonly problem?: string
  /** The rules of the run forbid the check. */
  readonly refused?: true
  /** Files and commands that the check saw. Absent: there are none. */
  readonly evidence?: ToolEvidence
}

/**
 * The owner lets go of the run. Its work in flight was stopped, and the run stays open: a process can resume it. A request
 * in flight is lost, as in a crash, but this does not count as a death of the process.
 */
export interface RunRelease {
  readonly type: "run-release"
  /** Such as a signal. */
  readonly reason: string
}

/** From here on nothing new starts. The run ends with this outcome when everything in flight has settled. */
export interface RunStop {
  readonly type: "run-stop"
  readonly outcome: RunOutcome
  /** The result that the run ends with. Absent: the run takes its last output when it ends. */
  readonly left?: Pick<RunEnd, "output" | "value">
}

export interface RunEnd {
  readonly type: "run-end"
  readonly outcome: RunOutcome
  readonly output: string
  readonly value?: Json
  /** The run asked no model: this is the recorded result of that run. */
  readonly cached?: { readonly run: string }
}

/** Takes the place of an event that a repair of the log could not read. Its type and content are lost. */
export interface EventLost {
  readonly type: "event-lost"
  readonly reason: string
  /** Everything from here on may be lost, and the amount is unknown. */
  readonly rest?: true
}

/** The log of the tree was damaged and has been repaired. The root records this, even after its end. */
export interface LogRepair {
  readonly type: "log-repair"
  /** Lines that were fully restored. */
  readonly restored: number
  /** The number of `event-lost` events in the tree since the repair. */
  readonly lost: number
  readonly reasons: readonly string[]
  /** The file beside the log with the damaged original. */
  readonly kept: string
}
