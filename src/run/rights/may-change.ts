import type { Agent } from "../../agent/agent.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import type { Hook } from "../ports/hook.ts"
import { isWorkflowHook } from "./hooks.ts"
import { commandTool } from "./pattern.ts"
import { createReachReader } from "./reach.ts"
import { listHookAndStepAgents, readEffectiveHooks } from "./reach-from.ts"
import { createGrantReader, isGranting } from "./tool-list.ts"

/**
 * True if a run of an agent, or any run below it, could change something if nothing were denied. Denials do
 * not count: one more denial would make a run work in place, where commands of hooks still reach the user's
 * files. If the hooks cannot be read, the answer is true.
 */
export async function mayChange(environment: StartEnvironment, agent: Agent): Promise<boolean> {
  try {
    if (changes(environment, agent, (await readEffectiveHooks(environment, [agent])).get(agent))) return true
    const agents = environment.agents.all()
    const hooks = await readEffectiveHooks(environment, agents)
    const free = new Map([...new Set([agent, ...agents])].map((one) => [one, withoutDenials(one)]))
    const originals = new Map([...free].map(([one, other]) => [other, one]))
    const reach = createReachReader({
      agents: agents.map((one) => free.get(one)!),
      tools: environment.tools,
      startedBy: (one) => listHookAndStepAgents(one, hooks.get(originals.get(one)!)),
    })(free.get(agent)!)
    const reached = new Set(reach.map(({ name }) => name))
    return agents.some((one) => reached.has(one.name) && changes(environment, one, hooks.get(one)))
  } catch {
    return true
  }
}

/**
 * True if the agent's list, its program, or a command of its hooks, steps or postconditions could change
 * something.
 */
function changes(environment: StartEnvironment, agent: Agent, hooks: readonly Hook[] = []): boolean {
  const { tools } = environment
  const { executor, postconditions = [], delegates = [], tools: list } = agent
  if (executor !== undefined) return true
  const hasCommands = postconditions.some((one) => "command" in one) || hooks.some(mayRunCommands)
  if (hasCommands && tools.has(commandTool)) return true
  const widened = { ...agent, tools: { ...list, allow: [...list.allow, ...delegates], deny: [] } }
  const grantOf = createGrantReader(widened, tools)
  return [...tools.values()].some(
    (tool) => tool.kind === "function" && tool.effect !== "read" && isGranting(grantOf(tool.name)),
  )
}

/** A hook in code may run commands, because its code cannot be read. */
const mayRunCommands = ({ commands, written, name }: Hook): boolean =>
  commands ?? (written === undefined && !isWorkflowHook(name))

const withoutDenials = (agent: Agent): Agent => ({
  ...agent,
  tools: { ...agent.tools, deny: [] },
  rules: agent.rules.filter(({ decision }) => decision === "allow"),
})
