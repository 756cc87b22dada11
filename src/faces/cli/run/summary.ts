import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { RunResult } from "../../../run/drive/proof.ts"
import { isolationText } from "../../../run/words/isolation-note.ts"
import { triedNote } from "../../../run/words/prompt.ts"
import { oneLine } from "../terminal/table.ts"
import { type Asked, askedText, askerText, becauseText, wayLines } from "./asked.ts"
import { costOf, inclusiveOf, warningsOf } from "./result-json.ts"
import { workflowText } from "./step-text.ts"
import { costText, durationText, outcomeText, tokensText } from "./words.ts"

/** What a person wants to know of a run that has stopped, in a few lines of safe text. */
export function summary(result: RunResult, asked: readonly Asked[] = []): readonly string[] {
  const { proof, run, agent } = result
  const { model, usage, denied } = proof
  const cost = costOf(proof)
  const used = inclusiveOf(proof)
  const state = result.outcome
    ? outcomeText(result.outcome)
    : result.status === "resting"
      ? "waits for an answer"
      : "has not ended; nobody drives it now"
  const reported = model.reported.length > 0 ? model.reported.join(", ") : "nothing"
  const lines = [
    `${agent} ${sentence(oneLine(state, 600))} ${proof.turns} ${proof.turns === 1 ? "turn" : "turns"}, ${tokensText(used)}, ${cost === null ? "cost unknown" : costText(cost)}, ${durationText(proof.activeMs)}.`,
    `Model: requested ${requestedText(model.requested)}, resolved ${model.resolved}, reported ${reported}.`,
    ...(usage.unsettled.calls > 0
      ? [
          `${usage.unsettled.calls} ${usage.unsettled.calls === 1 ? "request was" : "requests were"} lost with a process and may have been billed.`,
        ]
      : []),
    ...(result.tried ? [oneLine(triedNote(result.tried), 600)] : []),
    ...(result.cached ? [`From the cache: this is the recorded result of run ${result.cached.run}.`] : []),
    ...checkedText(result),
    ...(proof.workflow ? [workflowText(proof.workflow)] : []),
    ...(result.isolation ? [isolationText(result.isolation)] : []),
    ...denied.map(({ call, tool, reason }) => `Denied: ${tool} (${call}): ${oneLine(reason, 120)}`),
    ...warningsOf(proof).map((warning) => `Warning: ${oneLine(warning, 600)}`),
    ...proof.undelivered.map(
      ({ from, text }) =>
        `${result.status === "ended" ? "Came too late" : "Not read yet"}, from ${from}: ${oneLine(text, 120)}`,
    ),
    ...asked.flatMap((one) => [
      waitingText(one),
      ...wayLines(one, "short").map((line) => `  ${line.replaceAll(/\s*\n\s*/g, " ")}`),
    ]),
    ...(result.status === "ended" ? [] : [`Then: \`cadre resume ${run}\`.`]),
    result.continues === undefined ? `Run ${run}` : `Run ${run}, which continues ${result.continues}`,
  ]
  return lines.map(escapeText)
}

function checkedText({ postconditions = [] }: RunResult): readonly string[] {
  if (postconditions.length === 0) return []
  const holding = postconditions.filter(({ holds }) => holds).length
  return [`Checked at the end: ${holding} of ${postconditions.length} postconditions hold.`]
}

/** A command is told whole: whoever approves it must not have to guess. */
const waitingText = (asked: Asked): string =>
  `Waits for you: ${asked.command === undefined ? oneLine(askedText(asked), 120) : askedText(asked)}, asked by ${askerText(asked)} ${becauseText(asked)}: \`cadre approve ${asked.run} ${asked.call}\`, or with --deny.`

/** A reason of a provider often has its own full stop. */
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

const requestedText = (requested: RunResult["proof"]["model"]["requested"]): string =>
  typeof requested === "string" ? requested : requested === null ? "none" : JSON.stringify(requested)
