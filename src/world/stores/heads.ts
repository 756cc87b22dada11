import { costOf, tokensOf } from "../../ground/usage.ts"
import { rootOf } from "../../run/log/id.ts"
import type { HeadUsage, RunHead, Stored, TreeHead } from "../../run/log/store.ts"

/** A head that grows with the events of its run: `showHead` gives what `list` tells. */
export interface OpenHead {
  readonly run: string
  readonly agent: string
  readonly task: string | undefined
  readonly continues: string | undefined
  /** Other runs whose history, or whose worktree, it goes on with. */
  readonly sources: readonly string[]
  readonly startedAt: number
  updatedAt: number
  status: RunHead["status"]
  outcome: string | undefined
  model: string | undefined
  turns: number
  children: number
  readonly own: Total
  readonly below: Total
  /** Calls that wait for a person. */
  asking: Set<string> | undefined
  /** A request was sent and has not come back: if its process is gone, nobody knows what it used. */
  inFlight: boolean
}

/** What `list` tells of a run, from its first event. `advanceHead` keeps it up to date. */
export function headOf(first: Stored): OpenHead {
  const { agent, task, continues, forks, fallbackOf, model } = first as Stored & Fields
  const head: OpenHead = {
    run: first.run,
    agent: textIn(agent) ?? "",
    task: firstLineOf(task),
    continues: textIn(continues),
    sources: [continues, fieldOf(forks, "run"), fallbackOf].flatMap((source) => textIn(source) ?? []),
    startedAt: first.at,
    updatedAt: first.at,
    status: "open",
    outcome: undefined,
    model: textIn(fieldOf(model, "resolved")),
    turns: 0,
    children: 0,
    own: zero(),
    below: zero(),
    asking: undefined,
    inFlight: false,
  }
  advanceHead(head, first)
  return head
}

export function advanceHead(head: OpenHead, event: Stored): void {
  head.updatedAt = event.at
  const fields = event as Stored & Fields
  switch (event.type) {
    case "model-start":
    case "compaction-start":
      if (event.type === "model-start" && typeof fields.turn === "number") head.turns = fields.turn
      head.model = textIn(fields.model) ?? head.model
      head.inFlight = true
      return
    case "model-end":
      head.inFlight = false
      add(head.own, fields.usage ?? {})
      return
    case "model-retry":
    case "model-fallback":
    case "compaction-end":
      head.inFlight = false
      if (fields.usage) add(head.own, fields.usage)
      return
    case "run-resume":
      // The process that sent it is gone, and with it what the request used.
      if (head.inFlight) add(head.own, {})
      head.inFlight = false
      return
    case "child-start":
      head.children++
      return
    case "child-end":
      for (const usage of Object.values(fields.usage ?? {})) add(head.below, usage)
      return
    case "approval-start":
      head.asking ??= new Set()
      head.asking.add(String(fields.call))
      return
    case "approval-end":
    case "tool-end":
      head.asking?.delete(String(fields.call))
      return
    case "run-end":
      head.status = "ended"
      head.asking = undefined
      head.outcome = textIn(fields.outcome) ?? textIn(fieldOf(fields.outcome, "type"))
  }
}

export function showHead(head: OpenHead): RunHead {
  const { run, agent, task, model, startedAt, updatedAt, status, outcome, continues } = head
  const own = head.inFlight && status === "ended" ? unknown : shownTotal(head.own)
  return {
    run,
    agent,
    ...(task !== undefined && { task }),
    ...(model !== undefined && { model }),
    startedAt,
    updatedAt,
    status,
    ...(outcome !== undefined && { outcome }),
    turns: head.turns,
    children: head.children,
    usage: { own, inclusive: addShown(own, shownTotal(head.below)) },
    ...(head.asking && head.asking.size > 0 && { asks: head.asking.size }),
    ...(continues !== undefined && { continues }),
  }
}

/** What is told of a whole tree beside its root. */
function treeHead(root: string, heads: Iterable<OpenHead>): TreeHead {
  let [runs, open] = [0, 0]
  const needs = new Set<string>()
  for (const { status, sources } of heads) {
    runs++
    if (status === "open") open++
    for (const source of sources) if (rootOf(source) !== root) needs.add(rootOf(source))
  }
  return { runs, open, ...(needs.size > 0 && { needs: [...needs] }) }
}

/** The head of a root with that of its tree, of which it is one. */
export const showRoot = (root: OpenHead, heads: Iterable<OpenHead>): RunHead => ({
  ...showHead(root),
  tree: treeHead(root.run, heads),
})

interface Fields {
  readonly agent?: unknown
  readonly task?: unknown
  readonly continues?: unknown
  readonly forks?: unknown
  readonly fallbackOf?: unknown
  readonly model?: unknown
  readonly turn?: unknown
  readonly usage?: object
  readonly call?: unknown
  readonly outcome?: unknown
}

/** Numbers stay known for as long as every part of them is. */
interface Total {
  tokens: number | undefined
  cost: number | undefined
}

const zero = (): Total => ({ tokens: 0, cost: 0 })
const unknown: HeadUsage = {}

function add(total: Total, usage: unknown): void {
  const given = typeof usage === "object" && usage !== null ? usage : {}
  total.tokens = sum(total.tokens, tokensOf(given))
  total.cost = sum(total.cost, costOf(given))
}

const sum = (one: number | undefined, other: number | undefined): number | undefined =>
  typeof one === "number" && typeof other === "number" && Number.isFinite(one + other)
    ? one + other
    : undefined

const shownTotal = ({ tokens, cost }: Total): HeadUsage => ({
  ...(tokens !== undefined && { tokens }),
  ...(cost !== undefined && { cost }),
})

const addShown = (one: HeadUsage, other: HeadUsage): HeadUsage =>
  shownTotal({ tokens: sum(one.tokens, other.tokens), cost: sum(one.cost, other.cost) })

const longestTask = 200

function firstLineOf(task: unknown): string | undefined {
  if (typeof task !== "string") return undefined
  const line = task
    .trimStart()
    .slice(0, longestTask + 1)
    .split(/[\r\n]/, 1)[0]!
    .trimEnd()
  return line.length > longestTask ? `${line.slice(0, longestTask - 1).toWellFormed()}…` : line
}

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined
