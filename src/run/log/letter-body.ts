import type { QuestionAnswer } from "../../agent/question.ts"
import type { ChildAsk, ChildEnd } from "./event.ts"
import type { LastingApproval } from "./event-rights.ts"

/** Letters that a run's owner records as events. */
export type LetterBody =
  | { readonly type: "message"; readonly from: string; readonly text: string }
  | {
      readonly type: "approval"
      readonly call: string
      readonly decision: "allow" | "deny"
      readonly note?: string
      readonly lasting?: LastingApproval
    }
  | { readonly type: "answer"; readonly call: string; readonly answer: QuestionAnswer }
  | { readonly type: "cancel"; readonly reason: string }
  | { readonly type: "child-rest"; readonly child: string }
  | { readonly type: "child-wake"; readonly child: string }
  | ({ readonly type: "child-ask" } & Omit<ChildAsk, "type" | "key">)
  | ({ readonly type: "child-end" } & Omit<ChildEnd, "type" | "key" | "length">)
