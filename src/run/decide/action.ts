import type { ModelError } from "../../agent/model.ts"
import type { Json } from "../../ground/message.ts"
import type { CallResult, HookSpawn } from "../log/event.ts"
import type { RunOutcome } from "../log/event-outcome.ts"
import type { RunEnd, RunStop } from "../log/event-run.ts"
import type { MomentFacts } from "../ports/hooked-moment.ts"
import type { OpenMoment } from "../state/moment-state.ts"
import type { OpenCall } from "../state/open-call.ts"

/** A thing for the driver to do. It performs all actions of a decision, and decides again after each recorded event. */
export type Action =
  | {
      readonly type: "call-model"
      readonly turn: number
      readonly attempt: number
      readonly closing: boolean
      /** The tools that are offered besides those of the start. */
      readonly loaded?: readonly string[]
    }
  /** Asks the planner of the run what is next. */
  | { readonly type: "plan" }
  | { readonly type: "compact"; readonly turn: number; readonly attempt: number; readonly error: ModelError }
  | { readonly type: "judge-hooks"; readonly call: OpenCall }
  /** The run has come to a moment at which hooks are asked. */
  | {
      readonly type: "ask-hooks"
      readonly id: string
      readonly turn: number
      readonly happening: MomentFacts
    }
  /** Starts the agent that a hook wants at a moment. `refused`: the reason that it may not start. */
  | {
      readonly type: "spawn-at"
      readonly open: OpenMoment
      readonly spawn: HookSpawn
      readonly refused?: string
    }
  | { readonly type: "ask-approval"; readonly call: OpenCall }
  | { readonly type: "start-call"; readonly call: OpenCall }
  /** Asks the model for the program of a call. `refused`: the program gets no reply, and this reason. */
  | { readonly type: "sample"; readonly call: OpenCall; readonly refused?: string }
  | { readonly type: "end-call"; readonly call: OpenCall; readonly result: CallResult }
  /** Shows the result to the hooks, then ends the call. */
  | { readonly type: "show-result"; readonly call: OpenCall; readonly result: CallResult }
  | { readonly type: "add-message"; readonly key: string; readonly text: string }
  /** `lost`: the hook whose command was running for such a check when the process died. */
  | { readonly type: "check"; readonly output: string; readonly value?: Json; readonly lost?: string }
  | { readonly type: "stop"; readonly outcome: RunOutcome; readonly left?: RunStop["left"] }
  /** Tells models and tools at work to stop. */
  | { readonly type: "abort" }
  | { readonly type: "cancel-children"; readonly reason: string }
  /** The task of a child that failed goes to the next agent. */
  | { readonly type: "fall-back"; readonly child: string }
  | { readonly type: "open-resource" }
  | { readonly type: "close-resource" }
  | ({ readonly type: "end" } & Omit<RunEnd, "type">)
  | { readonly type: "done" }
  /** Waits for an effect, a child or a clock. */
  | { readonly type: "wait"; readonly until?: number }
  /** Waits for a person. */
  | { readonly type: "rest"; readonly until?: number }
