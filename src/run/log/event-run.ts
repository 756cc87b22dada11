import type { ModelChoice, Origin } from "../../agent/agent.ts"
import type { Confinement } from "../../agent/confinement.ts"
import type { Moved, Worktree } from "../../agent/isolation.ts"
import type { ModelUse } from "../../agent/model.ts"
import type { Postcondition } from "../../agent/postcondition.ts"
import type { Evidence } from "../../agent/tool.ts"
import type { Limits } from "../../ground/limits.ts"
import type { Attachment, Json } from "../../ground/message.ts"
import type { Tried } from "./event-children.ts"
import type { MomentHooks } from "./event-hooks.ts"
import type { Outcome } from "./event-outcome.ts"
import type { Lack, RuleSet } from "./event-rights.ts"

export interface RunStart {
  readonly type: "run-start"
  /** What drives it: `agent` is its model, of every other kind a planner. */
  readonly kind: string
  readonly agent: string
  /** Hash of the resolved definition and tool schemas, kept as a blob. */
  readonly definition: string
  readonly task: string
  /** The first user message where it is not the task itself. */
  readonly opening?: string
  /** Pictures and PDFs that came with the task: their bytes are blobs, as base64. */
  readonly attachments?: readonly Attachment[]
  readonly depth: number
  readonly limits: Limits & {
    readonly maxTurns: number
    readonly maxToolCalls: number
    readonly maxDepth: number
  }
  /**
   * Where only the format of its definition says its `timeout`: that is the time it may work itself, so that waiting for
   * children does not count, and they are bound by this one, which somebody above it or the configuration has.
   */
  readonly within?: number
  /** The run's own rules first, then every ancestor's. The strictest decision holds. */
  readonly rights: readonly RuleSet[]
  readonly tools: readonly string[]
  /** `own`: runs below have the tools of their own definitions. `narrow`, or absent: only what their callers have, or may hand on. */
  readonly delegation?: "own" | "narrow"
  /** Of a root: every tool that a run of its tree may have. */
  readonly ceiling?: readonly string[]
  /** Tools that its definition asks for and that it does not have, with who took them. */
  readonly lacks?: readonly Lack[]
  /** Those of them that it is not offered, because there are no runs for them to deal with. */
  readonly withheld?: readonly string[]
  /** Tools that it is not offered and may give to its children. */
  readonly delegates?: readonly string[]
  /** Of a run that a program does: the tools that it may have at most, where somebody above took some away. */
  readonly handable?: readonly string[]
  /** Of a run that a program does: the tools that the program is given. `*`: all that it has. */
  readonly programTools?: readonly string[]
  /** Hooks that judge every call before its rights do. */
  readonly hooks?: readonly string[]
  /** Hooks that are asked at moments of the run. */
  readonly moments?: MomentHooks
  /** Those that spawned it or a run above it: they judge no call of it. */
  readonly spawnedBy?: readonly string[]
  /** The agents of the runs above it, from the root down, where hooks have to know them. */
  readonly above?: readonly string[]
  /** How many postconditions decide whether it completed; they are in its definition. */
  readonly postconditions?: number
  /** The file that it was read from. */
  readonly origin?: Pick<Origin, "format" | "scope" | "file" | "hash">
  readonly model: StartModel
  /** What it will have to do without, and what has changed since the run that it continues. */
  readonly warnings?: readonly string[]
  /** A limit on tokens, cost or output is in force here or above: replies are bounded by what was reserved. */
  readonly metered?: true
  readonly variables: { readonly [name: string]: Json }
  readonly cwd: string
  /** How strictly its commands are kept apart, and those of everything below it. */
  readonly confinement?: Confinement
  /** The worktree that is to be made for it. */
  readonly isolation?: Worktree
  /** Its own worktree and those of its ancestors, the outermost first: it works in the last one. */
  readonly moved?: readonly Moved[]
  /** The call of the parent that this run answers. */
  readonly caller?: { readonly run: string; readonly call: string }
  /** When the run that it is started by was resumed: it waits for its provider until the same moment. */
  readonly resumedAt?: number
  /** The ended run whose history this one goes on with. */
  readonly continues?: string
  /** The run that failed at its task, so that this one has it. */
  readonly fallbackOf?: string
  /** Of a root: who gets its task if it fails, who had it before, and what the caller asked for. */
  readonly fallback?: {
    readonly next: readonly string[]
    readonly tried?: readonly Tried[]
    readonly limits?: Limits
    readonly tools?: readonly string[]
    readonly variables?: { readonly [name: string]: Json }
  }
  /** Where its result is recorded, and what its inputs held. `skip`: neither it nor anything below it reuses results. */
  readonly cache?: { readonly key: string; readonly inputs: string } | "skip"
  /** The result of an earlier run that answers this one. */
  readonly recorded?: { readonly run: string; readonly output: string; readonly value?: Json }
  /** While it has not ended, no other run of its agent starts that asks for the same key. */
  readonly dedupe?: string
  /** The run whose history this one starts from: as it was before the reply of that turn. */
  readonly forks?: { readonly run: string; readonly turn: number }
}

/** Which model a run asks, and why that one. */
export interface StartModel {
  /** As it was written; null where nobody said anything. */
  readonly requested: ModelChoice
  readonly source: "call" | "definition" | "parent" | "default"
  /** In the order they are tried; what a resume opens again. */
  readonly uses: readonly ModelUse[]
  /** The id of the first one. */
  readonly resolved: string
  /** A provider that reports another model than it was asked for fails the run. */
  readonly strict?: true
  /** What is not as it was asked for. */
  readonly warnings?: readonly string[]
}

/** A process took the run up again. Rights, hooks and sandbox of its configuration bind the run from here on, too. */
export interface RunResume {
  readonly type: "run-resume"
  readonly differences?: readonly string[]
  readonly rights?: RuleSet
  readonly hooks?: readonly string[]
  readonly moments?: MomentHooks
  /** Stricter than it was. */
  readonly confinement?: Confinement
}

export interface MessageAdd {
  readonly type: "message-add"
  readonly key: string
  readonly from: string
  readonly text: string
  /** The open question of this run that it answers. */
  readonly answers?: string
}

/** What the runtime found when it looked at the postconditions, after this turn. */
export interface CheckEnd {
  readonly type: "check-end"
  readonly turn: number
  readonly results: readonly PostconditionResult[]
}

/** What became of one postcondition. */
export interface PostconditionResult {
  readonly condition: Postcondition
  readonly holds: boolean
  /** Why it does not hold. */
  readonly problem?: string
  /** The rules of the run let nobody look. */
  readonly refused?: true
  readonly evidence?: Evidence
}

/** From here nothing new starts; the run ends with this outcome when everything in flight has settled. */
export interface RunStop {
  readonly type: "run-stop"
  readonly outcome: Outcome
  /** What it ends with, where it has come to its end; otherwise what there is then. */
  readonly left?: Pick<RunEnd, "output" | "value">
}

export interface RunEnd {
  readonly type: "run-end"
  readonly outcome: Outcome
  readonly output: string
  readonly value?: Json
  /** Nothing was asked: this is the recorded result of that run. */
  readonly cached?: { readonly run: string }
}

/** Stands where an event was that a repair of the log could not read. What it was, and what it told, nobody knows. */
export interface EventLost {
  readonly type: "event-lost"
  readonly reason: string
  /** Everything from here on may be lost, however much that was. */
  readonly rest?: true
}

/** The log of the tree was damaged and has been mended. Of the root, also after its end. */
export interface LogRepair {
  readonly type: "log-repair"
  /** Lines that could be put right, so that nothing of them is lost. */
  readonly restored: number
  /** How many `event-lost` there are in the tree since. */
  readonly lost: number
  readonly reasons: readonly string[]
  /** The file beside the log that has it as it was. */
  readonly kept: string
}
