import type { Agent } from "../agent.ts"
import { StartError } from "../errors.ts"
import { executorToolName } from "../executor.ts"
import type { Tool } from "../tool.ts"
import { delegatedTools } from "./definition.ts"
import type { DelegationRule, Grant } from "./environment.ts"

/**
 * What no model is offered can only be handed on; by an agent with fewer rights than its caller only where it says so: a
 * program would not be bound as it is. A run that a program does has nothing but the tool that starts it, and
 * that as a child has its tools: whoever calls it has it, and the agent is not denied it.
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
  const isSaid = agent.tools.mode === "list" || narrowingOf(agent).length === 0
  const given = isSaid ? available : delegatedTools(agent, available, known)
  return {
    available,
    granted: granted.filter(isOffered),
    delegates: [...delegates, ...granted.filter((name) => !isOffered(name) && given.includes(name))],
  }
}

type Shares = Pick<Grant, "available" | "granted" | "delegates">

/** What of an agent takes rights away, which no program hears of by itself. Rules about the executor hold anyway. */
export const narrowingOf = ({ tools, rules, workflow }: Agent): readonly Narrowing[] => [
  ...(tools.mode === "list" ? (["tools"] as const) : []),
  ...(tools.deny.some((tool) => !isOfExecutor(tool)) ? (["disallowedTools"] as const) : []),
  ...(rules.some(({ tool, decision }) => decision !== "allow" && !isOfExecutor(tool))
    ? (["rules"] as const)
    : []),
  ...((workflow ?? null) !== null ? (["workflow"] as const) : []),
]

type Narrowing = "tools" | "disallowedTools" | "rules" | "workflow"

const isOfExecutor = (tool: string): boolean =>
  tool === executorToolName || tool.startsWith(`${executorToolName}(`)

/** Throws where the agent is run by a program and may not start one: it would do what nobody above it could. */
export function requireExecutor({ name, executor, tools }: Agent, { granted }: Pick<Grant, "granted">): void {
  if (executor === undefined || granted.includes(executorToolName)) return
  throw new StartError([
    {
      code: "EXECUTOR_DENIED",
      kind: "written",
      rule: "executor-denied",
      part: tools.deny.length > 0 ? "tools.deny" : "executor",
      message: `Agent "${name}" was not started: the executor ${executor} runs it, and ${executorToolName} is denied to it or not to be had from whoever calls it. Let the caller hand it on, with \`delegates: ${executorToolName}(${executor})\`.`,
    },
  ])
}
