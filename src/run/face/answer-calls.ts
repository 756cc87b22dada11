import type { QuestionAnswer } from "../../agent/question.ts"
import { CadreError } from "../../ground/errors.ts"
import { answerProblem, createNoApprovalError, describeAnswerProblem, isAnswer } from "../drive/letter.ts"
import { listOpenApprovals } from "../drive/proof.ts"
import type { LastingApproval } from "../log/event-rights.ts"
import type { LetterBody } from "../log/letter-body.ts"
import type { RunState } from "../state/state.ts"

interface KeyedLetter {
  readonly key: string
  readonly body: LetterBody
}

/** The letter that approves or denies a call. To a question it is a plain yes or no. */
export function writeApprovalLetter(
  state: RunState,
  call: string,
  decision: "allow" | "deny",
  { note, lasting }: { readonly note?: string | undefined; readonly lasting?: LastingApproval | undefined },
): KeyedLetter {
  if (openCall(state, call).question)
    return answerLetterOf(state, call, { action: decision === "allow" ? "accept" : "decline" })
  return {
    key: `${state.run}:approval:${call}:${decision}`,
    body: {
      type: "approval",
      call,
      decision,
      ...(note !== undefined && { note }),
      ...(lasting && { lasting }),
    },
  }
}

/** The letter that answers the question of a call. A call may ask several questions, and each has one answer. */
export function answerLetterOf(state: RunState, call: string, answer: QuestionAnswer): KeyedLetter {
  const { question } = openCall(state, call)
  if (!question) throw createNoApprovalError(state, call)
  const problem = isAnswer(answer) ? answerProblem(question, answer) : "it is no answer"
  if (problem !== undefined)
    throw new CadreError("ANSWER_INVALID", describeAnswerProblem(state.run, call, problem))
  return {
    key: `${state.run}:answer:${call}:${question.number}`,
    body: { type: "answer", call, answer },
  }
}

function openCall(state: RunState, call: string) {
  const open = listOpenApprovals(state).find((approval) => approval.call === call)
  if (!open) throw createNoApprovalError(state, call)
  return open
}
