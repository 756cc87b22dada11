import type { Agent, AgentSource } from "../../agent/agent.ts"
import { CadreError, listKnownNames } from "../../ground/errors.ts"
import type { MomentHooks } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { Hook } from "../ports/hook.ts"
import { momentNames } from "../state/moments.ts"
import type { RunState } from "../state/state.ts"

type Hooked = Pick<Environment, "agents" | "hooks" | "lifecycle">

/** All hooks that judge the runs of an agent, in their order: first those in code, then the written ones. */
export function listAgentHooks(
  { hooks, lifecycle }: Hooked,
  agent: Agent,
): Promise<readonly Hook[]> | readonly Hook[] {
  const registered = [...hooks.values()]
  const written = lifecycle?.hooksOf(agent)
  if (written === undefined) return registered
  return "then" in written ? written.then((list) => [...registered, ...list]) : [...registered, ...written]
}

/** The hook fields of a run's first event. */
export async function buildHookFields(
  environment: Hooked,
  { agent, parent, hook }: Pick<Beginning, "agent" | "parent" | "hook">,
): Promise<Pick<RunStart, "hooks" | "moments" | "spawnedBy" | "above">> {
  const hooks = await listAgentHooks(environment, agent)
  const { judging, moments } = listHookNames(hooks)
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

/** True if a later run may have hooks of its own. Each list of agents is searched once. */
function definesHooks(agents: AgentSource): boolean {
  const all = agents.all()
  const doesDefine =
    definesHooksCache.get(all) ?? all.some(({ hooks, workflow }) => (hooks ?? workflow) != null)
  definesHooksCache.set(all, doesDefine)
  return doesDefine
}

const definesHooksCache = new WeakMap<readonly Agent[], boolean>()

/** Throws HOOK_INVALID where a hook names an unknown moment: it would never be asked there. */
export function checkHook(hook: Hook): Hook {
  const wrong = Object.keys(hook.at ?? {}).find((name) => !(momentNames as readonly string[]).includes(name))
  if (wrong === undefined) return hook
  throw new CadreError(
    "HOOK_INVALID",
    `Hook "${hook.name}" names an unknown moment: ${JSON.stringify(wrong)}. ${listKnownNames(wrong, momentNames)}`,
  )
}

/** The names of the hooks that judge calls or see their results, and of those that are asked at moments. */
export interface HookNames {
  readonly judging: readonly string[]
  readonly moments?: MomentHooks
}

/**
 * The names of an agent's current hooks. If they cannot be read, only the hooks in code are named. The run
 * keeps the hooks it has already, and they block what they cannot judge.
 */
export async function readHookNames(environment: Hooked, agent: Agent): Promise<HookNames> {
  try {
    return listHookNames(await listAgentHooks(environment, agent))
  } catch {
    return listHookNames([...environment.hooks.values()])
  }
}

/** True for the hook that follows the workflow of a run. */
export const isWorkflowHook = (name: string): boolean => name.startsWith("workflow:")

/** The agent whose hooks a run has: its own agent, with the workflow of an agent that the run activated. */
export function withActivatedWorkflow(agent: Agent, { activated = [] }: Pick<RunState, "activated">): Agent {
  const activation = activated.findLast(({ workflow }) => workflow !== undefined)
  if (!activation) return agent
  const combined = combinedAgents.get(activation) ?? { ...agent, workflow: activation.workflow! }
  combinedAgents.set(activation, combined)
  return combined
}

const combinedAgents = new WeakMap<object, Agent>()

export function listHookNames(hooks: readonly Hook[]): HookNames {
  const judging = hooks.filter(({ judge, after }) => judge || after).map(({ name }) => name)
  const momentHooks = hooks.filter(({ at }) => at)
  if (momentHooks.length === 0) return { judging }
  const moments = momentNames.flatMap((moment) => {
    const names = momentHooks.filter(({ at }) => at?.[moment]).map(({ name }) => name)
    return names.length > 0 ? [[moment, names] as const] : []
  })
  return { judging, ...(moments.length > 0 && { moments: Object.fromEntries(moments) }) }
}

/** The entries of `moments` that `before` lacks; undefined if it has them all. */
export function findAddedMoments(
  moments: MomentHooks = {},
  before: MomentHooks = {},
): MomentHooks | undefined {
  const added = momentNames.flatMap((moment) => {
    const names = (moments[moment] ?? []).filter((name) => !before[moment]?.includes(name))
    return names.length > 0 ? [[moment, names] as const] : []
  })
  return added.length > 0 ? Object.fromEntries(added) : undefined
}
