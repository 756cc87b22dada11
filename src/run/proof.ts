import type { Limits } from "../limits.ts"
import type { Json } from "../message.ts"
import { addUsage } from "./apply.ts"
import type { Outcome, UsageByModel } from "./event.ts"
import { isResting, type RunState } from "./state.ts"

/** What a run came to, and what the runtime itself saw on the way there. */
export interface RunResult {
  readonly run: string
  readonly agent: string
  /** `resting`: it waits for a person; `approvals` says for what. `open`: nobody drives it now. */
  readonly status: "ended" | "resting" | "open"
  readonly outcome?: Outcome
  /** The final text; of a run that did not complete, what it had said so far. */
  readonly output: string
  /** What was handed in with `submit_result`. */
  readonly value?: Json
  readonly approvals: readonly Approval[]
  readonly proof: Proof
}

/** An open question to a person. `run` may be a run below the one asked for. */
export interface Approval {
  readonly run: string
  readonly call: string
  readonly tool: string
  readonly arguments: string
}

export interface Proof {
  readonly definition: { readonly name: string; readonly hash: string; readonly file?: string }
  readonly model: {
    readonly requested: string | null
    readonly resolved: string
    readonly reported: readonly string[]
  }
  readonly toolsOffered: readonly string[]
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
    /** Requests whose process died: they may have been billed, at most this much. */
    readonly unsettled: { readonly calls: number; readonly tokens: number; readonly cost: number }
  }
  readonly turns: number
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
    status: end ? "ended" : isResting(state) ? "resting" : "open",
    ...(end && { outcome: end.outcome }),
    output: end?.output ?? state.lastText,
    ...(end && "value" in end && { value: end.value }),
    approvals,
    proof: {
      definition: { name: start.agent, hash: start.definition },
      model: { requested: start.model.requested, resolved: start.model.resolved, reported: state.reported },
      toolsOffered: start.tools,
      denied: [...evidence.denied],
      evidence: {
        calls: evidence.calls,
        files: [...evidence.files],
        commands: [...evidence.commands],
        unknown: [...evidence.unknown],
      },
      usage: { own: state.usage, inclusive: inclusiveUsage(state), unsettled: state.unsettled },
      turns: state.turn,
      activeMs: Math.round(state.active),
      limits: start.limits,
      undelivered: state.inbox.map(({ from, text }) => ({ from, text })),
      differences: state.differences,
    },
  }
}

export function inclusiveUsage(state: RunState): UsageByModel {
  let total = state.usage
  for (const [model, usage] of Object.entries(state.usageBelow)) total = addUsage(total, model, usage)
  return total
}

export const openApprovals = (state: RunState): readonly Approval[] =>
  [...state.calls]
    .filter((call) => call.status === "asking")
    .map(({ id, tool, arguments: text }) => ({ run: state.run, call: id, tool, arguments: text }))
