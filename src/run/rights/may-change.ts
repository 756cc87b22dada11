import type { Agent } from "../../agent/agent.ts"
import type { Surroundings } from "../ports/environment.ts"
import type { Hook } from "../ports/hook.ts"
import { isWorkflowHook } from "./hooks.ts"
import { commandTool } from "./pattern.ts"
import { reachReader } from "./reach.ts"
import { followedHooks, startedBy } from "./reach-from.ts"
import { grantReader, isGrant } from "./tool-list.ts"

/**
 * Whether a run of an agent, or anybody whom it may have work, could change something if nothing were denied. Denials do
 * not count: with one more of them a run would work in place, where commands of hooks still reach the files of the user.
 * Where the hooks cannot be read, it could.
 */
export async function mayChange(environment: Surroundings, agent: Agent): Promise<boolean> {
  try {
    if (changes(environment, agent, (await followedHooks(environment, [agent])).get(agent))) return true
    const known = environment.agents.all()
    const hooks = await followedHooks(environment, known)
    const free = new Map([...new Set([agent, ...known])].map((one) => [one, withoutDenials(one)]))
    const written = new Map([...free].map(([one, other]) => [other, one]))
    const reach = reachReader({
      agents: known.map((one) => free.get(one)!),
      tools: environment.tools,
      startedBy: (one) => startedBy(one, hooks.get(written.get(one)!)),
    })(free.get(agent)!)
    const reached = new Set(reach.map(({ name }) => name))
    return known.some((one) => reached.has(one.name) && changes(environment, one, hooks.get(one)))
  } catch {
    return true
  }
}

/** By its own list, by the program that runs it, or by a command of its hooks, steps or postconditions. */
function changes(environment: Surroundings, agent: Agent, hooks: readonly Hook[] = []): boolean {
  const { tools } = environment
  const { executor, postconditions = [], delegates = [], tools: list } = agent
  if (executor !== undefined) return true
  const hasCommands = postconditions.some((one) => "command" in one) || hooks.some(mayRunCommands)
  if (hasCommands && tools.has(commandTool)) return true
  const asked = { ...agent, tools: { ...list, allow: [...list.allow, ...delegates], deny: [] } }
  const saying = grantReader(asked, tools)
  return [...tools.values()].some(
    (tool) => tool.kind === "function" && tool.effect !== "read" && isGrant(saying(tool.name)),
  )
}

/** What a hook in code does with the commands that it is offered, nobody can read. */
const mayRunCommands = ({ commands, written, name }: Hook): boolean =>
  commands ?? (written === undefined && !isWorkflowHook(name))

const withoutDenials = (agent: Agent): Agent => ({
  ...agent,
  tools: { ...agent.tools, deny: [] },
  rules: agent.rules.filter(({ decision }) => decision === "allow"),
})
