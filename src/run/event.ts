import type { Decision, ModelChoice, Origin, Rule } from "../agent/agent.ts"
import type { Confinement } from "../agent/confinement.ts"
import type { IsolationReport, Moved, Worktree } from "../agent/isolation.ts"
import type { ModelUse } from "../agent/model.ts"
import type { Postcondition } from "../agent/postcondition.ts"
import type { Evidence } from "../agent/tool.ts"
import type { Limits } from "../ground/limits.ts"
import type { Attachment, Json, Usage } from "../ground/message.ts"
import type { ChildAsk, ChildEnd, ChildStart, FallbackEnd, Tried } from "./event-children.ts"
import type { HookEnd, HookStart, MomentEnd, MomentHooks } from "./event-hooks.ts"
import type {
  CompactionEnd,
  CompactionStart,
  ModelEnd,
  ModelFallback,
  ModelRetry,
  ModelStart,
} from "./event-model.ts"
import type { PlanEnd } from "./event-plan.ts"
import type { ToolEnd, ToolStart } from "./event-tools.ts"
import type { Charge } from "./store.ts"

export type { Activation } from "./event-activation.ts"
export type { ChildAsk, ChildEnd, ChildStart, FallbackEnd, Tried } from "./event-children.ts"
export type {
  HookEnd,
  HookSpawn,
  HookStart,
  MomentEnd,
  MomentHooks,
  MomentName,
  Objection,
  RunStep,
  Verdict,
} from "./event-hooks.ts"
export type {
  CompactionEnd,
  CompactionStart,
  ModelEnd,
  ModelFallback,
  ModelRetry,
  ModelStart,
  Unseen,
} from "./event-model.ts"
export type { PlanEnd, PlannedEnd } from "./event-plan.ts"
export type { AskedCall, CallResult, ToolEnd, ToolStart, Waiting } from "./event-tools.ts"

/** The version written. `upcast` turns older events into this one's shape. */
export const eventVersion = 2

/** What a run is made of. The log of these is the run; everything else is derived from it. */
export type RunEvent = Stamp & Fact

/** Added by the recorder. */
export interface Stamp {
  readonly run: string
  readonly seq: number
  readonly at: number
  readonly v: number
  readonly charge?: Charge
  readonly settle?: Charge
  readonly allowance?: Charge
}

export type Fact =
  | RunStart
  | RunResume
  | ModelStart
  | ModelRetry
  | ModelFallback
  | ModelEnd
  | CompactionStart
  | CompactionEnd
  | PlanEnd
  | HookStart
  | HookEnd
  | MomentEnd
  | { readonly type: "approval-start"; readonly call: string; readonly expires?: number }
  | {
      readonly type: "approval-end"
      readonly call: string
      readonly key: string
      readonly decision: "allow" | "deny"
      readonly note?: string
    }
  | ToolStart
  | ToolEnd
  | ChildStart
  | { readonly type: "child-rest"; readonly child: string; readonly key: string }
  | { readonly type: "child-wake"; readonly child: string; readonly key: string }
  | ChildAsk
  | ChildEnd
  | FallbackEnd
  /** The worktree of `run-start` is there. */
  | { readonly type: "resource-open"; readonly resource: Worktree }
  /** The run has left it; it is gone where it held nothing. */
  | { readonly type: "resource-close"; readonly report: IsolationReport }
  | MessageAdd
  | { readonly type: "cancel-request"; readonly key: string; readonly reason: string }
  | RunStop
  /** The runtime begins to look at the postconditions, after this turn. */
  | { readonly type: "check-start"; readonly turn: number }
  | CheckEnd
  | RunEnd
  | EventLost
  | LogRepair

/** Rules of one run or of the configuration; `otherwise` decides where no rule matches. */
export interface RuleSet {
  readonly of: string
  /** The agent whose definition they stand in; absent for those of the configuration. */
  readonly agent?: string
  /** They bind the calls that this run's model asks for, and nobody else's: its list of tools says so in parentheses. */
  readonly own?: true
  /** It speaks of these tools alone. */
  readonly tools?: readonly string[]
  readonly rules: readonly Rule[]
  readonly otherwise: Decision
}

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

/** A tool that a run goes without though its definition asks for it. */
export interface Lack {
  readonly tool: string
  readonly by: LackReason
  /** Where that is written: file and line. */
  readonly at?: string
}

/** What the runs of an agent below went without. */
export interface LackBelow {
  readonly agent: string
  readonly lacks: readonly Lack[]
}

export type LackReason =
  /**
   * Rules above it deny the tool. `rule` is as it is written there; absent: everything is denied that no rule allows.
   * `asks`: they ask about it, and a program has nobody to ask.
   */
  | {
      readonly type: "rules"
      readonly of: string
      readonly agent?: string
      readonly rule?: string
      readonly asks?: true
    }
  /** Plan mode, of an agent above it or, without one, of the whole tree. */
  | { readonly type: "mode"; readonly mode: "plan"; readonly agent?: string }
  /** It is as deep as it may be, so that it calls nobody. `agent`: whose limit it is. */
  | { readonly type: "limit"; readonly limit: "maxDepth"; readonly value: number; readonly agent?: string }
  /** The tool starts programs of agents with an `executor`, and no model calls it. */
  | { readonly type: "unoffered" }
  /** The call that started the tree left it out. */
  | { readonly type: "call" }
  /** Its caller does not have it, and this run has no more than its caller. */
  | { readonly type: "caller"; readonly agent: string }
  /** The run that it continues did not have it, and had no more than its caller; or was `denied` it. */
  | { readonly type: "continued"; readonly run: string; readonly denied?: true }
  /** It is not to be had here. */
  | { readonly type: "absent"; readonly reason: string }
  /** Another host has it, and nothing here is like it. */
  | { readonly type: "foreign" }

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

export type LimitName = "turns" | "tool-calls" | "tokens" | "cost" | "output" | "spawns"
export type ClockName = "timeout" | "idleTimeout"

/** How a run ended: a closed set. */
export type Outcome =
  | { readonly type: "completed" }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "cancelled"; readonly reason: string }
  | { readonly type: "timed-out"; readonly clock: ClockName }
  /** `reason`: in the words of the tool whose file the agent is written in. */
  | { readonly type: "limit"; readonly limit: LimitName; readonly reason?: string }
  | { readonly type: "loop"; readonly reason: string }
  | { readonly type: "no-output" }
  | { readonly type: "denied"; readonly reason: string }
  | { readonly type: "uncertain"; readonly reason: string }

export type UsageByModel = { readonly [model: string]: Usage }

/** Seen while it happens, never stored. A new attempt voids the text of the one before. */
export interface TextDelta {
  readonly type: "text-delta"
  readonly run: string
  readonly turn: number
  readonly attempt: number
  readonly text: string
}

export type LiveEvent = RunEvent | TextDelta
