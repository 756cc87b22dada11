import type { Agent } from "../../agent/agent.ts"
import { executorToolName } from "../../agent/executor.ts"
import type { Tool } from "../../agent/tool.ts"
import { StartError } from "../../ground/errors.ts"
import type { Lack, RuleSet } from "../log/event-rights.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Surroundings } from "../ports/environment.ts"
import type { DelegationRule, Grant } from "../ports/granted.ts"
import type { Binding } from "../ports/planner.ts"
import { judge } from "../rights/rights.ts"
import { rightsOf } from "../rights/rule-sets.ts"
import { grantReader } from "../rights/tool-list.ts"
import { lackAdvice, lackReason } from "../words/lack-text.ts"
import { confinementOf } from "./confine.ts"
import { delegatedTools } from "./definition.ts"
import { placedLacks, reasonFor, ruleReason } from "./lacks.ts"

/**
 * What no model is offered can only be handed on: a program is told what binds whoever calls it, or does not start. A run
 * that a program does has nothing but the tool that starts it, and that as a child has its tools: whoever calls it has
 * it, and the agent is not denied it.
 */
export function apart(
  agent: Agent,
  known: ReadonlyMap<string, Tool>,
  { available, granted, delegates }: Shares,
  delegation: DelegationRule,
): Shares {
  if (agent.executor !== undefined)
    return {
      available,
      granted: delegatedTools({ ...agent, delegates: [executorToolName] }, available, known),
      delegates: [],
    }
  if (delegation === "own")
    return { available, granted: granted.filter((name) => known.get(name)?.unoffered !== true), delegates }
  const isOffered = (name: string) => known.get(name)?.unoffered !== true
  if (granted.every(isOffered)) return { available, granted, delegates }
  return {
    available,
    granted: granted.filter(isOffered),
    delegates: [...delegates, ...granted.filter((name) => !isOffered(name))],
  }
}

type Shares = Pick<Grant, "available" | "granted" | "delegates">

/** What a run that a program does is bound by from outside: no program hears of it by itself. */
export function bindingOf(
  environment: Surroundings,
  beginning: Pick<Beginning, "agent" | "parent" | "follows" | "ended" | "cwd">,
  grant: Grant,
): Binding {
  const { agent, parent, cwd = parent?.start?.cwd ?? process.cwd() } = beginning
  // Those about other runs are no program's.
  const all = [...environment.tools.values()]
    .filter(({ kind, unoffered }) => kind === "function" && !unoffered)
    .map(({ name }) => name)
  const left = all.filter((name) => grant.available.includes(name))
  const confinement = confinementOf(environment.tools, beginning)
  return {
    rights: rightsOf(agent, environment, cwd, beginning, grant),
    ...(left.length < all.length && { ceiling: left }),
    ...(confinement && { confinement }),
  }
}

type Begun = Pick<Beginning, "agent" | "parent" | "follows" | "ended" | "continues">

/** Throws where a rule denies the program that runs an agent, or nobody hands it on. The message names the denial. */
export async function requireExecutor(
  environment: Surroundings,
  beginning: Begun,
  grant: Grant,
  { rights }: Pick<Binding, "rights">,
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
      message: `Agent "${name}" was not started: the executor ${executor} runs it, and ${why}`,
    },
  ])
}

/** Why the agent may not start any program. */
async function toolDenied(environment: Surroundings, beginning: Begun, grant: Grant): Promise<string> {
  const { agent } = beginning
  const said = grantReader(agent, environment.tools)(executorToolName)
  if (said.type === "denied")
    return `the agent denies itself ${said.by}. Take that out of its \`disallowedTools\`.`
  const by = reasonFor(environment, beginning, grant, executorToolName)
  if (by.type === "caller")
    return `agent "${by.agent}", which calls it, has no ${executorToolName} to hand on. Let it, with \`delegates: ${executorToolName}(${agent.executor})\`.`
  return denialText(environment, { tool: executorToolName, by })
}

/** Why the agent may start programs, but not this one. */
async function useDenied(
  environment: Surroundings,
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
  const by = ruleReason(environment, {
    of,
    ...(agent !== undefined && { agent }),
    ...(rule && { rule: rule.tool }),
  })
  return denialText(environment, { tool: `${executorToolName}(${executor})`, by })
}

async function denialText(environment: Surroundings, lack: Lack): Promise<string> {
  const [placed = lack] = await placedLacks(environment, [lack])
  return `${lack.tool} is not to be had: ${lackReason(placed)}. ${lackAdvice(placed)}`
}
