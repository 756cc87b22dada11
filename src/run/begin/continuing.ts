import type { Agent } from "../../agent/agent.ts"
import { CadreError } from "../../ground/errors.ts"
import type { RunStart } from "../log/event-run.ts"
import { parentOf, rootOf } from "../log/id.ts"
import { redactTexts } from "../log/redact.ts"
import type { Store } from "../log/store.ts"
import type { EndedRun } from "../ports/ended-run.ts"
import type { Environment } from "../ports/environment.ts"
import type { Pinned } from "../ports/pinned.ts"
import { hasCallersTools } from "../rights/tool-list.ts"
import type { RunState } from "../state/state.ts"
import { fold, startOf } from "./load.ts"

/** Reads what binds a run that goes on with this one, for a run that `caller` starts, or for a root. */
export async function endedRun(store: Store, run: string, caller?: string): Promise<EndedRun> {
  const folded = await fold(store, run)
  if (!folded?.state.start) throw new CadreError("RUN_UNKNOWN", `No run ${run} in this store.`)
  const { start, rights } = folded.state
  const root = await startOf(store, rootOf(run))
  const between: (readonly string[])[] = []
  for (let above = parentOf(run); above !== undefined && above !== caller; above = parentOf(above))
    between.push(toolsOf(await startOf(store, above)))
  const heir = parentOf(run) !== undefined && (await wasHeir(store, run, start))
  return { start, rights, heir, ceiling: root.ceiling ?? toolsOf(root), between }
}

async function wasHeir(store: Store, run: string, { definition }: RunStart): Promise<boolean> {
  const blob = await store.getBlob(run, definition)
  return blob === undefined || hasCallersTools((JSON.parse(blob) as Pinned).agent)
}

const toolsOf = ({ tools, delegates = [] }: RunStart): readonly string[] => [...tools, ...delegates]

/** What is to be said of a run that goes on with this one's history. Throws where it cannot. */
export async function continuing(
  { store, models }: Pick<Environment, "store" | "models">,
  { run, start, end }: RunState,
  agent: Agent,
): Promise<readonly string[]> {
  if (!end)
    throw new CadreError(
      "RUN_UNKNOWN",
      `Run ${run} has not ended, so it cannot be continued: send it a message instead.`,
    )
  if (start!.agent !== agent.name)
    return [`Run ${run} was one of agent "${start!.agent}": agent "${agent.name}" goes on with its history.`]
  const blob = await store.getBlob(run, start!.definition)
  // What is kept of a definition holds no key.
  const today = redactTexts(agent, models.redact)
  if (blob === undefined || isSame((JSON.parse(blob) as Pinned).agent, today)) return []
  return [
    `Agent "${agent.name}" has changed since run ${run}: this one goes on with its history, by the definition of today.`,
  ]
}

/** Wherever it is written. */
const isSame = ({ origin: _, ...before }: Agent, { origin: __, ...now }: Agent): boolean =>
  JSON.stringify(before) === JSON.stringify(now)
