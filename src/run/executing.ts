import type { Agent } from "../agent.ts"
import { StartError } from "../errors.ts"
import { executorToolName } from "../executor.ts"
import type { Tool } from "../tool.ts"
import type { Beginning } from "./begin.ts"
import { confinementOf } from "./confine.ts"
import { delegatedTools } from "./definition.ts"
import type { DelegationRule, Grant, Surroundings } from "./environment.ts"
import type { Binding } from "./plan.ts"
import { rightsOf } from "./rule-sets.ts"

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
