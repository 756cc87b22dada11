import { aliasesDate } from "./aliases.ts"
import { modelDates } from "./facts/facts.ts"
import { providersDate } from "./providers.ts"

/** A table that ships, and the day on which it was last compared with its sources. */
export interface DatedTable {
  readonly table: string
  readonly date: string
}

export interface OldTable extends DatedTable {
  readonly days: number
}

/** From this age on, a table is more likely wrong than not about a model that somebody wants today. */
const mostDays = 120

/** Everything here that ages. */
export const datedTables: readonly DatedTable[] = [
  { table: "providers", date: providersDate },
  { table: "aliases", date: aliasesDate },
  ...Object.entries(modelDates).map(([provider, date]) => ({ table: `models of ${provider}`, date })),
]

/** Those that nobody has looked at for long. */
export function oldTables(now: number, tables: readonly DatedTable[] = datedTables): readonly OldTable[] {
  return tables
    .map((table) => ({ ...table, days: Math.floor((now - Date.parse(table.date)) / millisecondsADay) }))
    .filter(({ days }) => days > mostDays)
}

/** What is wrong with old tables, and what to do. Undefined: none is old. */
export function oldTablesNotice(
  old: readonly OldTable[],
): { readonly reason: string; readonly remedy: string } | undefined {
  if (old.length === 0) return undefined
  const tables = old.map(({ table, date, days }) => `${table} (${date}, ${days} days ago)`).join(", ")
  return {
    reason: `These tables of cadre were last compared with their sources long ago: ${tables}. Prices, limits and retirements may have changed since.`,
    remedy: "Update cadre: npm install cadre@latest.",
  }
}

const millisecondsADay = 24 * 60 * 60 * 1000
