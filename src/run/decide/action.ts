import type { ModelError } from "../../agent/model.ts"
import type { Json } from "../../ground/message.ts"
import type { CallResult, HookSpawn } from "../log/event.ts"
import type { Outcome } from "../log/event-outcome.ts"
import type { RunEnd, RunStop } from "../log/event-run.ts"
import type { Happening } from "../ports/hooked-moment.ts"
import type { OpenMoment } from "../state/moment-state.ts"
import type { OpenCall } from "../state/open-call.ts"

/** What the driver is to do now. It performs every action, then asks again after each recorded event. */
export type Action =
  | {
      readonly type: "call-model"
      readonly turn: number
      readonly attempt: number
      readonly closing: boolean
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
      readonly happening: Happening
    }
  /** What a hook wants at a moment is handed to another agent; or why it is not. */
  | {
      readonly type: "spawn-at"
      readonly open: OpenMoment
      readonly spawn: HookSpawn
      readonly refused?: string
    }
  | { readonly type: "ask-approval"; readonly call: OpenCall }
  | { readonly type: "start-call"; readonly call: OpenCall }
  | { readonly type: "end-call"; readonly call: OpenCall; readonly result: CallResult }
  /** The same, when hooks have seen the result. */
  | { readonly type: "show-result"; readonly call: OpenCall; readonly result: CallResult }
  | { readonly type: "add-message"; readonly key: string; readonly text: string }
  /** `lost`: the hook whose command was at work on such a look when the process died. */
  | { readonly type: "check"; readonly output: string; readonly value?: Json; readonly lost?: string }
  | { readonly type: "stop"; readonly outcome: Outcome; readonly left?: RunStop["left"] }
  /** Nothing new may start: tell what is in flight to stop. */
  | { readonly type: "abort" }
  | { readonly type: "cancel-children"; readonly reason: string }
  /** The task of a child that failed goes to the next agent. */
  | { readonly type: "fall-back"; readonly child: string }
  | { readonly type: "open-resource" }
  | { readonly type: "close-resource" }
  | ({ readonly type: "end" } & Omit<RunEnd, "type">)
  | { readonly type: "done" }
  /** For an effect, a child or a clock. */
  | { readonly type: "wait"; readonly until?: number }
  /** For a person. */
  | { readonly type: "rest"; readonly until?: number }
