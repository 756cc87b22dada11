import type { Agent } from "../agent.ts"
import type { Access } from "../tool.ts"
import type { CallResult, Outcome } from "./event.ts"
import { endRepeats } from "./repeats.ts"

/** Every text the runtime itself puts in front of a model. */

/** The system prompt and the first user message. `{{task}}` is replaced by literal text, never by a pattern. */
export function opening(agent: Agent, task: string): { system: string; message: string } {
  const { instructions, template } = agent
  const placeholder = /\{\{ ?task ?\}\}/g
  if (placeholder.test(instructions))
    return { system: instructions.replace(placeholder, () => task), message: begin }
  if (template?.task === "append") return { system: `${instructions}\n\n${task}`, message: begin }
  return { system: instructions, message: task }
}

const begin = "Begin. Your task is in your instructions."

export const nudge = "Your last message was empty. Write your final answer now, as text."
export const pointerNudge =
  "Your last message only points back, and nothing else of what you wrote is passed on. Write the whole report now, as text."
export const submitNudge = "You ended without calling submit_result. Call it now with your result."
export const submitName = "submit_result"

export const repeatWarning = (count: number): string =>
  `Note from the runtime: you have asked for exactly this ${count} times. The answer will not change; at ${endRepeats} the run is ended. ` +
  "Do something else, or give your final answer with what you have."

export const removedResult = (length: number): string =>
  `[This result, ${length} characters, was removed to make room. Call the tool again if you still need it.]`

export const summaryPrompt =
  "You are given the beginning of the history of an agent's work, which is too long to go on with. Write a summary that " +
  "takes its place: what was asked, what was found out and done (names, paths, values and decisions exactly), what failed, " +
  "and what is left to do. Write nothing else."

export const summaryMessage = (summary: string): string =>
  `Note from the runtime: the messages that stood here were removed to make room. A summary of them:\n\n${summary}`

/** For a run that goes on with the history of another, where its own task is not the first message. */
export const withTask = (summary: string, task: string): string =>
  `${summary}\n\nThe task now, as it was given:\n\n${task}`

export const unknownOutcome = (tool: string): CallResult => ({
  status: "unknown",
  text: `The outcome of this ${tool} call is unknown: it started, and the process that ran it ended before a result was recorded. It may or may not have taken effect. Check before you repeat it.`,
})

export const abandoned = (tool: string, why: string): CallResult => ({
  status: "unknown",
  text: `The outcome of this ${tool} call is unknown: ${why} and it did not stop when told to. It may or may not have taken effect, or still be at work. Check before you repeat it.`,
})

/** The result of a delegation that waited. */
export function delegationResult(child: string, report: { outcome: Outcome; output: string }): CallResult {
  const { outcome, output } = report
  if (outcome.type === "completed") return { status: "ok", text: output }
  return {
    status: "error",
    text: `The subagent (run ${child}) did not complete: ${describe(outcome)}.${output === "" ? " It left no output." : `\nIts partial output:\n${output}`}`,
  }
}

/** Why a call that would go one level too deep starts nothing. */
export const depthReached = (agent: string, depth: number, maxDepth: number): string =>
  `Maximum subagent nesting depth (${maxDepth}) reached. Cannot spawn '${agent}' at depth ${depth}. Finish with your own tools.`

export const startedInBackground = (run: string): string =>
  `Started in the background as run ${run}. Its report will come to you as a message.`

/** How the end of a background child reaches its parent. */
export const childReport = (
  agent: string,
  end: { child: string; outcome: Outcome; output: string },
): string =>
  `Background subagent "${agent}" (run ${end.child}) has ended: ${describe(end.outcome)}.\n${end.output === "" ? "It left no output." : `Its report:\n${end.output}`}`

export function describeAccess(access: Access): string {
  switch (access.type) {
    case "command":
      return access.text
    case "read":
    case "write":
      return `${access.type} ${access.path}`
    case "host":
      return access.host
    case "agent":
      return access.name
    case "unclear":
    case "dangerous":
      return access.reason
  }
}

export function describe(outcome: Outcome): string {
  switch (outcome.type) {
    case "completed":
      return "completed"
    case "timed-out":
      return outcome.clock === "timeout" ? "timed out" : "timed out after no sign of life"
    case "limit":
      return `it reached its limit of ${outcome.limit}`
    case "no-output":
      return "it ended without any output"
    case "loop":
    case "failed":
    case "cancelled":
    case "denied":
    case "uncertain":
      return `${outcome.type}: ${outcome.reason}`
  }
}
