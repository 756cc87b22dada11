import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { RunResult } from "../../../run/drive/proof.ts"
import { describeIsolation } from "../../../run/words/isolation-note.ts"
import { writeTriedNote } from "../../../run/words/prompt.ts"
import type { Signal } from "../exit-code.ts"
import { cutToOneLine } from "../terminal/table.ts"
import { computeInclusiveCost, getInclusiveUsage, listWarnings } from "./result-json.ts"
import { describeWorkflowStep } from "./step-text.ts"
import {
  describeAsker,
  describeAskReason,
  describeWaitingCall,
  type WaitingCall,
  writeTreeLines,
} from "./waiting-call.ts"
import { describeCost, describeTokens, formatDuration, nameOutcome } from "./words.ts"

/** The end of the work on a run. */
export interface Ending {
  /** The command that resumes the run. */
  readonly resume?: string
  readonly signal?: Signal
}

/** The summary of a run that has stopped, in a few lines of safe text. */
export function writeSummary(
  result: RunResult,
  questions: readonly WaitingCall[] = [],
  { resume = `cadre resume ${result.run}`, signal }: Ending = {},
): readonly string[] {
  const { proof, run, agent } = result
  const { model, usage, denied } = proof
  const cost = computeInclusiveCost(proof)
  const used = getInclusiveUsage(proof)
  const state = result.outcome
    ? nameOutcome(result.outcome)
    : result.status === "resting"
      ? "is waiting for approval"
      : signal !== undefined
        ? `was interrupted (${signal}), and stays open`
        : "has not ended, but no process drives it now"
  const reported = model.reported.length > 0 ? model.reported.join(", ") : "nothing"
  const lines = [
    `${agent} ${sentence(cutToOneLine(state, 600))} ${proof.turns} ${proof.turns === 1 ? "turn" : "turns"}, ${describeTokens(used)}, ${cost === null ? "cost unknown" : describeCost(cost)}, ${formatDuration(proof.activeMs)}.`,
    `Model: requested ${requestedText(model.requested)}, resolved ${model.resolved}, reported ${reported}.`,
    ...(usage.unsettled.calls > 0
      ? [
          `${usage.unsettled.calls} ${usage.unsettled.calls === 1 ? "request was" : "requests were"} lost when a process ended, and may have been billed.`,
        ]
      : []),
    ...(result.tried ? [cutToOneLine(writeTriedNote(result.tried), 600)] : []),
    ...(result.cached ? [`From the cache: the recorded result of run ${result.cached.run}.`] : []),
    ...checkedText(result),
    ...(proof.workflow ? [describeWorkflowStep(proof.workflow)] : []),
    ...(result.isolation ? [describeIsolation(result.isolation)] : []),
    ...denied.map(({ call, tool, reason }) => `Denied: ${tool} (${call}): ${cutToOneLine(reason, 120)}`),
    ...listWarnings(proof).map((warning) => `Warning: ${cutToOneLine(warning, 600)}`),
    ...proof.undelivered.map(
      ({ from, text }) =>
        `${result.status === "ended" ? "Arrived too late" : "Not read yet"}, from ${from}: ${cutToOneLine(text, 120)}`,
    ),
    ...questions.flatMap((one) => [
      waitingText(one),
      ...writeTreeLines(one, "short").map((line) => `  ${line.replaceAll(/\s*\n\s*/g, " ")}`),
    ]),
    ...(result.status === "ended" ? [] : [`To resume: \`${resume}\`.`]),
    result.continues === undefined ? `Run ${run}` : `Run ${run}, which continues ${result.continues}`,
  ]
  return lines.map(escapeText)
}

function checkedText({ postconditions = [] }: RunResult): readonly string[] {
  if (postconditions.length === 0) return []
  const holding = postconditions.filter(({ holds }) => holds).length
  return [`Postconditions: ${holding} of ${postconditions.length} hold.`]
}

/** A command is shown whole, so that the user knows exactly what they approve. */
const waitingText = (question: WaitingCall): string =>
  `Waiting for you: ${question.command === undefined ? cutToOneLine(describeWaitingCall(question), 120) : describeWaitingCall(question)}, by ${describeAsker(question)}, ${describeAskReason(question)}. To answer: \`cadre approve ${question.run} ${question.call}${valuesOption(question)}\`, or the same with --deny.`

/** The option that a question with a form needs. `cadre approve ID --list` shows its values. */
const valuesOption = ({ question }: WaitingCall): string => (question?.form?.length ? " --answer JSON" : "")

/** Adds a full stop, unless the text has one: a provider's message often does. */
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

const requestedText = (requested: RunResult["proof"]["model"]["requested"]): string =>
  typeof requested === "string" ? requested : requested === null ? "none" : JSON.stringify(requested)
