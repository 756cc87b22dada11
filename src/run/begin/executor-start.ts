import type { Agent } from "../../agent/agent.ts"
import { executorToolName } from "../../agent/executor.ts"
import type { Tool } from "../../agent/tool.ts"
import { StartError } from "../../ground/errors.ts"
import type { Lack, RuleSet } from "../log/event-rights.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import type { DelegationRule, GrantedTools } from "../ports/granted-tools.ts"
import type { RunBounds } from "../ports/planner.ts"
import { judge } from "../rights/rights.ts"
import { collectRights } from "../rights/rule-sets.ts"
import { createGrantReader } from "../rights/tool-list.ts"
import { describeLackAdvice, describeLackReason } from "../words/lack-text.ts"
import { chooseConfinement } from "./confine.ts"
import { grantDelegates } from "./definition.ts"
import { addLackPlaces, findLackReason, readRuleReason } from "./lacks.ts"

/**
 * Tools that are never offered to a model (today: Executor) leave `granted`; under `narrow` they can still be delegated.
 * An agent with an executor has only the tool Executor. It must be available to the agent and not denied by it.
 */
export function separateUnoffered(
  agent: Agent,
  allTools: ReadonlyMap<string, Tool>,
  { available, granted, delegates }: Shares,
  delegation: DelegationRule,
): Shares {
  if (agent.executor !== undefined)
    return {
      available,
      granted: grantDelegates({ ...agent, delegates: [executorToolName] }, available, allTools),
      delegates: [],
    }
  if (delegation === "own")
    return { available, granted: granted.filter((name) => allTools.get(name)?.unoffered !== true), delegates }
  const isOffered = (name: string) => allTools.get(name)?.unoffered !== true
  if (granted.every(isOffered)) return { available, granted, delegates }
  return {
    available,
    granted: granted.filter(isOffered),
    delegates: [...delegates, ...granted.filter((name) => !isOffered(name))],
  }
}

type Shares = Pick<GrantedTools, "available" | "granted" | "delegates">

/** The rights, tools and confinement that bind a run from outside. A program knows them only if it is told. */
export function gatherRunBounds(
  environment: StartEnvironment,
  beginning: Pick<Beginning, "agent" | "parent" | "follows" | "continuedRun" | "cwd">,
  grant: GrantedTools,
): RunBounds {
  const { agent, parent, cwd = parent?.start?.cwd ?? process.cwd() } = beginning
  // Programs do not get the tools that act on other runs.
  const all = [...environment.tools.values()]
    .filter(({ kind, unoffered }) => kind === "function" && !unoffered)
    .map(({ name }) => name)
  const availableTools = all.filter((name) => grant.available.includes(name))
  const confinement = chooseConfinement(environment.tools, beginning)
  return {
    rights: collectRights(agent, environment, cwd, beginning, grant),
    ...(availableTools.length < all.length && { ceiling: availableTools }),
    ...(confinement && { confinement }),
  }
}

type ExecutorBeginning = Pick<Beginning, "agent" | "parent" | "follows" | "continuedRun" | "continues">

/** Throws if a rule denies an agent's executor, or the caller cannot delegate it. The message names the denial. */
export async function requireExecutor(
  environment: StartEnvironment,
  beginning: ExecutorBeginning,
  grant: GrantedTools,
  { rights }: Pick<RunBounds, "rights">,
): Promise<void> {
  const { agent } = beginning
  const { name, executor, tools } = agent
  if (executor === undefined) return
  const why = grant.granted.includes(executorToolName)
    ? await useDenied(environment, executor, rights)
    : await toolDenied(environment, beginning, grant)
  if (why === undefined) return
  throw new StartError([
    {
      code: "EXECUTOR_DENIED",
      kind: "written",
      rule: "executor-denied",
      part: tools.deny.length > 0 ? "tools.deny" : "executor",
      message: `Agent "${name}" was not started: it may not use its executor ${executor}. ${why}`,
    },
  ])
}

/** The reason that the agent may use no executor at all. */
async function toolDenied(
  environment: StartEnvironment,
  beginning: ExecutorBeginning,
  grant: GrantedTools,
): Promise<string> {
  const { agent } = beginning
  const ownGrant = createGrantReader(agent, environment.tools)(executorToolName)
  if (ownGrant.type === "denied")
    return `Its own definition denies ${ownGrant.by}. Remove ${ownGrant.by} from its \`disallowedTools\`.`
  const by = findLackReason(environment, beginning, grant, executorToolName)
  if (by.type === "caller")
    return `Its caller, agent "${by.agent}", cannot delegate ${executorToolName}. Add \`delegates: ${executorToolName}(${agent.executor})\` to agent "${by.agent}".`
  return denialText(environment, { tool: executorToolName, by })
}

/** The reason that the agent may use executors, but not this one. Undefined if it may use this one. */
async function useDenied(
  environment: StartEnvironment,
  executor: string,
  rights: readonly RuleSet[],
): Promise<string | undefined> {
  const access = { type: "executor", name: executor } as const
  const isDenied = (sets: readonly RuleSet[]) =>
    judge(sets, { tool: executorToolName, accesses: [access] }).decision === "deny"
  const set = rights.find((one) => isDenied([one]))
  if (!set) return undefined
  const { of, agent } = set
  const rule = set.rules.find((one) => isDenied([{ of, rules: [one], otherwise: "allow" }]))
  const by = readRuleReason(environment, {
    of,
    ...(agent !== undefined && { agent }),
    ...(rule && { rule: rule.tool }),
  })
  return denialText(environment, { tool: `${executorToolName}(${executor})`, by })
}

async function denialText(environment: StartEnvironment, lack: Lack): Promise<string> {
  const [placed = lack] = await addLackPlaces(environment, [lack])
  return `${lack.tool} is not available: ${describeLackReason(placed)}. ${describeLackAdvice(placed)}`
}
