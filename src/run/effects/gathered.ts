import { lockedVariable, variablesProblem } from "../../agent/variable.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { HookEnd, HookSpawn, RunStep, Verdict } from "../log/event.ts"
import type { Hook } from "../ports/hook.ts"
import type { HookedRun, HookVerdict } from "../ports/hooked.ts"
import { guardOf } from "../rights/hook-guard.ts"
import type { Drive } from "./drive-view.ts"
import { recordedSpawn } from "./hook-rights.ts"

/** What hooks that did not block wanted so far. */
export interface Gathered {
  variables: JsonMap
  readonly context: string[]
  readonly spawns: HookSpawn[]
  step?: RunStep
  readonly problems: string[]
}

export const nothingGathered = (): Gathered => ({ variables: {}, context: [], spawns: [], problems: [] })

/** Takes over what a hook wants besides its verdict; or says what is wrong with it. */
export function gather(
  drive: Drive,
  hook: Hook,
  { variables = {}, context = [], spawns = [], step, problems = [] }: Omit<HookVerdict, keyof Verdict>,
  gathered: Gathered,
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
    gathered.problems.push(`${name}: below an agent that it spawns it spawns nobody`)
  // What would come after it has no call to come before.
  else if (spawns.length > 0 && replacing)
    gathered.problems.push(`${name}: ${replacing.agent} takes the place of the call, so it spawns nobody`)
  else gathered.spawns.push(...spawns.map((spawn) => recordedSpawn(drive, hook, spawn)))
  const locked = environment.variables.locked.filter((variable) => Object.hasOwn(variables, variable))
  gathered.problems.push(...locked.map((variable) => `${name}: ${lockedVariable(variable)}`))
  const open = Object.entries(variables).filter(([variable]) => !locked.includes(variable))
  if (open.length === 0) return undefined
  const set = { ...gathered.variables, ...Object.fromEntries(open) }
  const problem = variablesProblem({ ...state.variables, ...set })
  if (problem === undefined) gathered.variables = set
  else gathered.problems.push(`${name}: ${problem}`)
  return undefined
}

export const recordOf = ({
  variables,
  context,
  spawns,
  step,
  problems,
}: Gathered): Omit<HookEnd, "type" | "call" | "verdict"> => ({
  ...(Object.keys(variables).length > 0 && { variables }),
  ...(context.length > 0 && { context }),
  ...(spawns.length > 0 && { spawns }),
  ...(step && { step }),
  ...(problems.length > 0 && { problems }),
})

/** Whether a hook is not asked about a run: only what says what it may do is, wherever that would go round in circles. */
export const isOfItsOwn = (drive: Drive, hook: Hook): boolean => !hook.binds && wouldCircle(drive, hook)

const wouldCircle = ({ environment, state }: Drive, hook: Hook): boolean =>
  guardOf(environment.agents, hook, state.start!) !== undefined

/** Whom a hook is asked for. */
export function hookedRun(
  { state, environment }: Pick<Drive, "state" | "environment">,
  written: JsonMap,
): HookedRun {
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
    variables: { ...state.variables, ...written },
    ...(locked.length > 0 && { locked }),
    ...(state.step && { step: state.step }),
  }
}
