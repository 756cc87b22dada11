import { hash } from "../../ground/crypto.ts"
import { describeThrown } from "../../ground/errors.ts"
import type { CallResult } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import type { RecordedResult, ResultCache } from "../ports/recorded-result.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import type { Action } from "./action.ts"
import { verify } from "./verify.ts"

/** True if `reuse` has something to add to the start of a run. */
export const mayReuse = (environment: StartEnvironment, { agent, parent, cache }: Beginning): boolean =>
  (agent.cache !== undefined && environment.cache !== undefined) ||
  cache === "skip" ||
  parent?.start?.cache === "skip"

/** The cache key for the result of a new run, and the recorded result that answers the run, if there is one. */
export async function findRecordedResult(
  environment: StartEnvironment,
  { agent, parent, cache: cacheOption, ceiling }: Beginning,
  start: RunStart,
): Promise<Pick<RunStart, "cache" | "recorded" | "warnings">> {
  if (cacheOption === "skip" || parent?.start?.cache === "skip") return { cache: "skip" }
  const { cache } = environment
  if (!agent.cache || !cache || start.continues !== undefined || start.forks) return {}
  if (start.isolation)
    return withWarning(start, "it works in its own worktree, which a cached result would not make")
  try {
    const inputs = await cache.digest(agent.cache.inputs ?? [], start.cwd)
    const key = keyOf(environment, start, inputs, ceiling)
    const recorded = await cache.get(key)
    return { cache: { key, inputs }, ...(recorded && { recorded: resultOf(recorded) }) }
  } catch (error) {
    return withWarning(start, describeThrown(error))
  }
}

const withWarning = ({ warnings = [] }: RunStart, why: string): Pick<RunStart, "warnings"> => ({
  warnings: [...warnings, `The result cache was not used: ${why.replace(/\.$/, "")}.`],
})

const resultOf = ({ run, output, ...rest }: RecordedResult): NonNullable<RunStart["recorded"]> => ({
  run,
  output,
  ...("value" in rest && { value: rest.value! }),
})

/** A digest of every declared input of the result. Rights count, because files read under other rights may be forbidden now. */
function keyOf(
  { tools, agents }: StartEnvironment,
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
    // The definition does not tell which tools the runs below may use.
    [start.delegation ?? "narrow", ceiling ?? start.ceiling ?? []],
    start.moments ? [start.hooks ?? [], start.moments] : (start.hooks ?? []),
    [start.cwd, start.moved ?? []],
    inputs,
    // The definition does not contain the agents that the run may call.
    delegates ? digestOf(agents.all()) : null,
  ])
}

const digestOf = (value: unknown): string => hash("sha256", JSON.stringify(value))

/**
 * A run with a recorded result checks its postconditions and ends. Undefined if they do not hold any more, or a message
 * has arrived: the run then works as usual.
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

/** True if a call did, or may have done, more than read: a cached result would not do that again. */
export function isUnrepeatable(
  { kind, effect, startedAt, waits }: OpenCall,
  { status }: CallResult,
): boolean {
  if (status === "denied" || status === "unknown") return true
  // A person may answer differently another time.
  if (kind === "approval") return true
  // Of the calls about other runs, only waiting changes nothing and returns nothing but reports.
  if (kind === "control") return status === "ok" && waits === undefined
  return startedAt !== undefined && kind === "function" && effect !== "read"
}

/** Caches the result of an ended run, if the run did nothing else and its inputs have not changed since it began. */
export async function keepResult(
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
    // Without a cached result, the next run works again. That is no reason to fail a completed run.
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
