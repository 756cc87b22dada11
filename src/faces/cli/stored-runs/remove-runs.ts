import path from "node:path"
import { readAge } from "../../../definitions/formats/fields/duration.ts"
import { CadreError } from "../../../ground/errors.ts"
import { findDamage } from "../../../run/log/damage.ts"
import { getRootRun } from "../../../run/log/id.ts"
import type { RunHead, Store } from "../../../run/log/store.ts"
import type { ProcessContext } from "../command.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { readOwnConfiguration } from "../settings.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { formatTable } from "../terminal/table.ts"
import { UsageError } from "../usage-error.ts"
import { repairLine } from "./damaged-log.ts"
import { findRun } from "./find-run.ts"
import { type PruneLimits, type PruneResult, pruneRuns, removeRun } from "./prune-runs.ts"
import { locateRunsFolder } from "./runs-folder.ts"

type Context = Pick<ProcessContext, "stdout" | "stderr" | "environment" | "now">

interface PruneOptions {
  readonly "older-than"?: string | undefined
  readonly keep?: string | undefined
  readonly "dry-run"?: true | undefined
  readonly json?: true | undefined
}

/** `cadre runs prune`. */
export async function prune(store: Store, options: PruneOptions, context: Context): Promise<ExitCode> {
  const wish = wishOf(options, context)
  const now = (context.now ?? Date.now)()
  const mode = options["dry-run"] ? "try" : "remove"
  const result = await pruneRuns(store, wish, { ...context, now, mode })
  context.stdout.write(options.json ? prunedJson(result, mode) : prunedText(result, mode))
  return exitCode.fine
}

/** `cadre runs remove`. Reports runs that must stay, and removes the others. */
export async function remove(
  store: Store,
  words: readonly string[],
  { json }: { readonly json?: true | undefined },
  context: Context,
): Promise<ExitCode> {
  if (words.length === 0) throw new UsageError("Name the runs to remove, or use `cadre runs prune`.")
  const ids = [...new Set(await Promise.all(words.map((word) => findRun(word, context))))]
  const below = ids.find((id) => getRootRun(id) !== id)
  if (below !== undefined)
    throw new UsageError(
      `Run ${below} can only be removed with its whole tree: \`cadre runs remove ${getRootRun(below)}\`.`,
    )
  const answers: { id: string; removed: boolean; reason?: string; remedy?: string }[] = []
  for (const id of ids) {
    await requireKnown(store, id)
    const reason = await removeRun(store, id, context)
    if (reason === undefined) answers.push({ id, removed: true })
    else answers.push({ id, removed: false, reason, remedy: await remedyFor(store, reason, id, context) })
  }
  if (json) context.stdout.write(writeJsonText({ runs: answers }))
  else
    for (const { id, reason, remedy } of answers)
      if (reason === undefined) context.stdout.write(`Removed ${id}.\n`)
      else context.stderr.write(`Kept ${id}: ${reason}. ${remedy}\n`)
  return answers.every(({ removed }) => removed) ? exitCode.fine : exitCode.problems
}

async function requireKnown(store: Store, id: string): Promise<void> {
  try {
    for await (const _ of store.list({ root: id })) return
  } catch {
    // The log cannot be read, so the run exists.
    return
  }
  for await (const { run } of store.list()) if (run === id) return
  throw new UsageError(`There is no run ${JSON.stringify(id)} in this store. \`cadre runs\` lists all runs.`)
}

async function remedyFor(store: Store, reason: string, id: string, context: Context): Promise<string> {
  if (reason === "it is open") return `\`cadre cancel ${id}\` ends it.`
  const folder = path.join(locateRunsFolder(context), id)
  const byHand = `It cannot be repaired. Delete its folder ${folder} when you no longer need it.`
  try {
    const damage = await findDamage(store, id)
    if (!damage) return "Nothing was removed."
    return damage.start === "lost" ? byHand : `\`${repairLine(id, damage.owner)}\` repairs it.`
  } catch (error) {
    if (error instanceof CadreError) return byHand
    throw error
  }
}

function wishOf(options: PruneOptions, context: Context): PruneLimits {
  const { "older-than": text, keep } = options
  if (keep !== undefined && !/^\d{1,9}$/.test(keep))
    throw new UsageError(`--keep takes a whole number, not ${JSON.stringify(keep)}.`)
  const age = text ?? (keep === undefined ? readOwnConfiguration(context).retention : undefined)
  const olderThan = readAge(age)
  if (text !== undefined && olderThan === undefined)
    throw new UsageError(`--older-than takes an age such as 12h, 30d or 8w, not ${JSON.stringify(text)}.`)
  if (olderThan === undefined && keep === undefined)
    throw new UsageError(
      "Choose the runs to remove with --older-than 30d, --keep 100, or both. To do this automatically, set `retention`.",
    )
  return { ...(olderThan !== undefined && { olderThan }), ...(keep !== undefined && { keep: Number(keep) }) }
}

const prunedJson = ({ removed, kept, finished }: PruneResult, mode: "remove" | "try"): string =>
  writeJsonText({
    dryRun: mode === "try",
    removed: removed.map(runJson),
    kept: kept.map(({ head, reason }) => ({ ...runJson(head), reason })),
    finished,
  })

const runJson = ({ run, agent, outcome, updatedAt }: RunHead) => ({
  id: run,
  agent,
  outcome: outcome ?? null,
  updatedAt: new Date(updatedAt).toISOString(),
})

const countRuns = (count: number): string => `${count} ${count === 1 ? "run" : "runs"}`

function prunedText({ removed, kept, finished }: PruneResult, mode: "remove" | "try"): string {
  const verb = mode === "try" ? "would be removed" : "removed"
  const rows = [
    ...removed.map((head) => [verb, head.run, head.agent, head.outcome ?? "", ""]),
    ...kept.map(({ head, reason }) => ["kept", head.run, head.agent, head.outcome ?? head.status, reason]),
  ]
  const counts = [
    `${countRuns(removed.length)} ${verb}.`,
    ...(kept.length > 0 ? [`${countRuns(kept.length)} must stay.`] : []),
    ...(finished > 0
      ? [`Also finished ${finished} interrupted ${finished === 1 ? "removal" : "removals"}.`]
      : []),
  ]
  return `${rows.length > 0 ? `${formatTable(rows)}\n` : ""}${counts.join(" ")}\n`
}
