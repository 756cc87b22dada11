import type { IsolationReport } from "../../agent/isolation.ts"
import { CadreError } from "../../ground/errors.ts"
import { defaultLimits } from "../../ground/limits.ts"
import type { Fact, Objection } from "../log/event.ts"
import type { LetterBody } from "../log/letter-body.ts"
import type { Letter } from "../log/store.ts"
import { isUnsettled } from "../log/unsettled.ts"
import { callOf } from "../state/set-call.ts"
import type { RunState } from "../state/state.ts"
import { isLackList } from "../words/lack-text.ts"
import { nobodyReads } from "../words/prompt.ts"
import { boundText } from "../words/text.ts"

export type ReadLetter = Letter & { readonly body: LetterBody }

/** A letter with someone to tell how it went. */
export interface Mail {
  readonly letter: ReadLetter
  /** It is recorded, or of no concern to the run; with a problem, it was refused. */
  done(problem?: CadreError): void
  /** The run can record nothing any more. */
  failed(error: unknown): void
}

/** A letter is written by whoever may write to the store: what it says is checked like any input. */
export function readLetter(letter: Letter): ReadLetter | undefined {
  const { type, ...fields } = (letter.body ?? {}) as Record<string, unknown>
  const texts = requiredTexts.get(type)
  if (!texts?.every((name) => typeof fields[name] === "string")) return undefined
  if (type === "approval" && fields.decision !== "allow" && fields.decision !== "deny") return undefined
  if (type === "child-end" && !(isObject(fields.outcome) && isObject(fields.usage))) return undefined
  return letter as ReadLetter
}

/** What a letter means for a run now: a fact to record, a problem to tell its sender, neither, or both. */
export function answerLetter(
  state: RunState,
  { key, at, body }: ReadLetter,
): { fact?: Fact; problem?: CadreError } {
  switch (body.type) {
    case "message": {
      const { from, text } = body
      const answers = from === state.start?.caller?.run ? openQuestion(state) : undefined
      const fact: Fact = { type: "message-add", key, from, text, ...(answers && { answers }) }
      // Too late for the model, but not lost: the result tells of it as undelivered.
      return state.end ? { fact, problem: hasEnded(state) } : { fact }
    }
    case "cancel":
      return state.end ? {} : { fact: { type: "cancel-request", key, reason: body.reason } }
    case "approval": {
      if (state.end) return { problem: hasEnded(state) }
      const call = callOf(state, body.call)
      if (call?.status !== "asking") return { problem: notOpen(state, body.call) }
      if (call.expires !== undefined && at >= call.expires)
        return {
          problem: new CadreError("CALL_UNKNOWN", `The approval ${call.id} of run ${state.run} has expired.`),
        }
      const note = typeof body.note === "string" ? { note: body.note } : {}
      return { fact: { type: "approval-end", call: body.call, key, decision: body.decision, ...note } }
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
      // Also after the run's own end: what a child consumed counts, whoever still waits for it.
      if (!state.children.find((child) => child.run === body.child)) return {}
      const { child, outcome, usage } = body
      // The whole of it stays in the child's own log.
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

/** The first of the run's own questions that its caller has not answered; one that a death cut off is about to be asked again. */
const openQuestion = (state: RunState): string | undefined =>
  state.calls.find(
    ({ status, asks, answer }) =>
      (status === "started" || status === "interrupted") && asks !== undefined && answer === undefined,
  )?.id

export const hasEnded = ({ run }: { run: string }): CadreError =>
  new CadreError("RUN_ENDED", `Run ${run} has ended; start a new run that continues it.`)

/** A message would lie there until the end. */
export function hasNoReader({ run, start, children }: RunState): CadreError {
  const below = [...children].map((child) => `${child.run} (${child.agent})`)
  const instead = below.length > 0 ? ` Send it to one that is at work below it: ${below.join(", ")}.` : ""
  return new CadreError("MESSAGE_REFUSED", `${nobodyReads(run, start!.kind)}${instead}`)
}

/** An approval is answered by its call's id, and by nothing else. */
export function notOpen(state: RunState, call: string): CadreError {
  const open = [...state.calls]
    .filter(({ status }) => status === "asking")
    .map(({ id, tool }) => `${id} (${tool})`)
  return new CadreError(
    "CALL_UNKNOWN",
    `Run ${state.run} has no open approval ${JSON.stringify(call)}. Open: ${open.join(", ") || "none"}.`,
  )
}

/** Of what it says of files only what can be compared counts. */
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
  ["cancel", ["reason"]],
  ["child-rest", ["child"]],
  ["child-wake", ["child"]],
  ["child-ask", ["child", "question"]],
  ["child-end", ["child", "output"]],
])
