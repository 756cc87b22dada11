import { CadreError } from "../../../ground/errors.ts"
import { refusalError } from "../../../run/decide/record.ts"
import { type Damage, damageOf } from "../../../run/log/damage.ts"
import { rootOf } from "../../../run/log/id.ts"
import { isRefusal, type RunHead, type Store } from "../../../run/log/store.ts"
import { jsonlStore } from "../../../world/stores/jsonl.ts"
import type { Surroundings } from "../command.ts"
import { runsFolder } from "./runs-folder.ts"

/** Mends the log of a tree, if it is damaged, and lets go of it. Nothing is run. */
export async function mendLog(
  id: string,
  takeover: { readonly force?: true },
  surroundings: Pick<Surroundings, "environment" | "stderr">,
): Promise<void> {
  const onDamage = ({ message }: { readonly message: string }) => surroundings.stderr.write(`${message}\n`)
  const store = jsonlStore({ directory: runsFolder(surroundings), onDamage })
  try {
    const damage = await damageOf(store, id)
    if (!damage) return
    if (damage.start === "lost")
      throw new CadreError("LOG_DAMAGED", `Run ${rootOf(id)} cannot be mended: ${damageText(damage, id)}`)
    const claim = await store.claim(rootOf(id), { ...takeover, repair: true })
    if (isRefusal(claim)) throw refusalError(rootOf(id), claim)
  } finally {
    // Letters that wait stay where they are.
    await store.close()
  }
}

/** What is wrong with the log of a run, and what to type. One sentence or two. */
export function damageText(
  { reasons, start, owner }: Damage,
  id: string,
  status: RunHead["status"] = "open",
): string {
  const root = rootOf(id)
  const more = reasons.length > 1 ? `, and ${reasons.length - 1} more` : ""
  return `its log is damaged (${reasons[0]}${more}). ${
    start === "lost"
      ? `It cannot be resumed; \`cadre log ${root}\` shows what is left.`
      : `\`${repairLine(root, owner)}\` mends it${status === "open" ? " and goes on" : ""}; \`cadre log ${root}\` shows what can be read.`
  }`
}

/** What to type. Whoever forces it must know that nobody drives the run. */
export const repairLine = (root: string, owner: Damage["owner"]): string =>
  `cadre resume ${root} --repair${owner === "lost" ? " --force" : ""}`

export type DamageReader = (run: string) => Promise<Damage | undefined>

/** Looks at each tree once, however many of its runs are asked for. */
export function damageReader(store: Store): DamageReader {
  let last: { readonly root: string; readonly damage: Promise<Damage | undefined> } | undefined
  return (run) => {
    const root = rootOf(run)
    if (last?.root !== root) last = { root, damage: damageOf(store, root) }
    return last.damage
  }
}
