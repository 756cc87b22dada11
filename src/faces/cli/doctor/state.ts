import { accessSync, constants, existsSync, statfsSync } from "node:fs"
import path from "node:path"
import { CadreError, describeThrown } from "../../../ground/errors.ts"
import { type Damage, examineWholeTree } from "../../../run/log/damage.ts"
import type { ProcessContext } from "../command.ts"
import { repairLine } from "../stored-runs/damaged-log.ts"
import { readOwnership } from "../stored-runs/ownership.ts"
import { storeOf } from "../stored-runs/runs.ts"
import { locateRunsFolder } from "../stored-runs/runs-folder.ts"
import type { DoctorFinding } from "./finding.ts"

/** With less free space than this, a run may soon be unable to write its log. */
const littleSpace = 100 * 1024 * 1024

/** Checks the folder of stored runs, and lists runs that are damaged or waiting. */
export async function examineState(surroundings: ProcessContext): Promise<readonly DoctorFinding[]> {
  const folder = locateRunsFolder(surroundings)
  return [place(folder), ...(await runs(surroundings, folder))]
}

function place(folder: string): DoctorFinding {
  let existing = folder
  while (!existsSync(existing) && path.dirname(existing) !== existing) existing = path.dirname(existing)
  const finding = { part: "Runs", what: folder } as const
  try {
    accessSync(existing, constants.W_OK)
    const { bavail, bsize } = statfsSync(existing)
    const free = bavail * bsize
    const state = `writable, ${(free / 1024 ** 3).toFixed(1)} GB free${existing === folder ? "" : ", created with the first run"}`
    return free < littleSpace
      ? {
          ...finding,
          state,
          level: "broken",
          remedy: "Free some space: every action of a run is written there first.",
        }
      : { ...finding, state, level: "fine" }
  } catch (error) {
    return {
      ...finding,
      state: "not writable",
      level: "broken",
      reason: `${describeThrown(error)}.`,
      remedy: "Make it writable, or set CADRE_STATE_DIR to another folder.",
    }
  }
}

/** Ended runs are listed too: after a repair they can be read again. */
function damagedLog(run: string, { reasons, start, owner }: Damage, state: string): DoctorFinding {
  return {
    part: "Runs",
    what: run,
    state: state === "open" ? "damaged" : `${state}, its log is damaged`,
    level: "broken",
    reason: `${reasons[0]}${reasons.length > 1 ? `, and ${reasons.length - 1} more` : ""}.`,
    remedy:
      start === "lost"
        ? `The run cannot be resumed. \`cadre log ${run}\` shows what is left.`
        : state === "open"
          ? `\`${repairLine(run, owner)}\` repairs the log and resumes the run.`
          : `\`${repairLine(run, owner)}\` repairs the log.`,
  }
}

/** The definition that a run started with is a file beside its log, and can be deleted. */
function withoutDefinition(run: string, [first, ...more]: readonly string[], status: string): DoctorFinding {
  const which = `${first}${more.length > 0 ? ` and ${more.length} below it` : ""}`
  return {
    part: "Runs",
    what: run,
    state: "a definition is missing",
    level: status === "ended" ? "note" : "broken",
    reason: `The definition that ${which} started with is missing from the run's folder.`,
    remedy:
      status === "ended"
        ? `The run can be read, but not continued.`
        : `The run cannot be resumed. \`cadre log ${run}\` shows what it did.`,
  }
}

/** A problem with one run must not hide the others. */
function unreadable(error: unknown): string {
  if (error instanceof CadreError) return error.message
  throw error
}

async function runs(surroundings: ProcessContext, folder: string): Promise<readonly DoctorFinding[]> {
  const store = storeOf(surroundings)
  try {
    let count = 0
    const abandoned: string[] = []
    let unknown = 0
    const damaged: DoctorFinding[] = []
    for await (const { run, status, outcome } of store.list()) {
      count++
      const look = await examineWholeTree(store, run).catch(unreadable)
      if (typeof look === "string") {
        const remedy = `Make ${path.join(folder, run)} readable, or remove it.`
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
      const owner = await readOwnership(folder, run)
      if (owner === "nobody") abandoned.push(run)
      if (owner === "unknown") unknown++
    }
    return [
      { part: "Runs", what: "runs", state: String(count), level: "fine" },
      ...damaged,
      ...(abandoned.length > 0
        ? [
            {
              part: "Runs" as const,
              what: "open runs without a process",
              state: String(abandoned.length),
              level: "note" as const,
              reason: `${abandoned.slice(0, 3).join(", ")}${abandoned.length > 3 ? ` and ${abandoned.length - 3} more` : ""}.`,
              remedy: "`cadre resume --all` resumes them, `cadre cancel ID` ends one.",
            },
          ]
        : []),
      ...(unknown > 0
        ? [
            {
              part: "Runs" as const,
              what: "open runs with an unreachable owner",
              state: String(unknown),
              level: "note" as const,
              remedy: "Another machine may be driving them. `cadre resume ID --force` takes one over.",
            },
          ]
        : []),
    ]
  } catch (error) {
    return [
      { part: "Runs", what: "runs", state: "cannot be read", level: "broken", reason: describeThrown(error) },
    ]
  } finally {
    await store.close()
  }
}
