import { accessSync, constants, existsSync, statfsSync } from "node:fs"
import path from "node:path"
import { CadreError, messageOf } from "../../../ground/errors.ts"
import { type Damage, lookOver } from "../../../run/log/damage.ts"
import type { Surroundings } from "../command.ts"
import { repairLine } from "../stored-runs/damaged-log.ts"
import { isOwned } from "../stored-runs/ownership.ts"
import { storeOf } from "../stored-runs/runs.ts"
import { runsFolder } from "../stored-runs/runs-folder.ts"
import type { Examined } from "./examined.ts"

/** Below this a run could soon not be written down any more. */
const littleSpace = 100 * 1024 * 1024

/** Where runs are kept: whether they can be, and which of them wait for somebody. */
export async function examineState(surroundings: Surroundings): Promise<readonly Examined[]> {
  const folder = runsFolder(surroundings)
  return [place(folder), ...(await runs(surroundings, folder))]
}

function place(folder: string): Examined {
  let existing = folder
  while (!existsSync(existing) && path.dirname(existing) !== existing) existing = path.dirname(existing)
  const finding = { part: "Runs", what: folder } as const
  try {
    accessSync(existing, constants.W_OK)
    const { bavail, bsize } = statfsSync(existing)
    const free = bavail * bsize
    const state = `writable, ${(free / 1024 ** 3).toFixed(1)} GB free${existing === folder ? "" : ", made at the first run"}`
    return free < littleSpace
      ? {
          ...finding,
          state,
          level: "broken",
          remedy: "Free some space: what a run does is written there before it is done.",
        }
      : { ...finding, state, level: "fine" }
  } catch (error) {
    return {
      ...finding,
      state: "not writable",
      level: "broken",
      reason: `${messageOf(error)}.`,
      remedy: "Let it be written to, or set CADRE_STATE_DIR to another folder.",
    }
  }
}

/** Of a run that has ended, too: a repair keeps it readable. */
function damagedLog(run: string, { reasons, start, owner }: Damage, state: string): Examined {
  return {
    part: "Runs",
    what: run,
    state: state === "open" ? "damaged" : `${state}, its log is damaged`,
    level: "broken",
    reason: `${reasons[0]}${reasons.length > 1 ? `, and ${reasons.length - 1} more` : ""}.`,
    remedy:
      start === "lost"
        ? `It cannot be resumed; \`cadre log ${run}\` shows what is left of it.`
        : `\`${repairLine(run, owner)}\` mends the log${state === "open" ? " and goes on" : ""}.`,
  }
}

/** What a run started with lies beside its log. */
function withoutDefinition(run: string, [first, ...more]: readonly string[], status: string): Examined {
  const which = `${first}${more.length > 0 ? ` and ${more.length} below it` : ""}`
  return {
    part: "Runs",
    what: run,
    state: "a definition is missing",
    level: status === "ended" ? "note" : "broken",
    reason: `What ${which} started with is no longer in its folder.`,
    remedy:
      status === "ended"
        ? `It can be read, and nothing can continue it.`
        : `It cannot go on; \`cadre log ${run}\` shows what it did.`,
  }
}

/** What is wrong with one run must not hide the others. */
function unreadable(error: unknown): string {
  if (error instanceof CadreError) return error.message
  throw error
}

async function runs(surroundings: Surroundings, folder: string): Promise<readonly Examined[]> {
  const store = storeOf(surroundings)
  try {
    let count = 0
    const left: string[] = []
    let unknown = 0
    const damaged: Examined[] = []
    for await (const { run, status, outcome } of store.list()) {
      count++
      const look = await lookOver(store, run).catch(unreadable)
      if (typeof look === "string") {
        const remedy = `Let ${path.join(folder, run)} be read, or remove it.`
        damaged.push({
          part: "Runs",
          what: run,
          state: "cannot be read",
          level: "broken",
          reason: look,
          remedy,
        })
        continue
      }
      const { damage, undefinedRuns } = look
      if (damage) damaged.push(damagedLog(run, damage, outcome ?? status))
      if (undefinedRuns.length > 0) damaged.push(withoutDefinition(run, undefinedRuns, status))
      if (status !== "open" || damage || undefinedRuns.includes(run)) continue
      const owner = await isOwned(folder, run)
      if (owner === "nobody") left.push(run)
      if (owner === "unknown") unknown++
    }
    return [
      { part: "Runs", what: "runs", state: String(count), level: "fine" },
      ...damaged,
      ...(left.length > 0
        ? [
            {
              part: "Runs" as const,
              what: "open runs that nobody drives",
              state: String(left.length),
              level: "note" as const,
              reason: `${left.slice(0, 3).join(", ")}${left.length > 3 ? ` and ${left.length - 3} more` : ""}.`,
              remedy: "`cadre resume --all` goes on with them; `cadre cancel ID` ends one.",
            },
          ]
        : []),
      ...(unknown > 0
        ? [
            {
              part: "Runs" as const,
              what: "open runs whose owner cannot be asked",
              state: String(unknown),
              level: "note" as const,
              remedy: "They may be driven on another machine; `cadre resume ID --force` takes one over.",
            },
          ]
        : []),
    ]
  } catch (error) {
    return [
      { part: "Runs", what: "runs", state: "cannot be read", level: "broken", reason: messageOf(error) },
    ]
  } finally {
    await store.close()
  }
}
