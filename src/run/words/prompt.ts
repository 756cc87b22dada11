import type { Agent } from "../../agent/agent.ts"
import { describePostcondition } from "../../agent/postcondition.ts"
import type { Access } from "../../agent/tool.ts"
import type { CallResult, MomentName, Objection, RunStep, Tried } from "../log/event.ts"
import type { Outcome } from "../log/event-outcome.ts"
import type { PostconditionResult } from "../log/event-run.ts"
import type { PinnedContext } from "../ports/context.ts"
import type { Child, Report } from "../state/child.ts"
import type { OpenCall } from "../state/open-call.ts"
import { endRepeats } from "../state/repeats.ts"
import { isolationNote } from "./isolation-note.ts"
import { lackNote } from "./lack-text.ts"
import { onOneLine } from "./text.ts"

/** Every text the runtime itself puts in front of a model. */

/**
 * The system prompt and the first user message. What depends on the task comes as late as it can, so that runs of one
 * agent share the beginning of their prompts; only the environment, which is short, stands after it. `{{task}}` is
 * replaced in the instructions alone, by literal text.
 */
export function opening(
  { instructions, template }: Agent,
  task: string,
  { text = "", environment = "" }: PinnedContext = {},
): { system: string; message: string } {
  const names = /\{\{ ?task ?\}\}/.test(instructions)
  const isAppended = !names && template?.task === "append"
  const parts = names
    ? [text, instructions.replace(/\{\{ ?task ?\}\}/g, () => task)]
    : [instructions, text, isAppended ? task : ""]
  return {
    system: [...parts, environment].filter((part) => part !== "").join("\n\n"),
    message: names || isAppended ? begin : task,
  }
}

const begin = "Begin. Your task is in your instructions."

export const nudge = "Your last message was empty. Write your final answer now, as text."
export const pointerNudge =
  "Your last message only points back, and nothing else of what you wrote is passed on. Write the whole report now, as text."
export const submitNudge = "You ended without calling submit_result. Call it now with your result."
export const submitName = "submit_result"

export const repairMessage = (broken: readonly PostconditionResult[], end: "submit" | "answer"): string =>
  `Your work is not done. The runtime looked at what must hold at the end, and this does not:\n${broken
    .map((result) => `- ${described(result)}`)
    .join(
      "\n",
    )}\nMend it, then ${end === "submit" ? `call ${submitName} again` : "give your final answer again"}. It is checked once more.`

export const describeBroken = (broken: readonly PostconditionResult[]): string =>
  `what must hold at the end does not: ${broken.map(described).join("; ")}`

const described = ({ condition, problem }: PostconditionResult): string =>
  `that ${describePostcondition(condition)}: ${problem ?? "it does not hold"}`

export const repeatWarning = (count: number): string =>
  `Note from the runtime: you have asked for exactly this ${count} times. The answer will not change; at ${endRepeats} the run is ended. ` +
  "Do something else, or give your final answer with what you have."

export const removedResult = (length: number, attachments = 0): string =>
  `[This result, ${length} characters${attachments === 0 ? "" : ` and ${attachments} attachment${attachments === 1 ? "" : "s"}`}, was removed to make room. Call the tool again if you still need it.]`

export const removedAttachments = (names: readonly (string | undefined)[]): string =>
  `[Removed to make room: ${names.map((name) => name ?? "an attachment").join(", ")}.]`

/** In place of an attachment. */
export const notShown = (name: string | undefined, why: string): string =>
  `[${name ?? "An attachment"} is not shown: ${why}.]`

export const noReader = (agent: string): string =>
  `No model reads the task of agent "${agent}", which a pipeline or a program does, so nothing can be attached to it.`

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
export function delegationResult({
  child = "",
  agent = "",
  report,
}: Pick<OpenCall, "child" | "agent" | "report">): CallResult {
  const { outcome } = report!
  return {
    status: outcome.type === "completed" ? "ok" : "error",
    text: reportText({ run: child, agent }, report!),
  }
}

/** What a call comes to that a hook handed to another agent, or had another agent look at first. */
export function hookedResult(
  call: Pick<OpenCall, "tool" | "child" | "agent" | "report" | "spawns">,
): CallResult {
  const { status, text } = delegationResult(call)
  const said =
    call.spawns?.[0]?.mode === "before"
      ? `This ${call.tool} call was not run: a hook wanted the agent ${call.agent} to complete first.`
      : `A hook handed this ${call.tool} call to the agent ${call.agent}, so it was not run itself. What came of it:`
  return { status, text: `${said}\n${text}` }
}

/** How the report of the agent that a hook wanted first reaches whoever asked for the call. */
export const hookReport = (tool: string, child: Sender, report: Report): string =>
  `Before your ${tool} call ran, a hook had a subagent look at it.\n${reportText(child, report)}`

export const hookLost = (hook: string): string =>
  `the command of the hook "${hook}" had started when its process ended, so nobody knows what it said. Try again if you need to.`

export const hookContext = (text: string): string => `Note from a hook: ${text}`

/** What a model is told that has taken on an agent in its own run. */
export const activationText = (
  agent: string,
  {
    system,
    message,
    tools,
  }: { readonly system: string; readonly message: string; readonly tools: readonly string[] | undefined },
): string =>
  [
    `You are the agent ${agent} from here on, in this run. Follow these instructions:\n\n${system}`,
    `Your task: ${message}`,
    ...(tools ? [`Tools that you may still use: ${tools.join(", ") || "none"}.`] : []),
  ].join("\n\n")

/** What a model is told that is in another step of its workflow than before, or has come to its end. */
export const stepNote = ({ via, text, workflow, complete }: RunStep, before: RunStep | undefined): string =>
  [
    ...(via ? [`Step transition: ${via.join(" → ")}`] : []),
    ...(via || !before ? [text] : []),
    ...(complete && !before?.complete ? [`The workflow '${workflow}' is complete.`] : []),
  ].join("\n")

/** Why a run has not started, or does not ask its model. */
export const objectionText = (moment: MomentName, { hook, reason }: Objection): string =>
  `${hook === undefined ? "a hook" : `the hook "${hook}"`} does not let it ${moment === "run_start" ? "start" : "ask its model"}: ${reason}`

export const notYet = (reason: string): string =>
  `A hook does not let you end yet: ${reason}\nWhen you have done what it wants, give your whole final answer again: nothing but the last one is passed on.`

/** Said of a run that has completed. */
export const stillObjects = ({ hook, reason }: Objection): string =>
  `${hook === undefined ? "A hook" : `The hook "${hook}"`} still objected when the run ended: ${reason}`

/** How the report of an agent that a hook wanted first reaches the model. */
export const momentReport = (child: Sender, report: Report): string =>
  `A hook had a subagent work for you before you went on.\n${reportText(child, report)}`

export const unfinished = ({ run, agent }: Sender, { outcome }: Report): string =>
  `the agent ${agent} (run ${run}) was to complete first, and did not: ${describe(outcome)}`

export const unstarted = (agent: string, why: string): string =>
  `the agent ${agent} was to complete first, and could not start: ${why}`

export const blockedTwice =
  "Not run: this very call was blocked twice in a row, so it is not looked at again. Stop repeating it: do something else, or give your final answer with what you have."

/** Why a call that would go one level too deep starts nothing. */
export const depthReached = (agent: string, depth: number, maxDepth: number): string =>
  `Maximum subagent nesting depth (${maxDepth}) reached. Cannot spawn '${agent}' at depth ${depth}. Finish with your own tools.`

export const toolGone = (tool: string): string =>
  `The tool ${tool} is no longer available, so it was not run. Go on without it.`

export const startedInBackground = (run: string): string =>
  `Started in the background as run ${run}. Its report will come to you as a message.`

type Sender = Pick<Child, "run" | "agent">

/** How the end of a background child reaches its parent. */
export const childReport = (child: Sender, report: Report): string =>
  `A background subagent has ended.\n${reportText(child, report)}`

/** What became of an agent that was tried and failed. */
export const triedOf = ({ run, agent }: Sender, outcome: Outcome): Tried => ({
  agent,
  run,
  reason: describe(outcome).slice(0, 500),
})

export const triedNote = (tried: readonly Tried[]): string =>
  `Tried before it: ${tried.map(({ agent, run, reason }) => `${agent} ${run === undefined ? "could not begin" : `(run ${run})`}: ${aside(reason).replace(/\.$/, "")}`).join("; ")}.`

/** What another run wrote is data: it stands in an envelope that it cannot close. */
function reportText(
  { run, agent }: Sender,
  { outcome, output, length, isolation, tried, objection, lacks, lacksBelow = [] }: Report,
): string {
  const failed =
    outcome.type === "completed"
      ? ""
      : `The subagent did not complete: ${aside(describe(outcome)).replace(/\.$/, "")}.\n`
  const rest =
    length === undefined
      ? ""
      : `\nThis is a cut of a report of ${length} characters. AgentReport reads the whole of it in pages, by the run's id.`
  const before = tried ? `${triedNote(tried)}\n` : ""
  const against = objection ? `${aside(stillObjects(objection).slice(0, 2_000))}\n` : ""
  const without = [...(lacks ? [{ agent, lacks }] : []), ...lacksBelow.slice(0, mostLacking)]
    .map((one) => `${aside(lackNote(one.agent, one.lacks))}\n`)
    .join("")
  return `${failed}${against}${before}${without}<report agent=${JSON.stringify(agent)} run="${run}" outcome="${outcome.type}">\n${enclosed("report", output) || "(no output)"}\n</report>${rest}${isolationNote(isolation)}`
}

/** Agents below a pipeline of which a report says what they went without; the result of the root says it of all. */
const mostLacking = 20

export const reportPage = (
  { run, agent }: Sender,
  text: string,
  { page, pages }: { readonly page: number; readonly pages: number },
): string =>
  `<report agent=${JSON.stringify(agent)} run="${run}" page="${page} of ${pages}">\n${enclosed("report", text)}\n</report>`

export const nobodyReads = (run: string, kind: string): string =>
  `No model drives run ${run}, which is a ${kind}, so nobody would read a message.`

export const messageFrom = ({ run, agent }: Sender, text: string): string =>
  `<message from=${JSON.stringify(agent)} run="${run}">\n${enclosed("message", text)}\n</message>`

export const childQuestion = ({ run, agent }: Sender, question: string): string =>
  `A subagent asks you something and waits. Answer it with AgentSend to ${run}; its report will come to you as a message.\n` +
  `<question agent=${JSON.stringify(agent)} run="${run}">\n${enclosed("question", question)}\n</question>`

/** Nothing in it can be taken for the beginning or the end of what it stands in, however it is spelled. */
const enclosed = (envelope: string, text: string): string =>
  text.replace(new RegExp(`<(?=${unseen}/?${unseen}${envelope}\\b)`, "giu"), "&lt;")

const unseen = "[\\s\\p{Default_Ignorable_Code_Point}]*"

/** Why a run ended may hold words of its own, such as a key that it made up. They stand outside of its envelope. */
const aside = (text: string): string => enclosed("report", onOneLine(text))

export const noAnswer =
  "No answer came in time. Go on with what you know, and say in your report what you assumed."

export const defaultAnswer = (text: string): string =>
  `No answer came in time, so this holds, as you said: ${text}`

/** A run that had ended when it was to be waited for has no agent here, and its report was given before. */
export const waitedFor = (runs: readonly (Sender & { readonly child: Child | undefined })[]): string =>
  runs
    .map(({ run, agent, child }) => {
      if (agent === "") return `- ${run}: had ended before; AgentReport reads its report`
      const how = child?.asks
        ? "waits for your answer: AgentSend"
        : child
          ? "still at work"
          : "ended; its report comes as a message"
      return `- ${run} (${agent}): ${how}`
    })
    .join("\n") || "None of your subagents is at work."

export function describeAccess(access: Access): string {
  switch (access.type) {
    case "command":
      return access.text
    case "read":
    case "write":
      return `${access.type} ${access.path}${access.below ? "/**" : ""}`
    case "host":
      return access.host
    case "agent":
    case "executor":
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
      return `it reached its limit of ${outcome.limit}${outcome.reason === undefined ? "" : ` (${outcome.reason})`}`
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
