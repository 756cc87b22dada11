import type { ModelChoice } from "../../agent/agent.ts"
import type { IsolationReport } from "../../agent/isolation.ts"
import type { Limits } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import { addAll } from "../decide/apply-model.ts"
import { isResting } from "../decide/resting.ts"
import type { Objection, RunStep, Tried } from "../log/event.ts"
import type { ModelWait } from "../log/event-model.ts"
import type { Outcome, UsageByModel } from "../log/event-outcome.ts"
import type { Lack } from "../log/event-rights.ts"
import type { PostconditionResult } from "../log/event-run.ts"
import { addUnsettled, type Unsettled } from "../log/unsettled.ts"
import type { RunState } from "../state/state.ts"
import { lackNote } from "../words/lack-text.ts"
import { lostNote } from "../words/lost-text.ts"
import { stillObjects } from "../words/prompt.ts"

/** What a run came to, and what the runtime itself saw on the way there. */
export interface RunResult<Value = Json> {
  readonly run: string
  readonly agent: string
  /** The ended run whose history this one goes on with. */
  readonly continues?: string
  /** Nothing was asked: the output is the recorded result of that run. */
  readonly cached?: { readonly run: string }
  /** The run that failed at its task, so that this one got it; `tried` has all of them, and those that could not begin. */
  readonly fallbackOf?: string
  readonly tried?: readonly Tried[]
  /** `resting`: it waits for a person; `approvals` says for what. `open`: nobody drives it now. */
  readonly status: "ended" | "resting" | "open"
  readonly outcome?: Outcome
  /** The final text; of a run that did not complete, what it had said so far. */
  readonly output: string
  /** What was handed in with `submit_result`. */
  readonly value?: Value
  /** What the runtime found when it last looked at the postconditions; absent where it has not. */
  readonly postconditions?: readonly PostconditionResult[]
  /** What a hook at `stop` still had against it when it ended all the same. */
  readonly objection?: Objection
  readonly approvals: readonly Approval[]
  /** Its model could not be asked, and is asked again later. */
  readonly waits?: ModelWait
  /** What it left in a git worktree of its own, once it has left that. */
  readonly isolation?: IsolationReport
  readonly proof: Proof
}

/** An open question to a person. `run` may be a run below the one asked for. */
export interface Approval {
  readonly run: string
  readonly call: string
  readonly tool: string
  readonly arguments: string
  /** How the task came down to the run that asks: every run above it and itself, the root first. */
  readonly way: readonly Handed[]
}

/** A run, and what it was asked to do. */
export interface Handed {
  readonly run: string
  readonly agent: string
  readonly task: string
  /** Tools that it has and its caller does not. */
  readonly gains?: readonly string[]
}

export interface Proof {
  /** `hash` is that of the file, `pinned` that of the definition with its tools as the run has it. */
  readonly definition: {
    readonly name: string
    readonly pinned: string
    readonly file?: string
    readonly hash?: string
  }
  readonly model: {
    /** As it was written; null where nobody said anything. */
    readonly requested: ModelChoice
    /** Who chose it. */
    readonly source: "call" | "definition" | "parent" | "default"
    /** What that came to; of a list, the one that was asked last. */
    readonly resolved: string
    readonly reported: readonly string[]
  }
  /** What is not as it was asked for. */
  readonly warnings: readonly string[]
  readonly toolsOffered: readonly string[]
  /** Tools that its definition lists and that it did not have. Absent where it had them all. */
  readonly lacks?: readonly Lack[]
  readonly denied: readonly { readonly call: string; readonly tool: string; readonly reason: string }[]
  readonly evidence: {
    readonly calls: { readonly [tool: string]: number }
    readonly files: readonly { readonly path: string; readonly hash: string }[]
    readonly commands: readonly { readonly command: string; readonly exitCode: number }[]
    readonly unknown: readonly { readonly call: string; readonly tool: string }[]
  }
  readonly usage: {
    readonly own: UsageByModel
    readonly inclusive: UsageByModel
    /** Requests of this run and of those below it whose process died: they may have been billed, at most this much. */
    readonly unsettled: Unsettled
  }
  readonly turns: number
  /** Where it was in its workflow at the end; `complete` where it came to the end of that, too. Absent without one. */
  readonly workflow?: {
    readonly name: string
    readonly version?: string
    readonly step: string
    readonly status: "complete" | "unfinished"
  }
  /** Agents that it has taken on, in this order. Absent where there are none. */
  readonly activated?: readonly string[]
  readonly activeMs: number
  readonly limits: Limits
  /** Messages that came too late to reach the model. */
  readonly undelivered: readonly { readonly from: string; readonly text: string }[]
  /** What had changed around the run when it was resumed. */
  readonly differences: readonly string[]
}

export function resultOf(state: RunState, approvals: readonly Approval[]): RunResult {
  const start = state.start!
  const { end, evidence } = state
  return {
    run: state.run,
    agent: start.agent,
    ...(start.continues !== undefined && { continues: start.continues }),
    ...(start.fallbackOf !== undefined && { fallbackOf: start.fallbackOf }),
    ...(start.fallback?.tried && { tried: start.fallback.tried }),
    ...(end?.cached && { cached: end.cached }),
    status: end ? "ended" : isResting(state) ? "resting" : "open",
    ...(end && { outcome: end.outcome }),
    output: end?.output ?? state.lastText,
    ...(end && "value" in end && { value: end.value }),
    ...(state.check && { postconditions: state.check.results }),
    ...(end && state.moments?.objection && { objection: state.moments.objection }),
    approvals,
    ...(!end && state.phase.type === "backoff" && { waits: state.phase.wait }),
    ...(state.resource?.status === "closed" && { isolation: state.resource.report }),
    proof: {
      definition: {
        name: start.agent,
        pinned: start.definition,
        ...(start.origin?.file !== undefined && { file: start.origin.file }),
        ...(start.origin?.hash !== undefined && { hash: start.origin.hash }),
      },
      model: {
        requested: start.model.requested,
        source: start.model.source,
        resolved: state.asked ?? start.model.resolved,
        reported: state.reported,
      },
      warnings: warningsOf(state),
      toolsOffered: start.tools.filter((name) => !start.withheld?.includes(name)),
      ...(start.lacks && { lacks: start.lacks }),
      denied: [...evidence.denied],
      evidence: {
        calls: evidence.calls,
        files: [...evidence.files],
        commands: [...evidence.commands],
        unknown: [...evidence.unknown],
      },
      usage: {
        own: state.usage,
        inclusive: inclusiveUsage(state),
        unsettled: addUnsettled(state.unsettled, state.unsettledBelow),
      },
      turns: state.turn,
      ...(state.step && { workflow: placeOf(state.step) }),
      ...(state.activated && { activated: state.activated.map(({ agent }) => agent) }),
      activeMs: Math.round(state.active),
      limits: start.limits,
      undelivered: state.inbox.filter(({ passive }) => !passive).map(({ from, text }) => ({ from, text })),
      differences: state.differences,
    },
  }
}

const placeOf = ({ workflow, version, name, complete }: RunStep): NonNullable<Proof["workflow"]> => ({
  name: workflow,
  ...(version !== undefined && { version }),
  step: name,
  status: complete ? "complete" : "unfinished",
})

function warningsOf({
  start,
  end,
  moments,
  fallbacks,
  mismatches,
  lacksBelow = [],
  warnings = [],
  lost,
}: RunState): readonly string[] {
  // What is absent is among its warnings already.
  const lacks = (start!.lacks ?? []).filter(({ by }) => by.type !== "absent")
  return [
    ...(end && moments?.objection ? [stillObjects(moments.objection)] : []),
    ...(lost ? [lostNote(lost)] : []),
    ...(start!.model.warnings ?? []),
    ...(start!.warnings ?? []),
    ...(lacks.length > 0 ? [lackNote(start!.agent, lacks)] : []),
    ...lacksBelow.map(({ agent, lacks }) => lackNote(agent, lacks)),
    ...warnings,
    ...fallbacks.map(
      ({ from, reason }) => `${from} failed, so the next model of the list was asked: ${reason}`,
    ),
    ...mismatches.map(
      ({ asked, reported }) => `The provider was asked for ${asked} and reports that it ran ${reported}.`,
    ),
  ]
}

export const inclusiveUsage = (state: RunState): UsageByModel => addAll(state.usage, state.usageBelow)

export const openApprovals = (state: RunState): readonly Omit<Approval, "way">[] =>
  [...state.calls]
    .filter((call) => call.status === "asking")
    .map(({ id, tool, arguments: text }) => ({ run: state.run, call: id, tool, arguments: text }))
