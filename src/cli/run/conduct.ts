import { escapeJson, escapeLines } from "../../diagnostics/escape-text.ts"
import type { RunHandle } from "../../run/handle.ts"
import type { RunResult } from "../../run/proof.ts"
import type { Runtime } from "../../run/runtime.ts"
import type { CommandContext } from "../command.ts"
import { type ExitCode, resultCode, signalCodes } from "../exit-code.ts"
import { jsonText } from "../json-text.ts"
import { type Asks, asksOf, personAsks } from "./asks.ts"
import { type Driven, drive } from "./drive.ts"
import { liveScreen } from "./live-screen.ts"
import type { Driving } from "./options.ts"
import { plainLines } from "./plain-lines.ts"
import { resultJson } from "./result-json.ts"
import { summary } from "./summary.ts"
import type { Watcher } from "./watcher.ts"

type Around = Pick<
  CommandContext,
  "stdout" | "stderr" | "stdin" | "screen" | "onSignal" | "colour" | "isTerminal"
>

/** Drives a run to its end in front of whoever is there: what happens on stderr, what it came to on stdout. */
export async function conduct(
  runtime: Runtime,
  handle: RunHandle,
  driving: Driving,
  context: Around,
  notes: readonly string[] = [],
): Promise<ExitCode> {
  const driven = await watchRun(runtime, handle, driving, context, notes)
  context.stdout.write(printed(driven.result, driving, context))
  context.stderr.write(
    summary(driven.result)
      .map((line) => `${line}\n`)
      .join(""),
  )
  return codeOf(driven)
}

export const codeOf = ({ result, signal }: Driven): ExitCode =>
  signal === undefined ? resultCode(result) : signalCodes[signal]

/** The same without what it came to. */
export function watchRun(
  runtime: Runtime,
  handle: RunHandle,
  driving: Driving,
  context: Around,
  notes: readonly string[] = [],
): Promise<Driven> {
  const { stdout, onSignal } = context
  const watcher = watcherOf(driving, context)
  for (const note of notes) watcher.note(note)
  return drive(runtime, handle, {
    asks: asksFor(runtime, driving, watcher, context),
    see(event) {
      watcher.see(event)
      if (driving.print === "jsonl") stdout.write(jsonLine(event))
    },
    ...(onSignal && { onSignal }),
  }).finally(() => watcher.end())
}

const silent: Watcher = { see() {}, note() {}, pause() {}, go() {}, end() {} }

function watcherOf({ print }: Driving, context: Around): Watcher {
  // Lines of JSON and a drawing on one terminal would be neither.
  if (print === "jsonl" && context.isTerminal) return silent
  return context.screen ? liveScreen(context, context.screen) : plainLines(context.stderr)
}

function asksFor(
  runtime: Runtime,
  { asks }: Driving,
  watcher: Watcher,
  { stdin, screen, stderr }: Around,
): Asks {
  if (asks !== "person") return asksOf(runtime, async () => answers[asks])
  if (!screen || !stdin?.isTerminal) return asksOf(runtime, async () => ({ decision: "leave" }))
  return personAsks(runtime, stdin, watcher, (text) => stderr.write(text))
}

const answers = {
  allow: { decision: "allow", note: "Every call that asks was allowed with --yes." },
  deny: { decision: "deny", note: "Every call that asks is denied here, and nobody can be asked." },
} as const

function printed(result: RunResult, { print }: Driving, { isTerminal }: Around): string {
  switch (print) {
    case "json":
      return jsonText(resultJson(result))
    case "jsonl":
      return jsonLine({ type: "result", ...resultJson(result) })
    case "text":
      return result.output === "" ? "" : `${isTerminal ? shown(result.output) : result.output}\n`
  }
}

const jsonLine = (value: unknown): string => `${escapeJson(JSON.stringify(value))}\n`

/** A terminal obeys what it is sent; tabs are all that a text needs of that. */
const shown = (text: string): string => text.split("\t").map(escapeLines).join("\t")
