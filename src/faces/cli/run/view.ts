import { clip } from "../../../ground/diagnostics/cells.ts"
import { displayWidth } from "../../../ground/diagnostics/display-width.ts"
import type { Paint, Style } from "../../../ground/diagnostics/paint.ts"
import type { TokenUsage } from "../../../ground/message.ts"
import { addUsage, noUsage } from "../../../ground/usage.ts"
import type { AskedCall, LiveEvent, RunEvent } from "../../../run/log/event.ts"
import { type ModelWait, toModelWait } from "../../../run/log/event-model.ts"
import type { RunOutcome } from "../../../run/log/event-outcome.ts"
import { type AgentLook, paintName, writeLabelledName } from "../agent-look.ts"
import type { Size } from "../command.ts"
import { callText } from "./call-text.ts"
import { describeCost, describeTokens, formatDuration, nameOutcome, waitText } from "./words.ts"

/** A tree of runs for the live screen: one line per run. */
export type TreeView = ReadonlyMap<string, ViewedRun>

export interface ViewedRun {
  readonly run: string
  readonly agent: string
  readonly startedAt: number
  readonly turn: number
  readonly usage: TokenUsage
  /** The calls that have not ended: running ones, and ones that wait for approval. */
  readonly calls: ReadonlyMap<string, ViewedCall>
  /** `runs`: the model has finished, and the run waits for its subagents. `released`: the run was interrupted. */
  readonly waits: "nothing" | ModelWait | "stop" | "runs" | "released"
  /** The model that was asked last. */
  readonly model: string
  readonly end: { readonly at: number; readonly outcome: RunOutcome } | undefined
}

interface ViewedCall {
  readonly tool: string
  readonly arguments: string
  readonly state: "asked" | "asking" | "started"
}

export const emptyView: TreeView = new Map()

/** Pure. Events of a run are ignored until its `run-start` arrives. */
export function foldView(view: TreeView, event: LiveEvent): TreeView {
  if (event.type === "text-delta") return view
  const before = view.get(event.run)
  const after = event.type === "run-start" ? started(event) : before && changed(before, event)
  return after && after !== before ? new Map(view).set(event.run, after) : view
}

export interface ViewOptions {
  readonly now: number
  readonly size: Size
  readonly paint: Paint
  /** Labels and colours of agents, by name. */
  readonly looks?: ReadonlyMap<string, AgentLook>
}

/** The lines that fit on the screen. Only the mark and the agent's name are coloured. */
export function writeViewLines(view: TreeView, showing: ViewOptions): readonly string[] {
  const { size } = showing
  const runs = [...view.values()].sort(byPlace)
  const room = Math.max(1, size.rows - 2)
  const visible = runs.length <= room ? runs : mostRelevant(runs, room - 1)
  const lines = visible.map((run) => lineOf(run, showing))
  const hiddenCount = runs.length - visible.length
  if (hiddenCount === 0) return lines
  const live = runs.filter((run) => !run.end && !visible.includes(run)).length
  return [...lines, fitLine(`… and ${hiddenCount} more, ${live} of them working`, size)].slice(-room)
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
      return { ...withUsage(run, event.usage), waits: toModelWait(event, run.model) }
    case "model-fallback":
    case "compaction-end":
    case "sampling-retry":
    case "sampling-end":
      return withUsage(run, event.usage)
    case "model-end":
      return {
        ...withUsage(run, event.usage),
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
    case "run-release":
      return { ...run, calls: new Map(), waits: "released" }
    case "run-resume":
      return { ...run, waits: "nothing" }
    case "run-end":
      return { ...run, calls: new Map(), waits: "nothing", end: { at: event.at, outcome: event.outcome } }
    default:
      return run
  }
}

const askedCalls = (calls: readonly AskedCall[] = []): readonly (readonly [string, ViewedCall])[] =>
  calls.map(({ id, tool, arguments: text }) => [id, { tool, arguments: text, state: "asked" }])

const withUsage = (run: ViewedRun, usage: TokenUsage | undefined): ViewedRun =>
  usage ? { ...run, usage: addUsage(run.usage, usage) } : run

function withCall(run: ViewedRun, id: string, state: ViewedCall["state"]): ViewedRun {
  const call = run.calls.get(id)
  return call ? { ...run, calls: new Map(run.calls).set(id, { ...call, state }) } : run
}

function lineOf(run: ViewedRun, { now, size, paint, looks }: ViewOptions): string {
  const look = looks?.get(run.agent)
  const { mark, style } = signOf(run)
  const indent = "  ".repeat(Math.min(run.run.split(".").length - 1, 8))
  const doing = run.end
    ? run.run.includes(".")
      ? nameOutcome(run.end.outcome)
      : run.end.outcome.type
    : doingOf(run)
  const counts = [
    `turn ${run.turn}`,
    describeTokens(run.usage),
    ...(run.usage.cost === undefined ? [] : [describeCost(run.usage.cost)]),
    formatDuration((run.end?.at ?? now) - run.startedAt),
  ].join(" · ")
  const start = `${indent}${mark} ${writeLabelledName(run.agent, look)} · `
  // The current action may be long, but must not push usage and time off the line.
  const room = Math.max(12, size.columns - 1 - displayWidth(`${start} · ${counts}`))
  const text = fitLine(`${start}${clip(doing, room)} · ${counts}`, size)
  // The line is cut before it is coloured: a colour code that is cut in two would stay on.
  if (!text.startsWith(`${indent}${mark} `)) return text
  const rest = text.slice(indent.length + mark.length + 1)
  const name = rest.startsWith(`${run.agent} `) ? run.agent : ""
  return `${indent}${paint(style, mark)} ${paintName(name, look, paint)}${rest.slice(name.length)}`
}

function signOf(run: ViewedRun): { readonly mark: string; readonly style: Style } {
  if (run.end)
    return run.end.outcome.type === "completed"
      ? { mark: "✓", style: "added" }
      : { mark: "✗", style: "removed" }
  if (run.waits === "released") return { mark: "■", style: "warning" }
  return isAsking(run) ? { mark: "?", style: "warning" } : { mark: "●", style: "info" }
}

const isAsking = ({ calls }: ViewedRun): boolean =>
  [...calls.values()].some(({ state }) => state === "asking")

function doingOf(run: ViewedRun): string {
  if (typeof run.waits === "object") return waitText(run.waits)
  if (run.waits === "stop") return "stopping"
  if (run.waits === "released") return "interrupted"
  if (run.waits === "runs") return "waits for its subagents"
  const calls = [...run.calls.values()]
  const current = calls.find(({ state }) => state === "asking") ?? calls[0]
  if (!current) return run.turn === 0 ? "starting" : "thinking"
  const others = calls.length > 1 ? ` and ${calls.length - 1} more` : ""
  const what = `${callText(current.tool, current.arguments).slice(0, current.tool.length + 61)}${others}`
  return current.state === "asking" ? `needs approval: ${what}` : what
}

/** Picks the root, then runs that need approval, then working runs, then the latest ended ones. Keeps the tree's order. */
function mostRelevant(runs: readonly ViewedRun[], room: number): readonly ViewedRun[] {
  const rank = (run: ViewedRun) => (run === runs[0] ? 0 : isAsking(run) ? 1 : run.end ? 3 : 2)
  const chosen = [...runs]
    .sort((left, right) => rank(left) - rank(right) || (right.end?.at ?? 0) - (left.end?.at ?? 0))
    .slice(0, Math.max(0, room))
  return runs.filter((run) => chosen.includes(run))
}

/** Leaves the last column empty, because some terminals wrap a full line. */
const fitLine = (line: string, { columns }: Size): string => clip(line, Math.max(1, columns - 1))

function byPlace(left: ViewedRun, right: ViewedRun): number {
  const [one, other] = [left.run.split("."), right.run.split(".")]
  // A later root is the fallback of an earlier one. Ids sort by time.
  if (one[0] !== other[0]) return one[0]! < other[0]! ? -1 : 1
  for (let level = 1; level < Math.max(one.length, other.length); level++) {
    const difference = Number(one[level] ?? -1) - Number(other[level] ?? -1)
    if (difference !== 0) return difference
  }
  return 0
}
