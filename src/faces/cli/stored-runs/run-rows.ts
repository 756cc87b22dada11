import type { ModelWait } from "../../../run/log/event-model.ts"
import type { HeadUsage, RunHead } from "../../../run/log/store.ts"
import { formatAge, formatDuration, formatMoney, waitText } from "../run/words.ts"
import { type ColumnCut, cutToOneLine, fitColumns, formatTable } from "../terminal/table.ts"

/** A run in the list. `head` is read first; the other facts need the whole log. */
export interface ListedRun {
  readonly head: RunHead
  readonly status: "ended" | "resting" | "open" | "damaged"
  readonly waits?: ModelWait
  /** The runs below it that wait for their providers. */
  readonly below?: readonly { readonly id: string; readonly agent: string; readonly waits: ModelWait }[]
  /** Describes the damage in its log, and the command that repairs it. */
  readonly damage?: string
}

/** The JSON of one run. An unknown value is null, never 0. A key that does not apply is absent. */
export const toRowJson = ({ head, status, waits, below = [], damage = head.damage }: ListedRun) => ({
  id: head.run,
  agent: head.agent,
  task: head.task ?? null,
  model: head.model ?? null,
  status,
  ...(waits && { waits }),
  ...(below.length > 0 && { below }),
  ...(head.asks !== undefined && { asks: head.asks }),
  outcome: head.outcome ?? null,
  startedAt: new Date(head.startedAt).toISOString(),
  updatedAt: new Date(head.updatedAt).toISOString(),
  durationMs: head.updatedAt - head.startedAt,
  turns: head.turns,
  children: head.children,
  ...usageJson(head.usage.inclusive),
  own: usageJson(head.usage.own),
  ...(head.continues !== undefined && { continues: head.continues }),
  ...(damage !== undefined && { damage }),
})

const usageJson = ({ tokens, cost }: HeadUsage) => ({ tokens: tokens ?? null, cost: cost ?? null })

/**
 * One line per run. With `columns`, ids are shortened to a start that is unique among `roots`. Then the
 * least important columns are cut until the lines fit, and the time since the start stands in place of the date.
 */
export function writeRunRows(
  runs: readonly ListedRun[],
  {
    columns,
    roots,
    now,
  }: { readonly columns: number | undefined; readonly roots: readonly string[]; readonly now: number },
): string {
  const shortId = columns === undefined ? (id: string) => id : shortener(roots)
  const rows = runs.map((run) => [
    shortId(run.head.run),
    run.head.agent,
    run.head.outcome ?? run.status,
    columns === undefined ? new Date(run.head.startedAt).toISOString() : formatAge(now - run.head.startedAt),
    formatDuration(run.head.updatedAt - run.head.startedAt).replaceAll(" ", ""),
    run.head.usage.inclusive.cost === undefined ? "?" : formatMoney(run.head.usage.inclusive.cost),
    run.head.model ?? "-",
    cutToOneLine(noteOf(run) ?? run.head.task ?? "", 200),
    ...(columns === undefined
      ? [run.head.continues === undefined ? "" : `continues ${run.head.continues}`]
      : []),
  ])
  const started = columns === undefined ? "STARTED" : "AGE"
  const titles = ["ID", "AGENT", "STATE", started, "TIME", "COST", "MODEL", "TASK"]
  return columns === undefined
    ? formatTable([[...titles, ""], ...rows])
    : formatTable(fitColumns([titles, ...rows], columns, cuts))
}

function noteOf({ damage, waits, below = [] }: ListedRun): string | undefined {
  const notes = [
    ...(damage === undefined ? [] : [damage]),
    ...(waits ? [waitText(waits)] : []),
    ...below.map((child) => `its subagent ${child.agent} ${waitText(child.waits)}`),
  ]
  return notes.length > 0 ? notes.join(", ") : undefined
}

/** Keeps the first ten characters of an id, which encode its time. Ids from the same millisecond keep more. */
function shortener(roots: readonly string[]): (id: string) => string {
  const sorted = [...roots].sort()
  const lengths = new Map(
    sorted.map((root, index) => {
      const shared = [sorted[index - 1], sorted[index + 1]].map((other) => sharedStart(root, other))
      return [root, Math.max(10, ...shared.map((length) => length + 1))]
    }),
  )
  return (id) => {
    const [root = "", ...below] = id.split(".")
    return [root.slice(0, lengths.get(root) ?? root.length), ...below].join(".")
  }
}

function sharedStart(one: string, other = ""): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** Columns by importance: the model goes first, then the agent and the task are cut, then the time that it took. */
const cuts: readonly ColumnCut[] = [
  { column: 7, least: 24 },
  { column: 6, least: 8 },
  { column: 6, least: 0 },
  { column: 1, least: 8 },
  { column: 7, least: 12 },
  { column: 4, least: 0 },
  { column: 7, least: 4 },
  { column: 1, least: 2 },
]
