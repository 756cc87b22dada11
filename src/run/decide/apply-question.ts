import type { QuestionAnswer, ToolQuestion } from "../../agent/question.ts"
import type { OpenCall } from "../state/open-call.ts"
import { setCall } from "../state/set-call.ts"
import type { RunState } from "../state/state.ts"

/** A call waits for a person: it needs approval, or its program asks something. */
export const startApproval = (
  state: RunState,
  {
    call,
    expires,
    question,
    number = 1,
  }: {
    readonly call: string
    readonly expires?: number
    readonly question?: ToolQuestion
    readonly number?: number
  },
): RunState =>
  setCall(state, call, {
    status: "asking",
    ...(expires !== undefined && { expires }),
    ...(question && {
      programQuestion: question,
      answered: undefined,
      questions: number,
      // The call goes on with the last thing that its program asked for.
      sampling: undefined,
    }),
  })

interface ApprovalEnd {
  readonly call: string
  readonly decision: "allow" | "deny"
  readonly note?: string
  readonly answer?: QuestionAnswer
}

/** An answered call goes on, whatever the answer: its program has to hear it. */
export const endApproval = (state: RunState, event: ApprovalEnd): RunState =>
  setCall(state, event.call, outcomeOf(event), "asking")

function outcomeOf({ decision, note, answer }: ApprovalEnd): Partial<OpenCall> {
  if (answer) return { status: "approved", answered: answer }
  return decision === "allow"
    ? { status: "approved", ...(note !== undefined && { reason: note }) }
    : { status: "refused", reason: note ?? "A person denied this call." }
}
