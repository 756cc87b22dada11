import { readAge } from "../../../definitions/formats/fields/duration.ts"
import { CadreError } from "../../../ground/errors.ts"
import { readRunStatus } from "../../../run/drive/run-status.ts"
import { matchesQuery } from "../../../run/face/run-query.ts"
import type { ModelWait } from "../../../run/log/event-model.ts"
import type { RunHead, RunQuery, Store } from "../../../run/log/store.ts"
import { jsonlStore } from "../../../world/stores/jsonl.ts"
import { type CommandContext, defineCommand } from "../command.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { createDamageReader, type DamageReader, describeDamage } from "../stored-runs/damaged-log.ts"
import { listRootRuns } from "../stored-runs/find-run.ts"
import { type ListedRun, toRowJson, writeRunRows } from "../stored-runs/run-rows.ts"
import { locateRunsFolder } from "../stored-runs/runs-folder.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { UsageError } from "../usage-error.ts"

const states = ["open", "resting", "damaged", "ended"] as const
/** The states that can be found only by reading the whole log of an open run. */
const standings: ReadonlySet<string | undefined> = new Set(["resting", "damaged"])
const outcomes = [
  "completed",
  "failed",
  "cancelled",
  "timed-out",
  "limit",
  "loop",
  "no-output",
  "denied",
  "uncertain",
] as const

export const runsCommand = defineCommand({
  name: "runs",
  summary: "List runs, the newest first",
  usage: "cadre runs [OPTIONS] | cadre runs prune [OPTIONS] | cadre runs remove ID...",
  arguments: [
    {
      name: "action",
      doc: "`prune` removes old ended runs, `remove` removes the runs that you name. Default: list the runs",
      choices: ["prune", "remove"],
      count: "optional",
    },
    {
      name: "id",
      doc: "With `remove`: run ids. The beginning of an id is enough; `last` is the newest run",
      count: "any",
      complete: "run",
    },
  ],
  options: {
    limit: { type: "value", value: "N", doc: "List at most N runs. Default on a terminal: 50" },
    since: {
      type: "value",
      value: "TIME",
      doc: "List runs that started in this time: 30m, 12h, 7d, or since a date",
    },
    status: {
      type: "value",
      value: "STATUS",
      doc: "List runs with this status",
      choices: [...states, ...outcomes],
    },
    agent: { type: "value", value: "NAME", doc: "List runs of one agent", complete: "agent" },
    all: { type: "flag", doc: "Include the runs of subagents" },
    "older-than": {
      type: "value",
      value: "AGE",
      doc: "With `prune`: remove runs that ended longer ago than this, such as 30d. Default: the `retention` setting",
    },
    keep: { type: "value", value: "N", doc: "With `prune`: keep the N newest ended runs" },
    "dry-run": { type: "flag", doc: "With `prune`: show what would be removed, and remove nothing" },
    ids: { type: "flag", doc: "Print `last` and the newest ids, one a line", hidden: true },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre runs", doc: "Show your runs, how they ended, and what they cost" },
    { line: "cadre runs --status open", doc: "Show runs that have not ended" },
    { line: "cadre runs --agent tester --since 7d --json", doc: "For a program" },
    { line: "cadre runs --all --json", doc: "Print all runs, with those of subagents, as JSON" },
    { line: "cadre runs prune --older-than 30d --keep 100 --dry-run", doc: "See what would be removed" },
    { line: "cadre runs remove ID", doc: "Remove one run and its subagents' runs" },
  ],
  async run({ arguments: { action, id }, options, ...context }) {
    const isGiven = (name: keyof typeof options) => options[name] !== undefined
    const foreign =
      action === undefined
        ? (["older-than", "keep", "dry-run"] as const)
        : action === "prune"
          ? (["limit", "since", "status", "agent", "all"] as const)
          : (["limit", "since", "status", "agent", "all", "older-than", "keep", "dry-run"] as const)
    const wrong = foreign.find(isGiven)
    if (wrong !== undefined)
      throw new UsageError(
        `--${wrong} works ${action === undefined ? "only with `cadre runs prune`" : `not with \`cadre runs ${action}\``}.`,
      )
    if (action !== "remove" && id.length > 0)
      throw new UsageError(
        `Only \`cadre runs remove\` takes ids. Unexpected argument: ${JSON.stringify(id[0])}.`,
      )
    if (options.ids) {
      const ids = listRootRuns(locateRunsFolder(context)).slice(0, mostOffered)
      context.stdout.write(["last", ...ids].map((one) => `${one}\n`).join(""))
      return exitCode.fine
    }
    const store = jsonlStore({ directory: locateRunsFolder(context) })
    try {
      if (action === undefined) return await list(store, options, context)
      const { prune, remove } = await import("../stored-runs/remove-runs.ts")
      return action === "prune"
        ? await prune(store, options, context)
        : await remove(store, id, options, context)
    } finally {
      await store.close()
    }
  },
})

/** The number of ids that a shell offers. */
const mostOffered = 50

type Context = Omit<CommandContext, "arguments" | "options">

interface ListOptions {
  readonly limit?: string | undefined
  readonly since?: string | undefined
  readonly status?: (typeof states)[number] | (typeof outcomes)[number] | undefined
  readonly agent?: string | undefined
  readonly all?: true | undefined
  readonly json?: true | undefined
}

async function list(store: Store, options: ListOptions, context: Context): Promise<ExitCode> {
  const { stdout, isTerminal, columns = 80 } = context
  const print = options.json ? "json" : isTerminal ? "screen" : "text"
  const limit = limitOf(options.limit) ?? (print === "screen" ? 50 : Number.POSITIVE_INFINITY)
  const query = queryOf(options, context)
  const runs: ListedRun[] = []
  const damageIn = createDamageReader(store)
  for await (const head of options.all ? everyRun(store, query) : store.list(query)) {
    if (runs.length >= limit) break
    const run = await stand(store, head, damageIn)
    if (!standings.has(options.status) || run.status === options.status) runs.push(run)
  }
  if (options.all) runs.sort((left, right) => right.head.startedAt - left.head.startedAt)
  if (print === "json") stdout.write(writeJsonText({ runs: runs.map(toRowJson) }))
  else if (runs.length === 0) stdout.write(isFiltered(query) ? "No run matches.\n" : "No runs yet.\n")
  else {
    const roots = listRootRuns(locateRunsFolder(context))
    stdout.write(
      `${writeRunRows(runs, { columns: print === "screen" ? columns : undefined, roots, now: (context.now ?? Date.now)() })}\n`,
    )
    if (runs.length >= limit && options.limit === undefined)
      context.stderr.write(`Only the newest ${limit} runs are shown. \`--limit N\` shows more.\n`)
  }
  return exitCode.fine
}

function queryOf({ since, status, agent }: ListOptions, { now = Date.now }: Context): RunQuery {
  return {
    ...(agent !== undefined && { agent }),
    ...(since !== undefined && { since: timeOf(since, now()) }),
    ...(status === "open" || status === "resting" || status === "damaged"
      ? { status: "open" as const }
      : status === "ended"
        ? { status }
        : status !== undefined && { outcome: status }),
  }
}

const isFiltered = (query: RunQuery): boolean => Object.keys(query).length > 0

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9][0-9]{0,8}$/.test(text))
    throw new UsageError(`--limit takes a whole number above 0, not ${JSON.stringify(text)}.`)
  return Number(text)
}

function timeOf(text: string, now: number): number {
  const age = readAge(text)
  if (age !== undefined) return now - age
  // Date.parse ignores words after a date, so the text is checked first.
  const date = isoTime.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isFinite(date)) return date
  throw new UsageError(
    `--since takes an age such as 30m, 12h or 7d, or a date such as 2026-11-18, not ${JSON.stringify(text)}.`,
  )
}

const isoTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Every run of every tree. The filter applies to each run by itself, not to its root. */
async function* everyRun(store: Store, query: RunQuery): AsyncGenerator<RunHead> {
  for await (const root of store.list())
    for (const head of await treeOf(store, root)) if (matchesQuery(head, query)) yield head
}

/** A tree that cannot be read must not hide the others. */
async function treeOf(store: Store, root: RunHead): Promise<readonly RunHead[]> {
  const heads: RunHead[] = []
  try {
    for await (const head of store.list({ root: root.run })) heads.push(head)
    return heads
  } catch (error) {
    if (!(error instanceof CadreError)) throw error
    return [root]
  }
}

/**
 * Finds out whether an open run waits for a person or its provider, or is stuck because its tree's log is damaged.
 * An ended run keeps its outcome, even if its log is damaged.
 */
async function stand(store: Store, head: RunHead, damageIn: DamageReader): Promise<ListedRun> {
  if (head.status === "ended" && head.damage === undefined) return { head, status: "ended" }
  try {
    const damage = await damageIn(head.run)
    const damageField = damage && { damage: describeDamage(damage, head.run, head.status) }
    if (head.status === "ended") return { head, status: "ended", ...damageField }
    if (damageField) return { head, status: "damaged", ...damageField }
    const state = await readRunStatus(store, head.run)
    return { head, ...state, below: await waitingBelow(store, head) }
  } catch (error) {
    if (!(error instanceof CadreError)) throw error
    // A log that cannot be read must not hide the other runs.
    return { head, status: head.status === "ended" ? "ended" : "damaged", damage: error.message }
  }
}

/** The runs below a root that wait for their providers. */
async function waitingBelow(store: Store, { run, children, tree }: RunHead): Promise<ListedRun["below"]> {
  const below: { id: string; agent: string; waits: ModelWait }[] = []
  if (tree === undefined || children === 0) return below
  for await (const child of store.list({ root: run, status: "open" })) {
    if (child.run === run) continue
    const { waits } = await readRunStatus(store, child.run)
    if (waits) below.push({ id: child.run, agent: child.agent, waits })
  }
  return below
}
