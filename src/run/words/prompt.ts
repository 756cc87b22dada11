import type { Agent } from "../../agent/agent.ts"
import { describePostcondition } from "../../agent/postcondition.ts"
import type { RunNodeInput } from "../../agent/run-node.ts"
import type { Access } from "../../agent/tool.ts"
import type { AgentAttempt, CallResult, MomentName, Objection, RunStep } from "../log/event.ts"
import type { RunOutcome } from "../log/event-outcome.ts"
import type { PostconditionResult } from "../log/event-run.ts"
import type { PinnedContext } from "../ports/context.ts"
import type { Child, ChildReport } from "../state/child.ts"
import type { OpenCall } from "../state/open-call.ts"
import { endRepeats } from "../state/repeats.ts"
import { writeIsolationNote } from "./isolation-note.ts"
import { writeLackNote } from "./lack-text.ts"
import { toOneLine } from "./text.ts"

/** Every text that the runtime itself puts in front of a model. */

/**
 * The system prompt and the first user message. Parts that depend on the task come as late as possible, so
 * that runs of one agent share the beginning of their prompts. Only the environment, which is short, comes
 * later. `{{task}}` is replaced in the instructions alone, by literal text.
 */
export function buildOpening(
  { instructions, template }: Agent,
  task: string,
  { text = "", environment = "" }: PinnedContext = {},
): { system: string; message: string } {
  const isTaskNamed = /\{\{ ?task ?\}\}/.test(instructions)
  const isAppended = !isTaskNamed && template?.task === "append"
  const parts = isTaskNamed
    ? [text, instructions.replace(/\{\{ ?task ?\}\}/g, () => task)]
    : [instructions, text, isAppended ? task : ""]
  return {
    system: [...parts, environment].filter((part) => part !== "").join("\n\n"),
    message: isTaskNamed || isAppended ? begin : task,
  }
}

const begin = "Begin. Your task is in your instructions."

/** The code node that a run works on, fenced so that its text cannot end the block. */
export function writeNodeBlock({ type, fullName, file, startLine, endLine, text }: RunNodeInput): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = "`".repeat(longest + 1)
  const what = type === "file" ? "The file" : `The ${type} ${fullName} in`
  return `${what} ${file}, lines ${startLine} to ${endLine}:\n\n${fence}\n${text.replace(/\n$/, "")}\n${fence}`
}

export const nudge = "Your last message was empty. Write your final answer now, as text."
export const pointerNudge =
  "Your last message only refers to earlier ones, but only your last message is passed on. Write the whole report now, as text."
export const submitNudge = "You ended without calling submit_result. Call it now with your result."
export const submitName = "submit_result"

export const repairMessage = (broken: readonly PostconditionResult[], end: "submit" | "answer"): string =>
  `Your work is not done. The runtime checked the postconditions of this run, and these do not hold:\n${broken
    .map((result) => `- ${describeResult(result)}`)
    .join(
      "\n",
    )}\nCorrect this, then ${end === "submit" ? `call ${submitName} again` : "give your final answer again"}. The postconditions are checked once more.`

export const describeBroken = (broken: readonly PostconditionResult[]): string =>
  `the postconditions do not hold: ${broken.map(describeResult).join("; ")}`

const describeResult = ({ condition, problem }: PostconditionResult): string =>
  `that ${describePostcondition(condition)}: ${problem ?? "it does not hold"}`

export const repeatWarning = (count: number): string =>
  `Note from the runtime: you have made exactly these calls ${count} times. The results will not change. After ${endRepeats} times the run is ended. ` +
  "Do something else, or give your final answer with what you have."

export const describeRemovedResult = (length: number, attachments = 0): string =>
  `[This result, ${length} characters${attachments === 0 ? "" : ` and ${attachments} attachment${attachments === 1 ? "" : "s"}`}, was removed to make room. Call the tool again if you still need it.]`

export const describeRemovedAttachments = (names: readonly (string | undefined)[]): string =>
  `[Removed to make room: ${names.map((name) => name ?? "an attachment").join(", ")}.]`

/** The note in place of an attachment. */
export const writeAttachmentNote = (name: string | undefined, why: string): string =>
  `[${name ?? "An attachment"} is not shown: ${why}.]`

export const describeNoReader = (agent: string): string =>
  `A pipeline or a program runs agent "${agent}", so no model reads its task. Leave the attachments out.`

export const summaryPrompt =
  "You are given the beginning of an agent's history, which is too long to continue. Write a summary that " +
  "replaces it: what was asked, what was found out and done (names, paths, values and decisions exactly), what failed, " +
  "and what remains to be done. Write nothing else."

export const writeSummaryMessage = (summary: string): string =>
  `Note from the runtime: older messages were removed here to make room. Their summary:\n\n${summary}`

/** For a run that continues another run's history: its own task is not the first message there. */
export const appendTask = (summary: string, task: string): string =>
  `${summary}\n\nYour current task:\n\n${task}`

export const createUnknownResult = (tool: string): CallResult => ({
  status: "unknown",
  text: `The outcome of this ${tool} call is unknown: it started, and the process that ran it ended before a result was recorded. It may or may not have taken effect. Check before you repeat it.`,
})

export const createAbandonedResult = (tool: string, why: string): CallResult => ({
  status: "unknown",
  text: `The outcome of this ${tool} call is unknown: ${why} and it did not stop when told to. It may or may not have taken effect, or still be at work. Check before you repeat it.`,
})

/** The result of a delegation that the caller waited for. */
export function createDelegationResult({
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

/** The result of a call that a hook handed to another agent, or that had to wait for another agent. */
export function createHookedResult(
  call: Pick<OpenCall, "tool" | "child" | "agent" | "report" | "spawns">,
): CallResult {
  const { status, text } = createDelegationResult(call)
  const introduction =
    call.spawns?.[0]?.mode === "before"
      ? `This ${call.tool} call was not run: a hook requires the agent ${call.agent} to complete first.`
      : `A hook handed this ${call.tool} call to the agent ${call.agent}, so the call itself was not run. The agent's report:`
  return { status, text: `${introduction}\n${text}` }
}

/** The report of an agent that a hook started before a call. */
export const writeHookReport = (tool: string, child: Sender, report: ChildReport): string =>
  `Before your ${tool} call ran, a hook started a subagent for it.\n${reportText(child, report)}`

export const describeLostHook = (hook: string): string =>
  `the command of the hook "${hook}" had started when its process ended, so its verdict is unknown. Try again if you need to.`

export const writeHookContext = (text: string): string => `Note from a hook: ${text}`

/** The text for a model that has activated an agent in its own run. */
export const writeActivation = (
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

/**
 * The text for a model whose run is in another step of its workflow than before, or has completed the
 * workflow.
 */
export const stepNote = ({ via, text, workflow, complete }: RunStep, before: RunStep | undefined): string =>
  [
    ...(via ? [`Step transition: ${via.join(" → ")}`] : []),
    ...(via || !before ? [text] : []),
    ...(complete && !before?.complete ? [`The workflow '${workflow}' is complete.`] : []),
  ].join("\n")

/** The reason why a run did not start, or does not ask its model. */
export const describeMomentObjection = (moment: MomentName, { hook, reason }: Objection): string =>
  `${hook === undefined ? "a hook" : `the hook "${hook}"`} blocked ${moment === "run_start" ? "the start of the run" : "the model request"}: ${reason}`

export const stopObjectionText = (reason: string): string =>
  `You cannot end yet, because a hook objects: ${reason}\nResolve this, then give your whole final answer again. Only your last answer is passed on.`

/** The warning for a run that has completed. */
export const openObjectionText = ({ hook, reason }: Objection): string =>
  `${hook === undefined ? "A hook" : `The hook "${hook}"`} still objected when the run ended: ${reason}`

/** The report of an agent that a hook started before the run went on. */
export const writeMomentReport = (child: Sender, report: ChildReport): string =>
  `Before you go on, a hook started a subagent.\n${reportText(child, report)}`

export const describeUnfinished = ({ run, agent }: Sender, { outcome }: ChildReport): string =>
  `the agent ${agent} (run ${run}) had to complete first and did not: ${describeOutcome(outcome)}`

export const describeUnstarted = (agent: string, why: string): string =>
  `the agent ${agent} had to complete first and could not start: ${why}`

export const blockedTwiceText =
  "Not run: this same call was blocked twice in a row, so hooks do not judge it again. Stop repeating it. Do something else, or give your final answer with what you have."

/** The reason why a call starts no run: it would be one level too deep. */
export const describeDepthReached = (agent: string, depth: number, maxDepth: number): string =>
  `Maximum subagent nesting depth (${maxDepth}) reached. Cannot spawn '${agent}' at depth ${depth}. Finish with your own tools.`

export const describeToolGone = (tool: string): string =>
  `The tool ${tool} is no longer available, so the call did not run. Go on without the tool.`

export const describeBackgroundStart = (run: string): string =>
  `Started in the background as run ${run}. Its report will come to you as a message.`

type Sender = Pick<Child, "run" | "agent">

/** The message to the parent about the end of a background child. */
export const writeChildReport = (child: Sender, report: ChildReport): string =>
  `A background subagent has ended.\n${reportText(child, report)}`

/** The record of an agent that was tried and failed. */
export const toTried = ({ run, agent }: Sender, outcome: RunOutcome): AgentAttempt => ({
  agent,
  run,
  reason: describeOutcome(outcome).slice(0, 500),
})

export const writeTriedNote = (tried: readonly AgentAttempt[]): string =>
  `Agents tried before: ${tried.map(({ agent, run, reason }) => `${agent} ${run === undefined ? "could not begin" : `(run ${run})`}: ${aside(reason).replace(/\.$/, "")}`).join("; ")}.`

/** The report of another run. That text is data, so it is in an envelope that it cannot close. */
function reportText(
  { run, agent }: Sender,
  { outcome, output, length, isolation, tried, objection, lacks, lacksBelow = [] }: ChildReport,
): string {
  const failed =
    outcome.type === "completed"
      ? ""
      : `The subagent did not complete: ${aside(describeOutcome(outcome)).replace(/\.$/, "")}.\n`
  const rest =
    length === undefined
      ? ""
      : `\nThis report was cut; the whole has ${length} characters. To read all of it in pages, call AgentReport with the run's id.`
  const before = tried ? `${writeTriedNote(tried)}\n` : ""
  const against = objection ? `${aside(openObjectionText(objection).slice(0, 2_000))}\n` : ""
  const without = [...(lacks ? [{ agent, lacks }] : []), ...lacksBelow.slice(0, mostLacking)]
    .map((one) => `${aside(writeLackNote(one.agent, one.lacks))}\n`)
    .join("")
  return `${failed}${against}${before}${without}<report agent=${JSON.stringify(agent)} run="${run}" outcome="${outcome.type}">\n${enclosed("report", output) || "(no output)"}\n</report>${rest}${writeIsolationNote(isolation)}`
}

/** The most agents below a pipeline whose missing tools a report names. The result of the root names all. */
const mostLacking = 20

export const reportPage = (
  { run, agent }: Sender,
  text: string,
  { page, pages }: { readonly page: number; readonly pages: number },
): string =>
  `<report agent=${JSON.stringify(agent)} run="${run}" page="${page} of ${pages}">\n${enclosed("report", text)}\n</report>`

export const describeNoModel = (run: string, kind: string): string =>
  `Run ${run} is a ${kind}: no model drives it, so it cannot read messages.`

export const writeMessageFrom = ({ run, agent }: Sender, text: string): string =>
  `<message from=${JSON.stringify(agent)} run="${run}">\n${enclosed("message", text)}\n</message>`

export const writeChildQuestion = ({ run, agent }: Sender, question: string): string =>
  `A subagent asks you a question and waits for your answer. Answer with AgentSend to ${run}; its report will come to you as a message.\n` +
  `<question agent=${JSON.stringify(agent)} run="${run}">\n${enclosed("question", question)}\n</question>`

/**
 * Escapes the text, so that no part of it can pass for the beginning or the end of its envelope, in any
 * spelling.
 */
const enclosed = (envelope: string, text: string): string =>
  text.replace(new RegExp(`<(?=${unseen}/?${unseen}${envelope}\\b)`, "giu"), "&lt;")

const unseen = "[\\s\\p{Default_Ignorable_Code_Point}]*"

/**
 * The reason why a run ended may hold words of its own, such as an invented key. They are outside of its
 * envelope.
 */
const aside = (text: string): string => enclosed("report", toOneLine(text))

export const noAnswerText =
  "No answer came in time. Go on with what you know, and say in your report what you assumed."

export const writeDefaultAnswer = (text: string): string =>
  `No answer came in time, so your default answer applies: ${text}`

/** A run that had already ended has no agent here. Its report was passed on before. */
export const describeWaitedRuns = (
  runs: readonly (Sender & { readonly child: Child | undefined })[],
): string =>
  runs
    .map(({ run, agent, child }) => {
      if (agent === "") return `- ${run}: had already ended; read its report with AgentReport`
      const how = child?.asks
        ? "waits for your answer: AgentSend"
        : child
          ? "still running"
          : "ended; its report comes as a message"
      return `- ${run} (${agent}): ${how}`
    })
    .join("\n") || "None of your subagents is running."

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

export function describeOutcome(outcome: RunOutcome): string {
  switch (outcome.type) {
    case "completed":
      return "completed"
    case "timed-out":
      return outcome.clock === "timeout" ? "timed out" : "timed out without any activity"
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
