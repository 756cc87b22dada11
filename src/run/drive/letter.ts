import type { IsolationReport } from "../../agent/isolation.ts"
import type { QuestionAnswer, ToolQuestion } from "../../agent/question.ts"
import { CadreError } from "../../ground/errors.ts"
import { defaultLimits } from "../../ground/limits.ts"
import { checkAnswer } from "../../ground/question-form.ts"
import type { Fact, Objection } from "../log/event.ts"
import type { LetterBody } from "../log/letter-body.ts"
import type { Letter } from "../log/store.ts"
import { isUnsettled } from "../log/unsettled.ts"
import { findCall } from "../state/set-call.ts"
import type { RunState } from "../state/state.ts"
import { isLackList } from "../words/lack-text.ts"
import { describeNoModel } from "../words/prompt.ts"
import { boundText } from "../words/text.ts"

export type ReadLetter = Letter & { readonly body: LetterBody }

/** A letter, with callbacks for its sender. */
export interface Mail {
  readonly letter: ReadLetter
  /** The letter was recorded, or does not concern the run. With a problem, it was refused. */
  onDone(problem?: CadreError): void
  /** The run can record no more events. */
  onFailed(error: unknown): void
}

/** Anything that can write to the store can write a letter, so its body is checked like any input. */
export function readLetter(letter: Letter): ReadLetter | undefined {
  const { type, ...fields } = (letter.body ?? {}) as Record<string, unknown>
  const texts = requiredTexts.get(type)
  if (!texts?.every((name) => typeof fields[name] === "string")) return undefined
  if (type === "approval" && fields.decision !== "allow" && fields.decision !== "deny") return undefined
  if (type === "approval" && fields.lasting !== undefined && !isLasting(fields.lasting)) return undefined
  if (type === "answer" && !isAnswer(fields.answer)) return undefined
  if (type === "child-end" && !(isObject(fields.outcome) && isObject(fields.usage))) return undefined
  return letter as ReadLetter
}

/** Answers a letter to a run: with a fact to record, a problem to tell its sender, neither, or both. */
export function answerLetter(
  state: RunState,
  { key, at, body }: ReadLetter,
): { fact?: Fact; problem?: CadreError } {
  switch (body.type) {
    case "message": {
      const { from, text } = body
      const answers = from === state.start?.caller?.run ? openQuestion(state) : undefined
      const fact: Fact = { type: "message-add", key, from, text, ...(answers && { answers }) }
      // The message is too late for the model, but not lost: the result lists it as undelivered.
      return state.end ? { fact, problem: createEndedError(state) } : { fact }
    }
    case "cancel":
      return state.end ? {} : { fact: { type: "cancel-request", key, reason: body.reason } }
    case "approval": {
      if (state.end) return { problem: createEndedError(state) }
      const call = findCall(state, body.call)
      if (call?.status !== "asking") return { problem: createNoApprovalError(state, body.call) }
      if (call.programQuestion)
        return answerQuestion(state, call.id, call.programQuestion, key, {
          action: body.decision === "allow" ? "accept" : "decline",
        })
      if (call.expires !== undefined && at >= call.expires)
        return {
          problem: new CadreError("CALL_UNKNOWN", `The approval ${call.id} of run ${state.run} has expired.`),
        }
      const note = typeof body.note === "string" ? { note: body.note } : {}
      const lasting = body.lasting && body.decision === "allow" ? { lasting: body.lasting } : {}
      return {
        fact: { type: "approval-end", call: body.call, key, decision: body.decision, ...note, ...lasting },
      }
    }
    case "answer": {
      if (state.end) return { problem: createEndedError(state) }
      const call = findCall(state, body.call)
      if (call?.status !== "asking" || !call.programQuestion)
        return { problem: createNoApprovalError(state, body.call) }
      return answerQuestion(state, call.id, call.programQuestion, key, body.answer)
    }
    case "child-rest":
    case "child-wake": {
      const child = state.children.find((child) => child.run === body.child)
      return child && !state.end && child.resting !== (body.type === "child-rest")
        ? { fact: { type: body.type, child: body.child, key } }
        : {}
    }
    case "child-ask": {
      if (state.end || !state.children.find((child) => child.run === body.child)) return {}
      return { fact: { type: "child-ask", child: body.child, key, question: body.question } }
    }
    case "child-end": {
      // A child's usage counts even after the run's own end.
      if (!state.children.find((child) => child.run === body.child)) return {}
      const { child, outcome, usage } = body
      // The child's own log keeps the whole output.
      const { text: output, cut } = boundText(
        body.output,
        state.start!.limits.maxResultBytes ?? defaultLimits.maxResultBytes,
      )
      return {
        fact: {
          type: "child-end",
          child,
          key,
          outcome,
          output,
          ...(cut && { length: body.output.length }),
          usage,
          ...(isUnsettled(body.unsettled) && { unsettled: body.unsettled }),
          ...("value" in body && { value: body.value }),
          ...(isObjection(body.objection) && { objection: body.objection }),
          ...(isLackList(body.lacks) && {
            lacks: body.lacks,
            ...(body.untold === true && { untold: true as const }),
          }),
          ...(body.unrepeatable === true && { unrepeatable: true as const }),
          ...(isReport(body.isolation) && { isolation: body.isolation }),
        },
      }
    }
  }
}

/** The first question of the run that its caller has not answered. An interrupted question is about to be asked again. */
const openQuestion = (state: RunState): string | undefined =>
  state.calls.find(
    ({ status, asks, answer }) =>
      (status === "started" || status === "interrupted") && asks !== undefined && answer === undefined,
  )?.id

export const createEndedError = ({ run }: { run: string }): CadreError =>
  new CadreError("RUN_ENDED", `Run ${run} has ended; start a new run that continues it.`)

/** The error for a message to a run without a model, which would never read it. */
export function createNoReaderError({ run, start, children }: RunState): CadreError {
  const below = [...children].map((child) => `${child.run} (${child.agent})`)
  const instead = below.length > 0 ? ` Send it to a run below it: ${below.join(", ")}.` : ""
  return new CadreError("MESSAGE_REFUSED", `${describeNoModel(run, start!.kind)}${instead}`)
}

/** The error for an answer to a call that does not wait for approval. It lists the calls that do. */
export function createNoApprovalError(state: RunState, call: string): CadreError {
  const open = [...state.calls]
    .filter(({ status }) => status === "asking")
    .map(({ id, tool }) => `${id} (${tool})`)
  return new CadreError(
    "CALL_UNKNOWN",
    `Run ${state.run} has no open approval ${JSON.stringify(call)}. Open: ${open.join(", ") || "none"}.`,
  )
}

function answerQuestion(
  { run }: RunState,
  call: string,
  question: ToolQuestion,
  key: string,
  answer: QuestionAnswer,
): { fact?: Fact; problem?: CadreError } {
  const problem = answerProblem(question, answer)
  if (problem !== undefined)
    return { problem: new CadreError("ANSWER_INVALID", describeAnswerProblem(run, call, problem)) }
  return {
    fact: {
      type: "approval-end",
      call,
      key,
      decision: answer.action === "accept" ? "allow" : "deny",
      answer,
    },
  }
}

/** The reason why this is no answer to the question; undefined if it is one. */
export function answerProblem({ form }: ToolQuestion, answer: QuestionAnswer): string | undefined {
  if (answer.action !== "accept") return undefined
  const problems = checkAnswer(form ?? [], answer.content ?? {})
  return problems.length === 0 ? undefined : problems.join("; ")
}

export const describeAnswerProblem = (run: string, call: string, problem: string): string =>
  `The answer to call ${call} of run ${run} does not fit its question: ${problem}. Nothing was sent; answer again, or decline.`

/** True for the shape of an answer. */
export const isAnswer = (answer: unknown): boolean => {
  const { action, content } = (answer ?? {}) as Record<string, unknown>
  return (
    ["accept", "decline", "cancel"].includes(String(action)) &&
    (content === undefined || (isObject(content) && !Array.isArray(content)))
  )
}

const isLasting = (lasting: unknown): boolean => {
  if (lasting === "same") return true
  const { rules } = (lasting ?? {}) as Record<string, unknown>
  return Array.isArray(rules) && rules.length > 0 && rules.every((rule) => typeof rule === "string")
}

/** Checks the parts of a report that are compared with those of other children. */
const isReport = (report: IsolationReport | undefined): report is IsolationReport =>
  isObject(report) &&
  Array.isArray(report?.files) &&
  report.files.every((file) => typeof file?.path === "string") &&
  [report.branch, report.base].every((text) => typeof text === "string")

const isObjection = (objection: Objection | undefined): objection is Objection =>
  isObject(objection) && typeof objection?.reason === "string"

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null

const requiredTexts = new Map<unknown, readonly string[]>([
  ["message", ["from", "text"]],
  ["approval", ["call", "decision"]],
  ["answer", ["call"]],
  ["cancel", ["reason"]],
  ["child-rest", ["child"]],
  ["child-wake", ["child"]],
  ["child-ask", ["child", "question"]],
  ["child-end", ["child", "output"]],
])
