import { escapeJson, escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { createPainter } from "../../../ground/diagnostics/paint.ts"
import type { Attachment } from "../../../ground/message.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import { lacksDefinition } from "../../../run/log/damage.ts"
import type { RunEvent } from "../../../run/log/event.ts"
import type { Lack, LackBelow } from "../../../run/log/event-rights.ts"
import { getRootRun, isRunId } from "../../../run/log/id.ts"
import type { LogPiece } from "../../../run/log/store.ts"
import { upcast } from "../../../run/log/upcast.ts"
import { type CommandContext, defineCommand } from "../command.ts"
import { type ExitCode, exitCode, signalCodes } from "../exit-code.ts"
import { stepOf, stepPathText } from "../run/step-text.ts"
import { describeDamage } from "../stored-runs/damaged-log.ts"
import { findRun } from "../stored-runs/find-run.ts"
import { storeOf, withRuntime } from "../stored-runs/runs.ts"
import { createStory } from "../stored-runs/story.ts"
import { cutToOneLine, formatTable } from "../terminal/table.ts"
import { UsageError } from "../usage-error.ts"

export const logCommand = defineCommand({
  name: "log",
  summary: "Show what a run and its subagents did",
  arguments: [
    { name: "id", doc: "The run: an id, the beginning of one, `last` or `last:AGENT`", complete: "run" },
  ],
  options: {
    full: { type: "flag", doc: "Show whole arguments, results and replies" },
    failed: { type: "flag", doc: "Show only calls that failed, were denied or were invalid" },
    agent: { type: "value", value: "NAME", doc: "Show only the runs of this agent", complete: "agent" },
    follow: {
      type: "flag",
      short: "f",
      doc: "Keep printing new events until the run ends, whichever process drives it",
    },
    events: { type: "flag", doc: "Print one line per recorded event: time, run, event" },
    json: { type: "flag", doc: "Print the recorded events, one JSON object per line" },
  },
  examples: [
    { line: "cadre log last", doc: "Show each call: its result, who allowed it, and by which rule" },
    { line: "cadre log last --failed", doc: "Show only what failed or was denied" },
    { line: "cadre log ID --follow", doc: "Watch a run that another process drives" },
    {
      line: "cadre log ID --json | jq 'select(.type == \"tool-end\")'",
      doc: "Print only the results of tools",
    },
  ],
  async run({ arguments: { id: word }, options, ...context }) {
    if (options.json && options.events) throw new UsageError("Use --json or --events, not both.")
    const raw = options.json ? "json" : options.events ? "events" : undefined
    const storyOnly = (["full", "failed", "agent"] as const).find((name) => options[name] !== undefined)
    if (raw !== undefined && storyOnly !== undefined)
      throw new UsageError(`--${storyOnly} does not work with --${raw}, which prints the recorded events.`)
    const id = await findRun(word, context)
    const { stdout, environment } = context
    const print = options.json
      ? jsonLine
      : options.events
        ? (event: RunEvent) => `${formatTable([lineOf(event, id)])}\n`
        : printStory(id, options, context)
    return withRuntime(context, async (runtime) => {
      const { pieces, undefinedRuns } = await piecesOf(environment, id)
      const damage = pieces.filter((piece) => piece.type === "damage")
      // Throws if there is no such run.
      if (pieces.length === 0) await runtime.read(id)
      if (options.follow && damage.length === 0) return follow(runtime, id, context, print)
      if (options.json) for (const piece of pieces) stdout.write(pieceLine(piece))
      else if (options.events) stdout.write(`${formatTable(pieces.map((piece) => rowOf(piece, id)))}\n`)
      else tellPieces(pieces, id, print, context)
      for (const run of undefinedRuns)
        context.stderr.write(
          `The definition that run ${run} started with is missing, so the run cannot be resumed.\n`,
        )
      if (damage.length === 0) return undefinedRuns.length > 0 ? exitCode.problems : exitCode.fine
      const isStart = (piece: LogPiece) =>
        piece.type === "event" && piece.event.run === getRootRun(id) && piece.event.seq === 0
      const start = pieces.some(isStart) || id !== getRootRun(id) ? "there" : "lost"
      const owner = damage.some((piece) => piece.owner) ? "lost" : "known"
      const description = describeDamage({ reasons: damage.map(({ reason }) => reason), start, owner }, id)
      context.stderr.write(`${escapeText(`The log is incomplete: ${description}`)}\n`)
      return exitCode.problems
    })
  },
})

type PrintEvent = (event: RunEvent) => string

type StoryContext = Pick<
  CommandContext,
  "stdout" | "stderr" | "isTerminal" | "columns" | "colour" | "directory"
>

function printStory(
  run: string,
  { full, failed, agent }: { full?: true | undefined; failed?: true | undefined; agent?: string | undefined },
  { isTerminal, columns = 80, colour, directory }: StoryContext,
): PrintEvent {
  const tell = createStory({
    run,
    columns: isTerminal ? columns : undefined,
    paint: createPainter(colour),
    directory,
    detail: full ? "whole" : "short",
    agent,
    calls: failed ? "failed" : "all",
  })
  return (event) =>
    tell(event)
      .map((line) => `${line}\n`)
      .join("")
}

/** Tells the readable events in their order. A gap is one line. */
function tellPieces(
  pieces: readonly LogPiece[],
  id: string,
  print: PrintEvent,
  { stdout, stderr }: StoryContext,
): void {
  let text = ""
  let toldSize = 0
  for (const piece of pieces) {
    if (piece.type === "damage") {
      text += `DAMAGED  ${(piece.run ?? id).slice(id.length)}  ${cutToOneLine(escapeText(piece.reason), 200)}\n`
      continue
    }
    const event = upcast(piece.event)
    if (event) text += print(event)
    if (text.length < writeSize) continue
    stdout.write(text)
    toldSize += text.length
    text = ""
  }
  stdout.write(text)
  if (toldSize + text.length === 0) stderr.write("No call or run matches.\n")
}

/** A long log is written in pieces of this many characters. */
const writeSize = 65_536

/** Prints events until the run ends or the user stops the command. A resting run does not end it. */
async function follow(
  runtime: Runtime,
  id: string,
  { stdout, onSignal }: Pick<CommandContext, "stdout" | "onSignal">,
  print: PrintEvent,
): Promise<ExitCode> {
  const enough = new AbortController()
  let code: ExitCode = exitCode.fine
  const unlisten = onSignal?.((signal) => {
    // A reader that closes the pipe is no failure.
    if (signal !== "SIGPIPE") code = signalCodes[signal]
    enough.abort()
  })
  try {
    for await (const event of runtime.follow(getRootRun(id), enough.signal)) {
      if (event.run !== id && !event.run.startsWith(`${id}.`)) continue
      stdout.write(print(event))
      if (event.run === id && event.type === "run-end") break
    }
    return code
  } finally {
    enough.abort()
    unlisten?.()
  }
}

const jsonLine = (event: RunEvent): string => `${escapeJson(JSON.stringify(event))}\n`

const pieceLine = (piece: LogPiece): string =>
  piece.type === "event"
    ? jsonLine(piece.event as unknown as RunEvent)
    : `${escapeJson(JSON.stringify(piece))}\n`

/** The recorded events of a run and the runs below it, with a damage piece at each gap. */
async function piecesOf(
  environment: Readonly<Record<string, string | undefined>>,
  id: string,
): Promise<{ readonly pieces: readonly LogPiece[]; readonly undefinedRuns: readonly string[] }> {
  const store = storeOf({ environment })
  const isOf = (run: string) => run === id || run.startsWith(`${id}.`)
  const allPieces: LogPiece[] = []
  const undefinedRuns: string[] = []
  const knownRuns = new Set<string>()
  for await (const piece of (isRunId(id) && store.examine?.(getRootRun(id))) || []) {
    if (piece.type === "event") knownRuns.add(piece.event.run)
    if (piece.type === "event" && !isOf(piece.event.run)) continue
    allPieces.push(piece)
    if (piece.type === "event" && (await lacksDefinition(store, piece.event)))
      undefinedRuns.push(piece.event.run)
  }
  // A damaged line may name a run that does not exist. Such a line can belong to any run of the tree.
  const pieces = allPieces.filter(
    (piece) =>
      piece.type === "event" || piece.run === undefined || isOf(piece.run) || !knownRuns.has(piece.run),
  )
  await store.close()
  return { pieces, undefinedRuns }
}

const rowOf = (piece: LogPiece, id: string): readonly string[] =>
  piece.type === "event"
    ? lineOf(piece.event as unknown as RunEvent, id)
    : ["", (piece.run ?? id).slice(id.length), "DAMAGED", cutToOneLine(piece.reason, 200)]

function lineOf(event: RunEvent, id: string): readonly string[] {
  const { run, seq: _, at, v: __, type, ...rest } = event
  const below = run === id ? "" : run.slice(id.length)
  const step = stepOf(event)
  const details = detail(rest)
  return [
    new Date(at).toISOString(),
    below,
    type,
    cutToOneLine(step ? `step: ${stepPathText(step)}${details && `; ${details}`}` : details, 100),
  ]
}

/** The most important parts of an event, in a fixed order. */
function detail(rest: Readonly<Record<string, unknown>>): string {
  const keysInOrder = [
    "agent",
    "gains",
    "lacks",
    "id",
    "hook",
    "block",
    "continues",
    "fallbackOf",
    "dedupe",
    "task",
    "attachments",
    "unseen",
    "tool",
    "text",
    "finish",
    "error",
    "result",
    "outcome",
    "cached",
    "output",
    "reason",
    "reasons",
    "restored",
    "lost",
    "kept",
    "problems",
    "call",
    "child",
  ]
  const presentKeys = keysInOrder.filter((key) => rest[key] !== undefined && rest[key] !== "")
  return presentKeys.map((key) => `${key}: ${valueText(key, rest[key])}`).join("; ")
}

function valueText(key: string, value: unknown): string {
  if (key === "gains") return (value as readonly string[]).join(", ")
  if (key === "attachments" || key === "unseen")
    return (value as readonly Pick<Attachment, "name" | "mediaType">[])
      .map(({ name, mediaType }) => name ?? mediaType)
      .join(", ")
  if (key === "error") return String((value as { readonly message?: unknown }).message ?? value)
  if (key === "lacks") return (value as readonly (Lack | LackBelow)[]).map(lackText).join(", ")
  return typeof value === "string" ? value : JSON.stringify(value)
}

const lackText = (lack: Lack | LackBelow): string =>
  "tool" in lack ? lack.tool : `${lack.agent} (${lack.lacks.map(({ tool }) => tool).join(", ")})`
