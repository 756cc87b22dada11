import type { Agent } from "../agent.ts"
import { CadreError } from "../errors.ts"
import type { Pinned } from "./definition.ts"
import type { Environment } from "./environment.ts"
import { redactTexts } from "./redact.ts"
import type { RunState } from "./state.ts"

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
