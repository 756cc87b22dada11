import { aliasesDate } from "./aliases.ts"
import { modelDates } from "./facts/facts.ts"
import { providersDate } from "./providers.ts"

/** A table that ships, and the day of its last comparison with its sources. */
export interface DatedTable {
  readonly table: string
  readonly date: string
}

export interface OldTable extends DatedTable {
  readonly days: number
}

/** Older tables are more likely wrong than right about a model that is used today. */
const maxDays = 120

/** All tables that age. */
export const datedTables: readonly DatedTable[] = [
  { table: "providers", date: providersDate },
  { table: "aliases", date: aliasesDate },
  ...Object.entries(modelDates).map(([provider, date]) => ({ table: `models of ${provider}`, date })),
]

/** The tables that were not compared for too long. */
export function findOldTables(now: number, tables: readonly DatedTable[] = datedTables): readonly OldTable[] {
  return tables
    .map((table) => ({ ...table, days: Math.floor((now - Date.parse(table.date)) / millisecondsADay) }))
    .filter(({ days }) => days > maxDays)
}

/** A warning about old tables, with advice. Undefined: no table is old. */
export function describeOldTables(
  old: readonly OldTable[],
): { readonly reason: string; readonly remedy: string } | undefined {
  if (old.length === 0) return undefined
  const tables = old.map(({ table, date, days }) => `${table} (${date}, ${days} days ago)`).join(", ")
  return {
    reason: `These tables of cadre are outdated (last comparison with their sources): ${tables}. Prices, limits and retirements may have changed since.`,
    remedy: "Update cadre: npm install cadre@latest.",
  }
}

const millisecondsADay = 24 * 60 * 60 * 1000
