import { computeUsageCost, sumTokens } from "../../ground/usage.ts"
import { getRootRun } from "../../run/log/id.ts"
import type { HeadUsage, RunHead, StoredEvent, TreeHead } from "../../run/log/store.ts"

/** A run's head that is updated with each of its events. `showHead` turns it into an entry of `list`. */
export interface OpenHead {
  readonly run: string
  readonly agent: string
  readonly task: string | undefined
  readonly continues: string | undefined
  /** Other runs whose history or worktree this run continues. */
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
  /** Calls that wait for a person's approval. */
  waitingCalls: Set<string> | undefined
  /** A request to a model is unanswered. If its process is gone, its usage is unknown. */
  inFlight: boolean
}

/** Makes the head of a run from its first event. `advanceHead` keeps it up to date. */
export function createHead(first: StoredEvent): OpenHead {
  const { agent, task, continues, forks, fallbackOf, model } = first as StoredEvent & Fields
  const head: OpenHead = {
    run: first.run,
    agent: asText(agent) ?? "",
    task: firstLineOf(task),
    continues: asText(continues),
    sources: [continues, fieldOf(forks, "run"), fallbackOf].flatMap((source) => asText(source) ?? []),
    startedAt: first.at,
    updatedAt: first.at,
    status: "open",
    outcome: undefined,
    model: asText(fieldOf(model, "resolved")),
    turns: 0,
    children: 0,
    own: zero(),
    below: zero(),
    waitingCalls: undefined,
    inFlight: false,
  }
  advanceHead(head, first)
  return head
}

export function advanceHead(head: OpenHead, event: StoredEvent): void {
  // A person did this long after the run.
  if (event.type === "changes-undone") return
  head.updatedAt = event.at
  const fields = event as StoredEvent & Fields
  switch (event.type) {
    case "model-start":
    case "compaction-start":
      if (event.type === "model-start" && typeof fields.turn === "number") head.turns = fields.turn
      head.model = asText(fields.model) ?? head.model
      head.inFlight = true
      return
    case "sampling-start":
      head.inFlight = true
      return
    case "sampling-retry":
    case "sampling-end":
      // A refused request was never sent, and another one may be in flight.
      if (!fields.usage) return
      head.inFlight = false
      add(head.own, fields.usage)
      return
    case "model-end":
      head.inFlight = false
      add(head.own, fields.usage)
      return
    case "model-retry":
    case "model-fallback":
    case "compaction-end":
      head.inFlight = false
      if (fields.usage) add(head.own, fields.usage)
      return
    case "run-resume":
      // The process that sent the request is gone, so the usage of the request is unknown.
      if (head.inFlight) add(head.own, {})
      return
    case "child-start":
      head.children++
      return
    case "child-end":
      for (const usage of Object.values(fields.usage ?? {})) add(head.below, usage)
      return
    case "approval-start":
      head.waitingCalls ??= new Set()
      head.waitingCalls.add(String(fields.call))
      return
    case "approval-end":
    case "tool-end":
      head.waitingCalls?.delete(String(fields.call))
      return
    case "run-end":
      head.status = "ended"
      head.waitingCalls = undefined
      head.outcome = asText(fields.outcome) ?? asText(fieldOf(fields.outcome, "type"))
  }
}

export function showHead(head: OpenHead): RunHead {
  const { run, agent, task, model, startedAt, updatedAt, status, outcome, continues } = head
  const own = head.inFlight && status === "ended" ? unknownUsage : toHeadUsage(head.own)
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
    usage: { own, inclusive: addHeadUsage(own, toHeadUsage(head.below)) },
    ...(head.waitingCalls && head.waitingCalls.size > 0 && { asks: head.waitingCalls.size }),
    ...(continues !== undefined && { continues }),
  }
}

/** Summarises a whole tree for the entry of its root. */
function treeHead(root: string, heads: Iterable<OpenHead>): TreeHead {
  let [runs, open] = [0, 0]
  const needs = new Set<string>()
  for (const { status, sources } of heads) {
    runs++
    if (status === "open") open++
    for (const source of sources) if (getRootRun(source) !== root) needs.add(getRootRun(source))
  }
  return { runs, open, ...(needs.size > 0 && { needs: [...needs] }) }
}

/** Makes the entry of a root, with the summary of its tree. `heads` includes the root itself. */
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

/** Sums of usage. A sum becomes undefined as soon as one of its parts is unknown. */
interface Total {
  tokens: number | undefined
  cost: number | undefined
}

const zero = (): Total => ({ tokens: 0, cost: 0 })
const unknownUsage: HeadUsage = {}

function add(total: Total, usage: unknown): void {
  const fields = typeof usage === "object" && usage !== null ? usage : {}
  total.tokens = sum(total.tokens, sumTokens(fields))
  total.cost = sum(total.cost, computeUsageCost(fields))
}

const sum = (one: number | undefined, other: number | undefined): number | undefined =>
  typeof one === "number" && typeof other === "number" && Number.isFinite(one + other)
    ? one + other
    : undefined

const toHeadUsage = ({ tokens, cost }: Total): HeadUsage => ({
  ...(tokens !== undefined && { tokens }),
  ...(cost !== undefined && { cost }),
})

const addHeadUsage = (one: HeadUsage, other: HeadUsage): HeadUsage =>
  toHeadUsage({ tokens: sum(one.tokens, other.tokens), cost: sum(one.cost, other.cost) })

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

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined
