import type { Agent } from "../../agent/agent.ts"
import { CadreError } from "../../ground/errors.ts"
import type { RunStart } from "../log/event-run.ts"
import { findParentRun, getRootRun } from "../log/id.ts"
import { redactTexts } from "../log/redact.ts"
import type { Store } from "../log/store.ts"
import type { EndedRun } from "../ports/ended-run.ts"
import type { Environment } from "../ports/environment.ts"
import type { PinnedDefinition } from "../ports/pinned.ts"
import { hasCallersTools } from "../rights/tool-list.ts"
import type { RunState } from "../state/state.ts"
import { getWholeCeiling } from "./grant.ts"
import { fold, readRunStart } from "./load.ts"

/** Reads the rights and tools that bind a new run which continues the run. No `caller`: the new run is a root. */
export async function readEndedRun(store: Store, run: string, caller?: string): Promise<EndedRun> {
  const folded = await fold(store, run)
  if (!folded?.state.start) throw new CadreError("RUN_UNKNOWN", `No run ${run} in this store.`)
  const { start, rights } = folded.state
  const root = await readRunStart(store, getRootRun(run))
  const between: (readonly string[])[] = []
  for (
    let ancestor = findParentRun(run);
    ancestor !== undefined && ancestor !== caller;
    ancestor = findParentRun(ancestor)
  )
    between.push(toolsOf(await readRunStart(store, ancestor)))
  const heir = findParentRun(run) !== undefined && (await wasHeir(store, run, start))
  return { start, rights, heir, ceiling: getWholeCeiling(root) ?? toolsOf(root), between }
}

async function wasHeir(store: Store, run: string, { definition }: RunStart): Promise<boolean> {
  const blob = await store.getBlob(run, definition)
  return blob === undefined || hasCallersTools((JSON.parse(blob) as PinnedDefinition).agent)
}

const toolsOf = ({ tools, delegates = [] }: RunStart): readonly string[] => [...tools, ...delegates]

/** The warnings for a new run that continues the history of this run. Throws if this run has not ended. */
export async function checkContinuation(
  { store, models }: Pick<Environment, "store" | "models">,
  { run, start, end }: RunState,
  agent: Agent,
): Promise<readonly string[]> {
  if (!end)
    throw new CadreError(
      "RUN_UNKNOWN",
      `Run ${run} has not ended, so no new run can continue it. Send it a message instead.`,
    )
  if (start!.agent !== agent.name)
    return [
      `Run ${run} was a run of agent "${start!.agent}". Agent "${agent.name}" continues the history of that run.`,
    ]
  const blob = await store.getBlob(run, start!.definition)
  // API keys are redacted in stored definitions, so they are redacted in today's definition before the comparison.
  const today = redactTexts(agent, models.redact)
  if (blob === undefined || isSame((JSON.parse(blob) as PinnedDefinition).agent, today)) return []
  return [
    `Agent "${agent.name}" has changed since run ${run}. The new run continues that run's history with the changed definition.`,
  ]
}

/** The origin is not compared: moving a file changes nothing. */
const isSame = ({ origin: _, ...before }: Agent, { origin: __, ...now }: Agent): boolean =>
  JSON.stringify(before) === JSON.stringify(now)
