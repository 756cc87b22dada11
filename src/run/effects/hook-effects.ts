import { describeLockedVariable, findVariablesProblem } from "../../agent/variable.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { CallVerdict, HookEnd, HookSpawn, RunStep } from "../log/event.ts"
import type { Hook } from "../ports/hook.ts"
import type { HookRun, HookVerdict } from "../ports/hooked.ts"
import { findHookGuard } from "../rights/hook-guard.ts"
import type { Drive } from "./drive-view.ts"
import { toRecordedSpawn } from "./hook-rights.ts"

/** The effects so far of hooks that did not block. */
export interface HookEffects {
  variables: JsonMap
  readonly context: string[]
  readonly spawns: HookSpawn[]
  step?: RunStep
  readonly problems: string[]
}

export const createHookEffects = (): HookEffects => ({ variables: {}, context: [], spawns: [], problems: [] })

/** Adds the effects of a hook besides its verdict; or returns the problem with them. */
export function addHookEffects(
  drive: Drive,
  hook: Hook,
  { variables = {}, context = [], spawns = [], step, problems = [] }: Omit<HookVerdict, keyof CallVerdict>,
  gathered: HookEffects,
): string | undefined {
  const { environment, state } = drive
  const { name, spawns: declared = [] } = hook
  const undeclared = spawns.find(({ agent }) => !declared.includes(agent))
  if (undeclared) return `hands work to ${undeclared.agent}, which it does not name in its \`spawns\``
  gathered.problems.push(...problems.map((problem) => `${name}: ${problem}`))
  gathered.context.push(...context)
  if (step) gathered.step = step
  const replacing = gathered.spawns.find(({ mode }) => mode === "replace")
  if (spawns.length > 0 && wouldCircle(drive, hook))
    gathered.problems.push(`${name}: it spawns no agents in or below runs of an agent that it spawns`)
  // The call was replaced, so later spawns have no call to precede.
  else if (spawns.length > 0 && replacing)
    gathered.problems.push(
      `${name}: the agent ${replacing.agent} replaces the call, so this hook spawns no agent`,
    )
  else gathered.spawns.push(...spawns.map((spawn) => toRecordedSpawn(drive, hook, spawn)))
  const locked = environment.variables.locked.filter((variable) => Object.hasOwn(variables, variable))
  gathered.problems.push(...locked.map((variable) => `${name}: ${describeLockedVariable(variable)}`))
  const open = Object.entries(variables).filter(([variable]) => !locked.includes(variable))
  if (open.length === 0) return undefined
  const merged = { ...gathered.variables, ...Object.fromEntries(open) }
  const problem = findVariablesProblem({ ...state.variables, ...merged })
  if (problem === undefined) gathered.variables = merged
  else gathered.problems.push(`${name}: ${problem}`)
  return undefined
}

export const toHookRecord = ({
  variables,
  context,
  spawns,
  step,
  problems,
}: HookEffects): Omit<HookEnd, "type" | "call" | "verdict"> => ({
  ...(Object.keys(variables).length > 0 && { variables }),
  ...(context.length > 0 && { context }),
  ...(spawns.length > 0 && { spawns }),
  ...(step && { step }),
  ...(problems.length > 0 && { problems }),
})

/**
 * True if a hook is not asked about a run, because it would spawn runs without end. Hooks that only set what
 * a run may do are always asked.
 */
export const isHookSkipped = (drive: Drive, hook: Hook): boolean => !hook.binds && wouldCircle(drive, hook)

const wouldCircle = ({ environment, state }: Drive, hook: Hook): boolean =>
  findHookGuard(environment.agents, hook, state.start!) !== undefined

/** The run as hooks see it. */
export function describeRunForHooks(
  { state, environment }: Pick<Drive, "state" | "environment">,
  newVariables: JsonMap,
): HookRun {
  const { locked } = environment.variables
  const { agent, depth, caller, task, cwd } = state.start!
  return {
    run: state.run,
    agent,
    depth,
    ...(caller && { parent: caller.run }),
    task,
    turn: state.turn,
    cwd,
    variables: { ...state.variables, ...newVariables },
    ...(locked.length > 0 && { locked }),
    ...(state.step && { step: state.step }),
  }
}
