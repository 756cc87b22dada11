import { clip } from "../../../ground/diagnostics/cells.ts"
import { displayWidth } from "../../../ground/diagnostics/display-width.ts"
import type { Paint, Style } from "../../../ground/diagnostics/paint.ts"
import type { Usage } from "../../../ground/message.ts"
import { addUsage, noUsage } from "../../../ground/usage.ts"
import type { AskedCall, LiveEvent, RunEvent } from "../../../run/log/event.ts"
import { type ModelWait, modelWait } from "../../../run/log/event-model.ts"
import type { Outcome } from "../../../run/log/event-outcome.ts"
import type { Size } from "../command.ts"
import { inItsColour, type Looks, labelled } from "../shown-agent.ts"
import { callText } from "./call-text.ts"
import { costText, durationText, outcomeText, tokensText, waitText } from "./words.ts"

/** A tree of runs as a person watches it: one line a run. */
export type View = ReadonlyMap<string, ViewedRun>

export interface ViewedRun {
  readonly run: string
  readonly agent: string
  readonly startedAt: number
  readonly turn: number
  readonly usage: Usage
  /** Calls that have begun and not ended, and those that a person is asked about. */
  readonly calls: ReadonlyMap<string, ViewedCall>
  /** `runs`: it has said its last and waits for what it started. */
  readonly waits: "nothing" | ModelWait | "stop" | "runs"
  /** What was asked last. */
  readonly model: string
  readonly end: { readonly at: number; readonly outcome: Outcome } | undefined
}

interface ViewedCall {
  readonly tool: string
  readonly arguments: string
  readonly state: "asked" | "asking" | "started"
}

export const emptyView: View = new Map()

/** Pure. Events of a run that is not known yet are left alone: its first one comes first. */
export function foldView(view: View, event: LiveEvent): View {
  if (event.type === "text-delta") return view
  const before = view.get(event.run)
  const after = event.type === "run-start" ? started(event) : before && changed(before, event)
  return after && after !== before ? new Map(view).set(event.run, after) : view
}

export interface Showing {
  readonly now: number
  readonly size: Size
  readonly paint: Paint
  /** Labels and colours of agents, by name. */
  readonly looks?: ReadonlyMap<string, Looks>
}

/** What fits on a screen, coloured in the first sign and the name alone; never more lines than it has rows to spare. */
export function viewLines(view: View, showing: Showing): readonly string[] {
  const { size } = showing
  const runs = [...view.values()].sort(byPlace)
  const room = Math.max(1, size.rows - 2)
  const shown = runs.length <= room ? runs : mostWanted(runs, room - 1)
  const lines = shown.map((run) => lineOf(run, showing))
  const left = runs.length - shown.length
  if (left === 0) return lines
  const live = runs.filter((run) => !run.end && !shown.includes(run)).length
  return [...lines, fitted(`… and ${left} more, ${live} of them at work`, size)].slice(-room)
}

function started(event: Extract<RunEvent, { type: "run-start" }>): ViewedRun {
  return {
    run: event.run,
    agent: event.agent,
    startedAt: event.at,
    turn: 0,
    usage: noUsage,
    calls: new Map(),
    waits: "nothing",
    model: "its model",
    end: undefined,
  }
}

function changed(run: ViewedRun, event: RunEvent): ViewedRun {
  switch (event.type) {
    case "model-start":
      return { ...run, turn: event.turn, waits: "nothing", model: event.model, calls: new Map() }
    case "model-retry":
      return { ...used(run, event.usage), waits: modelWait(event, run.model) }
    case "model-fallback":
    case "compaction-end":
      return used(run, event.usage)
    case "model-end":
      return {
        ...used(run, event.usage),
        waits: event.calls.length === 0 ? "runs" : "nothing",
        calls: new Map(askedCalls(event.calls)),
      }
    case "plan-end":
      return { ...run, turn: 1, waits: "nothing", calls: new Map([...run.calls, ...askedCalls(event.calls)]) }
    case "approval-start":
      return withCall(run, event.call, "asking")
    case "approval-end":
      return withCall(run, event.call, "asked")
    case "tool-start":
    case "child-start":
      return withCall(run, event.call, "started")
    case "tool-end": {
      const calls = new Map(run.calls)
      calls.delete(event.call)
      return { ...run, calls }
    }
    case "run-stop":
    case "cancel-request":
      return { ...run, waits: "stop" }
    case "run-end":
      return { ...run, calls: new Map(), waits: "nothing", end: { at: event.at, outcome: event.outcome } }
    default:
      return run
  }
}

const askedCalls = (calls: readonly AskedCall[] = []): readonly (readonly [string, ViewedCall])[] =>
  calls.map(({ id, tool, arguments: text }) => [id, { tool, arguments: text, state: "asked" }])

const used = (run: ViewedRun, usage: Usage | undefined): ViewedRun =>
  usage ? { ...run, usage: addUsage(run.usage, usage) } : run

function withCall(run: ViewedRun, id: string, state: ViewedCall["state"]): ViewedRun {
  const call = run.calls.get(id)
  return call ? { ...run, calls: new Map(run.calls).set(id, { ...call, state }) } : run
}

function lineOf(run: ViewedRun, { now, size, paint, looks }: Showing): string {
  const look = looks?.get(run.agent)
  const { mark, style } = signOf(run)
  const indent = "  ".repeat(Math.min(run.run.split(".").length - 1, 8))
  const doing = run.end ? outcomeText(run.end.outcome) : doingOf(run)
  const counts = [
    `turn ${run.turn}`,
    tokensText(run.usage),
    ...(run.usage.cost === undefined ? [] : [costText(run.usage.cost)]),
    durationText((run.end?.at ?? now) - run.startedAt),
  ].join(" · ")
  const start = `${indent}${mark} ${labelled(run.agent, look)} · `
  // What it does may be long; what it has used and how long it takes must not be lost behind it.
  const room = Math.max(12, size.columns - 1 - displayWidth(`${start} · ${counts}`))
  const text = fitted(`${start}${clip(doing, room)} · ${counts}`, size)
  // Cut before it is coloured: a colour that is cut in two would stay on.
  if (!text.startsWith(`${indent}${mark} `)) return text
  const rest = text.slice(indent.length + mark.length + 1)
  const name = rest.startsWith(`${run.agent} `) ? run.agent : ""
  return `${indent}${paint(style, mark)} ${inItsColour(name, look, paint)}${rest.slice(name.length)}`
}

function signOf(run: ViewedRun): { readonly mark: string; readonly style: Style } {
  if (run.end)
    return run.end.outcome.type === "completed"
      ? { mark: "✓", style: "added" }
      : { mark: "✗", style: "removed" }
  return isAsking(run) ? { mark: "?", style: "warning" } : { mark: "●", style: "info" }
}

const isAsking = ({ calls }: ViewedRun): boolean =>
  [...calls.values()].some(({ state }) => state === "asking")

function doingOf(run: ViewedRun): string {
  if (typeof run.waits === "object") return waitText(run.waits)
  if (run.waits === "stop") return "stops"
  if (run.waits === "runs") return "waits for what it started"
  const calls = [...run.calls.values()]
  const shown = calls.find(({ state }) => state === "asking") ?? calls[0]
  if (!shown) return run.turn === 0 ? "starts" : "thinks"
  const others = calls.length > 1 ? ` and ${calls.length - 1} more` : ""
  const what = `${callText(shown.tool, shown.arguments).slice(0, shown.tool.length + 61)}${others}`
  return shown.state === "asking" ? `asks for ${what}` : what
}

/** The root, then whoever is at work, then the latest of those that have ended; in the order of the tree. */
function mostWanted(runs: readonly ViewedRun[], room: number): readonly ViewedRun[] {
  const rank = (run: ViewedRun) => (run === runs[0] ? 0 : isAsking(run) ? 1 : run.end ? 3 : 2)
  const wanted = [...runs]
    .sort((left, right) => rank(left) - rank(right) || (right.end?.at ?? 0) - (left.end?.at ?? 0))
    .slice(0, Math.max(0, room))
  return runs.filter((run) => wanted.includes(run))
}

/** One column less than there is: what fills the last one wraps on some terminals. */
const fitted = (line: string, { columns }: Size): string => clip(line, Math.max(1, columns - 1))

function byPlace(left: ViewedRun, right: ViewedRun): number {
  const [one, other] = [left.run.split("."), right.run.split(".")]
  // A root that has the task of one before it; ids sort by time.
  if (one[0] !== other[0]) return one[0]! < other[0]! ? -1 : 1
  for (let level = 1; level < Math.max(one.length, other.length); level++) {
    const difference = Number(one[level] ?? -1) - Number(other[level] ?? -1)
    if (difference !== 0) return difference
  }
  return 0
}
