import { clip } from "../../../ground/diagnostics/cells.ts"
import { displayWidth } from "../../../ground/diagnostics/display-width.ts"
import { escapeLines, escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { Paint } from "../../../ground/diagnostics/paint.ts"
import { CallReader, type CallRecord } from "../../../run/explain/calls.ts"
import type { RunEvent } from "../../../run/log/event.ts"
import { describeCause } from "../run/cause-text.ts"
import { callWords, describeResult } from "../run/finished-call.ts"
import { describeSamplingEnd } from "../run/sampling-text.ts"
import { stepOf, stepPathText } from "../run/step-text.ts"
import { formatDuration, nameOutcome } from "../run/words.ts"
import { cutToOneLine } from "../terminal/table.ts"

export interface StoryOptions {
  /** The run whose log is told. Times count from its first event. */
  readonly run: string
  /** Absent: lines are not cut to a width. */
  readonly columns?: number | undefined
  readonly paint: Paint
  readonly directory: string
  /** `whole`: with all arguments, results and replies. */
  readonly detail: "short" | "whole"
  /** Tells only the runs of this agent. */
  readonly agent?: string | undefined
  /** `failed`: tells only calls that failed, were denied, were invalid or have an unknown outcome. */
  readonly calls: "all" | "failed"
}

/**
 * Tells the log of a tree as a story: takes its events in the order of the log, and returns the lines of each.
 * A call is one line, at its end. Runs below are indented.
 */
export function createStory(options: StoryOptions): (event: RunEvent) => readonly string[] {
  const reader = new CallReader()
  const failed = options.calls === "failed"
  let start: number | undefined
  let lastRun: string | undefined

  return (event) => {
    const ended = reader.take(event)
    start ??= event.at
    if (options.agent !== undefined && reader.agentOf(event.run) !== options.agent) return []
    const told = ended
      ? failed && !isFailed(ended)
        ? []
        : callTold(ended, options)
      : failed
        ? []
        : eventTold(event, reader, options)
    if (told.length === 0) return []
    const depth = event.run.split(".").length - options.run.split(".").length
    const lines = told.map((one) => lineOf(one, { at: event.at - start!, depth }, options))
    const isNamed = event.type === "run-start" || event.run === lastRun
    lastRun = event.run
    // Calls of several runs alternate, so each change names the run.
    return isNamed ? lines : [nameLine(reader.agentOf(event.run), event.run, depth, options), ...lines]
  }
}

/** One line: a mark, the text, and a note that is cut first. `level`: a run, or something that it did. */
interface Told {
  readonly mark: "✓" | "✗" | "?" | " "
  readonly text: string
  readonly note?: string
  readonly level: 0 | 1
  /** More lines below it, whole. */
  readonly more?: readonly string[]
}

const timeWidth = 8
const longest = 160

function lineOf(
  { mark, text, note, level, more = [] }: Told,
  { at, depth }: { readonly at: number; readonly depth: number },
  { columns, paint }: StoryOptions,
): string {
  const time = formatDuration(at).padStart(timeWidth)
  const indent = indentOf(depth, level)
  const head = `${time}  ${indent}${mark === " " ? "" : `${mark} `}`
  const body = escapeText(text)
  const aside = note === undefined ? "" : `  ${escapeText(note)}`
  const room = columns === undefined ? undefined : Math.max(8, columns - head.length)
  const [shown, faint] = room === undefined ? [body, aside] : fitNote(body, aside, room)
  const painted = `${paint("faint", time)}  ${indent}${paintMark(mark, paint)}${level === 0 ? paint("strong", shown) : shown}${paint("faint", faint)}`
  return [painted, ...more.map((line) => `${" ".repeat(timeWidth + 2)}${indent}    ${line}`)].join("\n")
}

/** The note gets what the text leaves, and at most two fifths of the room where both are long. */
function fitNote(body: string, aside: string, room: number): readonly [string, string] {
  const share = Math.floor((room * 2) / 5)
  const wide = displayWidth(aside)
  const shown = clip(body, wide === 0 ? room : room - Math.min(wide, share))
  const remaining = room - displayWidth(shown)
  return [shown, remaining < leastNote ? "" : clip(aside, remaining)]
}

/** A shorter note says nothing. */
const leastNote = 10

/** Deep trees keep room for the text. */
const indentOf = (depth: number, level: 0 | 1): string => "  ".repeat(Math.min(depth, 8) + level)

function paintMark(mark: Told["mark"], paint: Paint): string {
  if (mark === " ") return ""
  return `${mark === "✓" ? paint("added", mark) : paint(mark === "✗" ? "error" : "warning", mark)} `
}

const nameLine = (agent: string, run: string, depth: number, { columns, paint }: StoryOptions): string => {
  const head = `${" ".repeat(timeWidth + 2)}${indentOf(depth, 0)}`
  const name = escapeText(nameOf(agent, run))
  return `${head}${paint("strong", columns === undefined ? name : clip(name, Math.max(8, columns - head.length)))}`
}

const nameOf = (agent: string, run: string): string =>
  `${cutToOneLine(agent, 40)}${run.includes(".") ? ` ${run.slice(run.indexOf("."))}` : ""}`

const isFailed = ({ status }: Pick<CallRecord, "status">): boolean =>
  status !== "ok" && status !== "skipped" && status !== "open"

function callTold(call: CallRecord, options: StoryOptions): readonly Told[] {
  const { tool, arguments: text, status } = call
  const mark = status === "ok" ? "✓" : isFailed(call) && status !== "unknown" ? "✗" : "?"
  const result = describeResult(call)
  return [
    {
      mark,
      level: 1,
      text: `${callWords(tool, text)}${result === "" ? "" : ` → ${result}`}`,
      ...(call.by && {
        note: `${call.status === "denied" ? "denied" : "allowed"} by ${describeCause(call.by, options.directory)}`,
      }),
      ...(options.detail === "whole" && { more: [...blockOf(text), ...blockOf(call.text)] }),
    },
  ]
}

const blockOf = (text: string): readonly string[] => (text === "" ? [] : escapeLines(text).split("\n"))

function eventTold(
  event: RunEvent,
  reader: CallReader,
  { detail, directory }: StoryOptions,
): readonly Told[] {
  const tell = (text: string, mark: Told["mark"] = " "): readonly Told[] => [
    { mark, level: 1, text: cutToOneLine(text, longest) },
  ]
  switch (event.type) {
    case "run-start": {
      const task = event.task || event.opening || ""
      const name = nameOf(event.agent, event.run)
      return [
        {
          mark: " ",
          level: 0,
          text: `${name}: ${cutToOneLine(task, longest)}`,
          ...(detail === "whole" && { more: blockOf(task) }),
        },
      ]
    }
    case "child-start": {
      const { gains = [], lacks = [], agent } = event
      const parts = [
        ...(gains.length > 0 ? [`gains ${gains.join(", ")}`] : []),
        ...(lacks.length > 0 ? [`goes without ${lacks.map(({ tool }) => tool).join(", ")}`] : []),
      ]
      return parts.length > 0 ? tell(`starts ${agent}, which ${parts.join(" and ")}`) : []
    }
    case "run-resume":
      return tell("resumed", "?")
    case "run-release":
      return tell(`interrupted: ${event.reason}`, "?")
    case "model-end":
      return detail === "whole" && event.text !== ""
        ? [{ mark: " ", level: 1, text: "says:", more: blockOf(event.text) }]
        : []
    case "model-retry":
      return tell(`asks its model again: ${event.error.message}`, "?")
    case "model-fallback":
      return tell(`tries the next model: ${event.error.message}`, "?")
    case "compaction-end":
      return tell("has summarized its history")
    case "approval-start": {
      const call = reader.find(event.run, event.call)
      const because = event.by ? `, asked by ${describeCause(event.by, directory)}` : ""
      return tell(
        `waits for approval of ${event.call}${call ? ` ${callWords(call.tool, call.arguments)}` : ""}${because}`,
        "?",
      )
    }
    case "approval-end":
      return tell(
        `${event.call} was ${event.decision === "allow" ? "approved" : "denied"}${event.note === undefined ? "" : `: ${event.note}`}`,
      )
    case "sampling-ask": {
      const { from, messages } = event.request
      return [
        {
          mark: " ",
          level: 1,
          text: cutToOneLine(`${from} asks the model in ${event.call}`, longest),
          ...(detail === "whole" && { more: messages.flatMap(({ text }) => blockOf(text)) }),
        },
      ]
    }
    case "sampling-retry":
      return tell(`asks its model again: ${event.error.message}`, "?")
    case "sampling-end":
      return tell(describeSamplingEnd(event), event.reply.type === "refused" ? "?" : " ")
    case "message-add":
      return tell(`message from ${event.from}: ${event.text}`)
    case "cancel-request":
      return tell(`told to stop: ${event.reason}`, "?")
    case "hook-end":
    case "moment-end": {
      const block = event.type === "moment-end" ? event.block : undefined
      if (block) {
        const who = block.hook === undefined ? "a hook" : `hook "${block.hook}"`
        return tell(`${who} objects: ${block.reason}`, "?")
      }
      const step = stepOf(event)
      return step ? tell(`step: ${stepPathText(step)}`) : []
    }
    case "changes-undone":
      return tell(
        `its changes to ${event.files.length} ${event.files.length === 1 ? "file" : "files"} were ${event.way === "undo" ? "undone" : "made again"}${event.of === event.run ? "" : ` (run ${event.of})`}`,
      )
    case "run-end": {
      const mark = event.outcome.type === "completed" ? "✓" : "✗"
      const output = cutToOneLine(event.output, longest)
      const text = `${nameOutcome(event.outcome)}${output === "" ? "" : `: ${output}`}`
      return [{ mark, level: 1, text, ...(detail === "whole" && { more: blockOf(event.output) }) }]
    }
    default:
      return []
  }
}
