import { hash } from "../../ground/crypto.ts"
import { messageOf } from "../../ground/errors.ts"
import type { CallResult } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Surroundings } from "../ports/environment.ts"
import type { RecordedResult, ResultCache } from "../ports/recorded-result.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import type { Action } from "./action.ts"
import { verify } from "./verify.ts"

/** Whether there is anything to be said of recorded results at all. */
export const mayReuse = (environment: Surroundings, { agent, parent, cache }: Beginning): boolean =>
  (agent.cache !== undefined && environment.cache !== undefined) ||
  cache === "skip" ||
  parent?.start?.cache === "skip"

/** What a run that begins has of an earlier one: where its own result is to be recorded, and the one that answers it. */
export async function reuse(
  environment: Surroundings,
  { agent, parent, cache: wanted, ceiling }: Beginning,
  start: RunStart,
): Promise<Pick<RunStart, "cache" | "recorded" | "warnings">> {
  if (wanted === "skip" || parent?.start?.cache === "skip") return { cache: "skip" }
  const { cache } = environment
  if (!agent.cache || !cache || start.continues !== undefined || start.forks) return {}
  if (start.isolation) return withWarning(start, "it works in a place of its own, which would not be made")
  try {
    const inputs = await cache.digest(agent.cache.inputs ?? [], start.cwd)
    const key = keyOf(environment, start, inputs, ceiling)
    const recorded = await cache.get(key)
    return { cache: { key, inputs }, ...(recorded && { recorded: resultOf(recorded) }) }
  } catch (error) {
    return withWarning(start, messageOf(error))
  }
}

const withWarning = ({ warnings = [] }: RunStart, why: string): Pick<RunStart, "warnings"> => ({
  warnings: [...warnings, `No result is taken from the cache or kept in it: ${why.replace(/\.$/, "")}.`],
})

const resultOf = ({ run, output, ...rest }: RecordedResult): NonNullable<RunStart["recorded"]> => ({
  run,
  output,
  ...("value" in rest && { value: rest.value! }),
})

/** Everything that the result follows from, as far as it was declared; rights, too, for what was read under others may not be read now. */
function keyOf(
  { tools, agents }: Surroundings,
  start: RunStart,
  inputs: string,
  ceiling: readonly string[] | undefined,
): string {
  const delegates = start.tools.some(
    (name) => tools.get(name)?.kind === "delegation" && !start.withheld?.includes(name),
  )
  return digestOf([
    2,
    start.agent,
    start.definition,
    start.task,
    start.opening ?? null,
    ...(start.attachments ? [start.attachments.map(({ blob }) => blob)] : []),
    [start.model.uses, start.model.resolved, start.model.strict ?? false],
    start.variables,
    start.rights.map(({ own = false, tools = null, rules, otherwise }) => [own, tools, rules, otherwise]),
    // What a run below it may use is not in its own definition.
    [start.delegation ?? "narrow", ceiling ?? start.ceiling ?? []],
    start.moments ? [start.hooks ?? [], start.moments] : (start.hooks ?? []),
    [start.cwd, start.moved ?? []],
    inputs,
    // Its definition says nothing of what those are told that it hands work to.
    delegates ? digestOf(agents.all()) : null,
  ])
}

const digestOf = (value: unknown): string => hash("sha256", JSON.stringify(value))

/**
 * What a run does that has its result already: it looks whether what must hold still does, and ends. Undefined where that
 * is not so, or somebody has written to it: then it goes to work.
 */
export function answerRecorded(state: RunState): Action | undefined {
  const { recorded } = state.start!
  if (!recorded || state.turn > 0 || state.inbox.length > 0) return undefined
  const { run, ...result } = recorded
  const action = verify(state, { type: "end", outcome: { type: "completed" }, ...result, cached: { run } })
  return action.type === "check" || (action.type === "end" && action.outcome.type === "completed")
    ? action
    : undefined
}

/** Whether a call did, or may have done, more than look: its result alone does not stand for it. */
export function isUnrepeatable(
  { kind, effect, startedAt, waits }: OpenCall,
  { status }: CallResult,
): boolean {
  if (status === "denied" || status === "unknown") return true
  // A person has said it, and may say otherwise another time.
  if (kind === "approval") return true
  // Of those that deal with other runs, waiting alone changes nothing and hears nothing but reports.
  if (kind === "control") return status === "ok" && waits === undefined
  return startedAt !== undefined && kind === "function" && effect !== "read"
}

/** Keeps the result of a run that has ended, if it stands for all that the run did and came from what its key says. */
export async function remember(
  cache: ResultCache | undefined,
  state: RunState,
  patterns: readonly string[] = [],
): Promise<void> {
  const { start, end } = state
  const at = start!.cache
  if (!cache || !end || at === undefined || at === "skip" || !isWhole(state)) return
  const { output, ...rest } = end
  try {
    const inputs = await cache.digest(patterns, start!.cwd)
    if (inputs !== at.inputs) return
    await cache.put(at.key, {
      run: state.run,
      at: end.at,
      output,
      ...("value" in rest && { value: rest.value }),
    })
  } catch {
    // A result that is not kept is worked out again: no reason to fail a run that completed.
  }
}

const isWhole = ({ start, end, ...state }: RunState): boolean =>
  end!.outcome.type === "completed" &&
  end!.cached === undefined &&
  state.unrepeatable === undefined &&
  state.children.length === 0 &&
  state.inbox.length === 0 &&
  state.differences.length + state.fallbacks.length + state.mismatches.length === 0 &&
  state.rights.length === start!.rights.length &&
  state.hooks.length === (start!.hooks ?? []).length &&
  state.moments?.objection === undefined &&
  JSON.stringify(state.moments?.hooks) === JSON.stringify(start!.moments)
