import { CadreError } from "../../../ground/errors.ts"
import { createRefusalError } from "../../../run/decide/record.ts"
import { type Damage, findDamage } from "../../../run/log/damage.ts"
import { getRootRun } from "../../../run/log/id.ts"
import { isRefusal, type RunHead, type Store } from "../../../run/log/store.ts"
import { jsonlStore } from "../../../world/stores/jsonl.ts"
import type { ProcessContext } from "../command.ts"
import { locateRunsFolder } from "./runs-folder.ts"

/** Repairs the log of a tree, if it is damaged, and releases the claim. Nothing runs. */
export async function repairLog(
  id: string,
  takeover: { readonly force?: true },
  surroundings: Pick<ProcessContext, "environment" | "stderr">,
): Promise<void> {
  const onDamage = ({ message }: { readonly message: string }) => surroundings.stderr.write(`${message}\n`)
  const store = jsonlStore({ directory: locateRunsFolder(surroundings), onDamage })
  try {
    const damage = await findDamage(store, id)
    if (!damage) return
    if (damage.start === "lost")
      throw new CadreError(
        "LOG_DAMAGED",
        `Run ${getRootRun(id)} cannot be repaired: ${describeDamage(damage, id)}`,
      )
    const claim = await store.claim(getRootRun(id), { ...takeover, repair: true })
    if (isRefusal(claim)) throw createRefusalError(getRootRun(id), claim)
  } finally {
    // Letters that wait for the run stay in the store.
    await store.close()
  }
}

/** Describes the damage in the log of a run, and the command that repairs it. */
export function describeDamage(
  { reasons, start, owner }: Damage,
  id: string,
  status: RunHead["status"] = "open",
): string {
  const root = getRootRun(id)
  const more = reasons.length > 1 ? `, and ${reasons.length - 1} more` : ""
  return `its log is damaged (${reasons[0]}${more}). ${
    start === "lost"
      ? `The run cannot be resumed. \`cadre log ${root}\` shows what is left.`
      : `\`${repairLine(root, owner)}\` ${status === "open" ? "repairs it and resumes the run" : "repairs it"}. \`cadre log ${root}\` shows what can be read.`
  }`
}

/** The command that repairs a log. With --force, the user has to know that no process drives the run. */
export const repairLine = (root: string, owner: Damage["owner"]): string =>
  `cadre resume ${root} --repair${owner === "lost" ? " --force" : ""}`

export type DamageReader = (run: string) => Promise<Damage | undefined>

/** Returns a function that reads the damage of a run. Consecutive runs of one tree read its log only once. */
export function createDamageReader(store: Store): DamageReader {
  let last: { readonly root: string; readonly damage: Promise<Damage | undefined> } | undefined
  return (run) => {
    const root = getRootRun(run)
    if (last?.root !== root) last = { root, damage: findDamage(store, root) }
    return last.damage
  }
}
