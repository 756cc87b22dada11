import type { AgentSource } from "../../../agent/agent.ts"
import { escapeJson, escapeLines } from "../../../ground/diagnostics/escape-text.ts"
import type { RunResult } from "../../../run/drive/proof.ts"
import type { RunHandle } from "../../../run/face/handle.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import type { LiveEvent } from "../../../run/log/event.ts"
import type { Store } from "../../../run/log/store.ts"
import type { CommandContext } from "../command.ts"
import { type ExitCode, resultCode, signalCodes } from "../exit-code.ts"
import { jsonText } from "../terminal/json-text.ts"
import { type Asked, readAsked } from "./asked.ts"
import { type Asks, asksOf, personAsks } from "./asks.ts"
import { type Driven, drive } from "./drive.ts"
import { hideEnvironment } from "./hide-environment.ts"
import { liveScreen } from "./live-screen.ts"
import type { Driving } from "./options.ts"
import { plainLines } from "./plain-lines.ts"
import { resultJson } from "./result-json.ts"
import { summary } from "./summary.ts"
import type { Watcher } from "./watcher.ts"

type Around = Pick<
  CommandContext,
  "environment" | "stdout" | "stderr" | "stdin" | "screen" | "onSignal" | "colour" | "isTerminal"
>

/** What drives runs, and where they are kept. */
interface Runs {
  readonly runtime: Runtime
  readonly store: Store
  readonly agents: AgentSource
}

/** Drives a run to its end in front of whoever is there: what happens on stderr, what it came to on stdout. */
export async function conduct(
  runs: Runs,
  handle: RunHandle,
  driving: Driving,
  context: Around,
  notes: readonly string[] = [],
): Promise<ExitCode> {
  const driven = await watchRun(runs, handle, driving, context, notes)
  const { result } = driven
  const asked = await askedOf(runs, result)
  context.stdout.write(printed(result, asked, driving, context))
  context.stderr.write(
    summary(result, asked)
      .map((line) => `${line}\n`)
      .join(""),
  )
  return codeOf(driven)
}

export const askedOf = (
  { store }: Pick<Runs, "store">,
  { approvals }: RunResult,
): Promise<readonly Asked[]> => Promise.all(approvals.map((approval) => readAsked(store, approval)))

export const codeOf = ({ result, signal }: Driven): ExitCode =>
  signal === undefined ? resultCode(result) : signalCodes[signal]

/** The same without what it came to. */
export function watchRun(
  runs: Runs,
  handle: RunHandle,
  driving: Driving,
  context: Around,
  notes: readonly string[] = [],
  heard: (event: LiveEvent) => void = () => {},
): Promise<Driven> {
  const { stdout, onSignal } = context
  hideEnvironment(context.environment)
  const watcher = watcherOf(driving, context, runs.agents)
  for (const note of notes) watcher.note(note)
  return drive(runs.runtime, handle, {
    asks: asksFor(runs, driving, watcher, context),
    see(event) {
      watcher.see(event)
      heard(event)
      if (driving.print === "jsonl") stdout.write(jsonLine(event))
    },
    ...(onSignal && { onSignal }),
  }).finally(() => watcher.end())
}

const silent: Watcher = { see() {}, note() {}, pause() {}, go() {}, end() {} }

function watcherOf({ print }: Driving, context: Around, agents: AgentSource): Watcher {
  // Lines of JSON and a drawing on one terminal would be neither.
  if (print === "jsonl" && context.isTerminal) return silent
  return context.screen ? liveScreen(context, context.screen, agents) : plainLines(context.stderr)
}

function asksFor(
  { runtime, store }: Runs,
  { asks }: Driving,
  watcher: Watcher,
  { stdin, screen, stderr }: Around,
): Asks {
  if (asks !== "person") return asksOf(runtime, async () => answers[asks])
  if (!screen || !stdin?.isTerminal) return asksOf(runtime, async () => ({ decision: "leave" }))
  return personAsks(runtime, (approval) => readAsked(store, approval), {
    input: stdin,
    watcher,
    write: (text) => void stderr.write(text),
  })
}

const answers = {
  allow: { decision: "allow", note: "Every call that asks was allowed with --yes." },
  deny: { decision: "deny", note: "Every call that asks is denied here, and nobody can be asked." },
} as const

function printed(
  result: RunResult,
  asked: readonly Asked[],
  { print }: Driving,
  { isTerminal }: Around,
): string {
  switch (print) {
    case "json":
      return jsonText(resultJson(result, asked))
    case "jsonl":
      return jsonLine({ type: "result", ...resultJson(result, asked) })
    case "text":
      return result.output === "" ? "" : `${isTerminal ? shown(result.output) : result.output}\n`
  }
}

const jsonLine = (value: unknown): string => `${escapeJson(JSON.stringify(value))}\n`

/** A terminal obeys what it is sent; tabs are all that a text needs of that. */
const shown = (text: string): string => text.split("\t").map(escapeLines).join("\t")
