import type { AgentSource } from "../../../agent/agent.ts"
import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { locateUserConfiguration } from "../../../definitions/configuration/folders.ts"
import { escapeJson, escapeLines } from "../../../ground/diagnostics/escape-text.ts"
import { createPainter } from "../../../ground/diagnostics/paint.ts"
import type { PendingApproval, RunResult } from "../../../run/drive/proof.ts"
import { type RunReport, readReport } from "../../../run/explain/report.ts"
import { findStandingAnswer } from "../../../run/explain/standing-answer.ts"
import type { RunHandle } from "../../../run/face/handle.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import type { LiveEvent } from "../../../run/log/event.ts"
import type { LastingApproval } from "../../../run/log/event-rights.ts"
import type { Store } from "../../../run/log/store.ts"
import type { CommandContext } from "../command.ts"
import { type ExitCode, exitCode, getResultCode, type Signal, signalCodes } from "../exit-code.ts"
import { getHomeFolder } from "../settings.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import {
  type ApprovalAnswer,
  type ApprovalAsker,
  createAsker,
  createTerminalAsker,
} from "./approval-asker.ts"
import { writeClosingReport } from "./closing-report.ts"
import { type DriveResult, drive } from "./drive.ts"
import { hideEnvironment } from "./hide-environment.ts"
import { createLiveScreen } from "./live-screen.ts"
import { notifyPerson } from "./notify.ts"
import type { Driving } from "./options.ts"
import { createPlainLines } from "./plain-lines.ts"
import { type ResultParts, toResultJson } from "./result-json.ts"
import { resumeLine } from "./resume-command.ts"
import { readWaitingCall, type WaitingCall } from "./waiting-call.ts"
import type { Watcher } from "./watcher.ts"

type Around = Pick<
  CommandContext,
  | "environment"
  | "stdout"
  | "stderr"
  | "stdin"
  | "screen"
  | "onSignal"
  | "colour"
  | "isTerminal"
  | "directory"
>

/** The runtime that drives runs, their store, and the known agents. */
interface Runs {
  readonly runtime: Runtime
  readonly store: Store
  readonly agents: AgentSource
  readonly configuration: Pick<Configuration, "unattended" | "notify">
}

/** Drives a run to its end. Progress and the summary go to stderr, the result to stdout. */
export async function conduct(
  runs: Runs,
  handle: RunHandle,
  driving: Driving,
  context: Around,
  notes: readonly string[] = [],
): Promise<ExitCode> {
  const begun = Date.now()
  const driven = await watchRun(runs, handle, driving, context, notes)
  const { result } = driven
  const questions = await readWaitingCalls(runs, result)
  const report = await readCountedReport(runs.store, result.run)
  const resume = resumeLine(result.run, driving)
  const { first, last } = writeClosingReport(result, questions, report, {
    paint: createPainter(context.colour),
    directory: context.directory,
    resume,
    ...(driven.signal && { signal: driven.signal }),
  })
  context.stderr.write(first.map((line) => `${line}\n`).join(""))
  context.stdout.write(resultText(result, { questions, report, resume }, driving, context))
  context.stderr.write(last.map((line) => `${line}\n`).join(""))
  if (driven.signal === undefined)
    await notifyPerson(
      {
        result,
        took: Date.now() - begun,
        notify: runs.configuration.notify,
        command: driving.notify,
      },
      context,
    )
  return getExitCode(driven)
}

/** The report of a run with the lines that it changed. Comparing texts loads with the first run that has made calls. */
async function readCountedReport(store: Store, run: string): Promise<RunReport> {
  const report = await readReport(store, run)
  if (report.agents.every(({ calls }) => Object.keys(calls).length === 0)) return report
  const { readFileCounts } = await import("../../../run/explain/file-counts.ts")
  return { ...report, changes: await readFileCounts(store, run) }
}

export const readWaitingCalls = (
  { store }: Pick<Runs, "store">,
  { approvals }: RunResult,
): Promise<readonly WaitingCall[]> =>
  Promise.all(approvals.map((approval) => readWaitingCall(store, approval)))

export function getExitCode({ result, signal }: DriveResult): ExitCode {
  if (signal !== undefined) return signalCodes[signal]
  const { outcome } = result
  if (outcome?.type === "cancelled" && outcome.reason.endsWith(unattendedReason)) return exitCode.problems
  return getResultCode(result)
}

/** Drives a run to its end and shows its progress, without printing the result. */
export function watchRun(
  runs: Runs,
  handle: RunHandle,
  driving: Driving,
  context: Around,
  notes: readonly string[] = [],
  onEvent: (event: LiveEvent) => void = () => {},
): Promise<DriveResult> {
  const { stdout, onSignal } = context
  hideEnvironment(context.environment)
  const watcher = watcherOf(driving, context, runs.agents)
  for (const note of notes) watcher.note(note)
  return drive(runs.runtime, handle, {
    asks: asksFor(runs, driving, watcher, context),
    see(event) {
      watcher.see(event)
      onEvent(event)
      if (driving.print === "jsonl") stdout.write(jsonLine(event))
    },
    onInterrupt: (signal) => watcher.note(interruptedText(signal)),
    ...(onSignal && { onSignal }),
  }).finally(() => watcher.end())
}

const interruptedText = (signal: Signal): string =>
  `Interrupted (${signal}). Stopping what is in flight.${signal === "SIGINT" ? " Press Ctrl-C again to stop at once." : ""}`

const silent: Watcher = { see() {}, note() {}, pause() {}, go() {}, end() {} }

function watcherOf({ print }: Driving, context: Around, agents: AgentSource): Watcher {
  // JSON lines and the live screen would garble each other on one terminal.
  if (print === "jsonl" && context.isTerminal) return silent
  return context.screen ? createLiveScreen(context, context.screen, agents) : createPlainLines(context.stderr)
}

function asksFor(
  { runtime, store, configuration }: Runs,
  { asks, unattended = configuration.unattended }: Driving,
  watcher: Watcher,
  { stdin, screen, stderr, environment, colour, directory }: Around,
): ApprovalAsker {
  if (asks !== "person")
    return createAsker(runtime, async ({ question }) =>
      // A program's question needs a person: `--yes` approves calls, and has no values to give.
      question
        ? { decision: "answer", answer: { action: asks === "deny" ? "decline" : "cancel" } }
        : answers[asks],
    )
  const standing = async (approval: PendingApproval): Promise<ApprovalAnswer | undefined> => {
    const lasting = await findStandingAnswer(store, approval)
    return lasting && { decision: "allow", note: lastingNote(lasting) }
  }
  if (!screen || !stdin?.isTerminal)
    return createAsker(
      runtime,
      async (approval) => (await standing(approval)) ?? withoutPerson(approval, unattended),
    )
  const home = getHomeFolder({ environment })
  return createTerminalAsker(
    runtime,
    { decide: standing, read: (approval) => readWaitingCall(store, approval) },
    {
      input: stdin,
      watcher,
      write: (text) => void stderr.write(text),
      paint: createPainter(colour),
      directory,
      configuration: locateUserConfiguration(environment, home),
    },
  )
}

const lastingNote = (lasting: LastingApproval): string =>
  lasting === "same"
    ? "The same call was allowed for the whole run."
    : `Allowed in this run by ${lasting.rules.join(", ")}, which a person added.`

/** The answer where there is no terminal, as the user has set it. */
function withoutPerson(
  { tool, question }: PendingApproval,
  unattended: NonNullable<Driving["unattended"]>,
): ApprovalAnswer {
  switch (unattended) {
    case "rest":
      return { decision: "leave" }
    case "fail":
      return { decision: "stop", reason: `${tool} ${unattendedReason}` }
    case "deny":
      return question
        ? { decision: "answer", answer: { action: "decline" } }
        : { decision: "deny", note: `Denied: ${tool} needs approval, and there is no person to ask.` }
  }
}

const unattendedReason = "needs approval, and no person can be asked here"

const answers = {
  allow: { decision: "allow", note: "Approved by --yes." },
  refuse: { decision: "deny", note: "Denied: there is no terminal to ask on." },
  deny: { decision: "deny", note: "Denied by --deny: every call that needs approval is denied in this run." },
} as const

function resultText(
  result: RunResult,
  more: ResultParts,
  { print }: Driving,
  { isTerminal }: Around,
): string {
  switch (print) {
    case "json":
      return writeJsonText(toResultJson(result, more))
    case "jsonl":
      return jsonLine({ type: "result", ...toResultJson(result, more) })
    case "text":
      return result.output === "" ? "" : `${isTerminal ? safeText(result.output) : result.output}\n`
  }
}

const jsonLine = (value: unknown): string => `${escapeJson(JSON.stringify(value))}\n`

/** Escapes control characters, which a terminal would obey. Tabs stay. */
const safeText = (text: string): string => text.split("\t").map(escapeLines).join("\t")
