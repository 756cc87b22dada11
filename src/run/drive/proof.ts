import type { ModelChoice } from "../../agent/agent.ts"
import type { IsolationReport } from "../../agent/isolation.ts"
import type { ToolQuestion } from "../../agent/question.ts"
import type { RunLimits } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import { addAll } from "../decide/apply-model.ts"
import { isResting } from "../decide/resting.ts"
import type { AgentAttempt, Objection, RunStep } from "../log/event.ts"
import type { ModelWait } from "../log/event-model.ts"
import type { OutcomeFault, RunOutcome, UsageByModel } from "../log/event-outcome.ts"
import type { DecisionCause, Lack } from "../log/event-rights.ts"
import type { PostconditionResult, RunStart } from "../log/event-run.ts"
import { addUnsettled, type Unsettled } from "../log/unsettled.ts"
import type { RunState } from "../state/state.ts"
import { writeLackNote } from "../words/lack-text.ts"
import { writeLostNote } from "../words/lost-text.ts"
import { openObjectionText } from "../words/prompt.ts"

/** The result of a run, and what the runtime itself saw of it. */
export interface RunResult<Value = Json> {
  /** The id of the run. After a fallback, this is the run of the last agent. */
  readonly run: string
  /** The name of the agent of that run. */
  readonly agent: string
  /** The ended run whose history this one continues. */
  readonly continues?: string
  /** No model was called: the output is the recorded result of that run. */
  readonly cached?: { readonly run: string }
  /** The failed run whose task this one got. `tried` lists all such runs, and the agents that could not begin. */
  readonly fallbackOf?: string
  /** The agents that had the task before, each with the reason of its failure. Absent: there are none. */
  readonly tried?: readonly AgentAttempt[]
  /** `resting`: it waits for the `approvals` of a person. `open`: no process drives it now. */
  readonly status: "ended" | "resting" | "open"
  /** The way the run ended. Absent: it has not ended. */
  readonly outcome?: RunOutcome
  /** The failure as the host of the agent's format reports it. Absent: it completed, or the format has no codes. */
  readonly fault?: RunFault
  /** The final text. For a run that did not complete, its last text so far. */
  readonly output: string
  /** The value that was submitted with `submit_result`. */
  readonly value?: Value
  /** The results of the last check of the postconditions. Absent if they were not checked. */
  readonly postconditions?: readonly PostconditionResult[]
  /** The objection that a hook at `stop` still had when the run ended. */
  readonly objection?: Objection
  /** The calls that wait for a person, in this run and in all runs below it. Empty: none. */
  readonly approvals: readonly PendingApproval[]
  /** The model could not be called, and is called again later. */
  readonly waits?: ModelWait
  /** The changes that the run left in its git worktree. Present once the worktree is closed. */
  readonly isolation?: IsolationReport
  /** The facts that the runtime recorded: model, tools, calls, files, usage and more. */
  readonly proof: RunProof
}

/** A failure with its code, such as `AGENT_004`, and the work that it befell. */
export interface RunFault extends OutcomeFault {
  /** The agent whose work failed. */
  readonly operation: string
  /** The id of the code node that the run worked on. Absent: it worked on none. */
  readonly node?: string
}

/** An open question to a person. `run` may be a run below the one whose result this is. */
export interface PendingApproval {
  /** The id of the run that asks. Pass it to `Runtime.approve`. */
  readonly run: string
  /** The id of the call. Pass it to `Runtime.approve`. */
  readonly call: string
  /** The name of the tool that would run. */
  readonly tool: string
  /** The arguments of the call as JSON text. */
  readonly arguments: string
  /** The call has begun, and a program asks this. Pass the answer to `Runtime.answer`. */
  readonly question?: Omit<ToolQuestion, "state"> & { readonly number: number }
  /** The runs from the root down to the run that asks, each with its task. */
  readonly way: readonly RunOnPath[]
}

/** A run, and the task that it was given. */
export interface RunOnPath {
  readonly run: string
  readonly agent: string
  readonly task: string
  /** Tools that it has and its caller does not. */
  readonly gains?: readonly string[]
}

/** The facts about a run that the runtime recorded itself, in contrast to the claims of a model. */
export interface RunProof {
  /** `hash`: of the file. `pinned`: of the definition and the tools that the run has. */
  readonly definition: {
    readonly name: string
    readonly pinned: string
    readonly file?: string
    readonly hash?: string
  }
  /** The requested model, the one that was called, and the names that the provider reported. */
  readonly model: {
    /** The model as it was written; null where no source names one. */
    readonly requested: ModelChoice
    /** The source that chose the model. */
    readonly source: "call" | "definition" | "parent" | "default"
    /** The model that the request was resolved to. For a list, the last one that was called. */
    readonly resolved: string
    readonly reported: readonly string[]
  }
  /** The ways in which the run differed from what was asked for. */
  readonly warnings: readonly string[]
  /** Names of the tools that the model was offered. */
  readonly toolsOffered: readonly string[]
  /** The tools that its definition lists and that it did not have. Absent if it had them all. */
  readonly lacks?: readonly Lack[]
  /** Calls that were denied, with the reason that the model read. `by`: the rule or other cause that denied it. */
  readonly denied: readonly {
    readonly call: string
    readonly tool: string
    readonly reason: string
    readonly by?: DecisionCause
  }[]
  /** Calls by tool, written files, commands with exit codes, and calls whose outcome is unknown. */
  readonly evidence: {
    readonly calls: { readonly [tool: string]: number }
    readonly files: readonly { readonly path: string; readonly hash: string }[]
    readonly commands: readonly { readonly command: string; readonly exitCode: number }[]
    readonly unknown: readonly { readonly call: string; readonly tool: string }[]
  }
  /** Tokens and cost by model. `own`: of this run alone. `inclusive`: with all runs below it. */
  readonly usage: {
    readonly own: UsageByModel
    readonly inclusive: UsageByModel
    /** Requests of this run and of runs below it whose process died. They may have been billed, at most for this much. */
    readonly unsettled: Unsettled
  }
  /** The number of turns so far. */
  readonly turns: number
  /** The step of its workflow that the run reached. `complete`: the workflow was finished. Absent without a workflow. */
  readonly workflow?: {
    readonly name: string
    readonly version?: string
    readonly step: string
    readonly status: "complete" | "unfinished"
  }
  /** The agents that the run activated, in this order. Absent if there are none. */
  readonly activated?: readonly string[]
  /** Milliseconds of work so far. Time at rest, and time without a process, does not count. */
  readonly activeMs: number
  /** The effective limits of the run, defaults included. */
  readonly limits: RunLimits
  /** Messages that came too late to reach the model. */
  readonly undelivered: readonly { readonly from: string; readonly text: string }[]
  /** The changes to its agent and tools between its start and its resumes. */
  readonly differences: readonly string[]
}

export function buildRunResult(state: RunState, approvals: readonly PendingApproval[]): RunResult {
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
    ...(end && { outcome: end.outcome, ...faultOf(start, end.outcome) }),
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
        resolved: state.requestedModel ?? start.model.resolved,
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
        inclusive: sumUsage(state),
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

function faultOf({ agent, node }: RunStart, outcome: RunOutcome): Pick<RunResult, "fault"> {
  const fault = "fault" in outcome ? outcome.fault : undefined
  return fault ? { fault: { ...fault, operation: agent, ...(node && { node: node.id }) } } : {}
}

const placeOf = ({ workflow, version, name, complete }: RunStep): NonNullable<RunProof["workflow"]> => ({
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
  // The warnings already name absent tools.
  const lacks = (start!.lacks ?? []).filter(({ by }) => by.type !== "absent")
  return [
    ...(end && moments?.objection ? [openObjectionText(moments.objection)] : []),
    ...(lost ? [writeLostNote(lost)] : []),
    ...(start!.model.warnings ?? []),
    ...(start!.warnings ?? []),
    ...(lacks.length > 0 ? [writeLackNote(start!.agent, lacks)] : []),
    ...lacksBelow.map(({ agent, lacks }) => writeLackNote(agent, lacks)),
    ...warnings,
    ...fallbacks.map(
      ({ from, reason }) => `${from} failed, so the next model of the list was asked: ${reason}`,
    ),
    ...mismatches.map(
      ({ asked, reported }) => `The provider was asked for ${asked} and reports that it ran ${reported}.`,
    ),
  ]
}

export const sumUsage = (state: RunState): UsageByModel => addAll(state.usage, state.usageBelow)

export const listOpenApprovals = (state: RunState): readonly Omit<PendingApproval, "way">[] =>
  [...state.calls]
    .filter((call) => call.status === "asking")
    .map(({ id, tool, arguments: text, programQuestion, questions = 1 }) => ({
      run: state.run,
      call: id,
      tool,
      arguments: text,
      ...(programQuestion && { question: { ...withoutState(programQuestion), number: questions } }),
    }))

const withoutState = ({ state: _, ...question }: ToolQuestion): Omit<ToolQuestion, "state"> => question
