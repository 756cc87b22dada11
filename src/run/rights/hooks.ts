import type { Agent, AgentSource } from "../../agent/agent.ts"
import { CadreError, knownNames } from "../../ground/errors.ts"
import type { MomentHooks } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { Hook } from "../ports/hook.ts"
import { momentNames } from "../state/moments.ts"
import type { RunState } from "../state/state.ts"

type Hooked = Pick<Environment, "agents" | "hooks" | "lifecycle">

/** All hooks that judge the runs of an agent, in their order: those of the program before those that are written down. */
export function hooksOf(
  { hooks, lifecycle }: Hooked,
  agent: Agent,
): Promise<readonly Hook[]> | readonly Hook[] {
  const registered = [...hooks.values()]
  const written = lifecycle?.hooksOf(agent)
  if (written === undefined) return registered
  return "then" in written ? written.then((list) => [...registered, ...list]) : [...registered, ...written]
}

/** What a run begins with that concerns hooks. */
export async function hookedBy(
  environment: Hooked,
  { agent, parent, hook }: Pick<Beginning, "agent" | "parent" | "hook">,
): Promise<Pick<RunStart, "hooks" | "moments" | "spawnedBy" | "above">> {
  const hooks = await hooksOf(environment, agent)
  const { judging, moments } = namesOf(hooks)
  const start = parent?.start
  const spawnedBy = [...(start?.spawnedBy ?? []), ...(hook === undefined ? [] : [hook])]
  const matters = (caller: RunStart) =>
    hooks.length > 0 ||
    caller.hooks ||
    caller.moments ||
    (environment.lifecycle && definesHooks(environment.agents))
  const above = start && matters(start) ? [...(start.above ?? []), start.agent] : []
  return {
    ...(judging.length > 0 && { hooks: judging }),
    ...(moments && { moments }),
    ...(spawnedBy.length > 0 && { spawnedBy }),
    ...(above.length > 0 && { above }),
  }
}

/** Whether a run that is yet to come may have hooks of its own. A list of agents is looked through once. */
function definesHooks(agents: AgentSource): boolean {
  const all = agents.all()
  const known = defining.get(all) ?? all.some(({ hooks, workflow }) => (hooks ?? workflow) != null)
  defining.set(all, known)
  return known
}

const defining = new WeakMap<readonly Agent[], boolean>()

/** A hook that would never be asked, because of a name that is none, is a mistake. Throws HOOK_INVALID. */
export function checkHook(hook: Hook): Hook {
  const wrong = Object.keys(hook.at ?? {}).find((name) => !(momentNames as readonly string[]).includes(name))
  if (wrong === undefined) return hook
  throw new CadreError(
    "HOOK_INVALID",
    `Hook "${hook.name}" is to be asked at ${JSON.stringify(wrong)}, which is no moment of a run. ${knownNames(wrong, momentNames)}`,
  )
}

/** By name: those that judge calls or see their results, and those that are asked at moments. */
export interface HookNames {
  readonly judging: readonly string[]
  readonly moments?: MomentHooks
}

/** Where it cannot be told which they are now, those that the run has already hold, and block what they cannot judge. */
export async function hookNames(environment: Hooked, agent: Agent): Promise<HookNames> {
  try {
    return namesOf(await hooksOf(environment, agent))
  } catch {
    return namesOf([...environment.hooks.values()])
  }
}

/** The one that follows the workflow of a run. */
export const isWorkflowHook = (name: string): boolean => name.startsWith("workflow:")

/** The agent whose hooks a run has: its own, with the workflow of one that it has taken on. */
export function hookedAgent(agent: Agent, { activated = [] }: Pick<RunState, "activated">): Agent {
  const taken = activated.findLast(({ workflow }) => workflow !== undefined)
  if (!taken) return agent
  const known = taking.get(taken) ?? { ...agent, workflow: taken.workflow! }
  taking.set(taken, known)
  return known
}

const taking = new WeakMap<object, Agent>()

export function namesOf(hooks: readonly Hook[]): HookNames {
  const judging = hooks.filter(({ judge, after }) => judge || after).map(({ name }) => name)
  const asked = hooks.filter(({ at }) => at)
  if (asked.length === 0) return { judging }
  const moments = momentNames.flatMap((moment) => {
    const names = asked.filter(({ at }) => at?.[moment]).map(({ name }) => name)
    return names.length > 0 ? [[moment, names] as const] : []
  })
  return { judging, ...(moments.length > 0 && { moments: Object.fromEntries(moments) }) }
}

/** Those of a list that another does not have; undefined where it has them all. */
export function addedMoments(moments: MomentHooks = {}, before: MomentHooks = {}): MomentHooks | undefined {
  const added = momentNames.flatMap((moment) => {
    const names = (moments[moment] ?? []).filter((name) => !before[moment]?.includes(name))
    return names.length > 0 ? [[moment, names] as const] : []
  })
  return added.length > 0 ? Object.fromEntries(added) : undefined
}
