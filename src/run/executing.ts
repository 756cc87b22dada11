import type { Agent } from "../agent.ts"
import { CadreError } from "../errors.ts"
import { executorToolName } from "../executor.ts"
import type { Tool } from "../tool.ts"
import type { Beginning } from "./begin.ts"
import { confinementOf } from "./confine.ts"
import { delegatedTools } from "./definition.ts"
import type { Grant, Surroundings } from "./environment.ts"
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
  { available, granted, delegates }: Grant,
): Grant {
  if (agent.executor !== undefined)
    return {
      available,
      granted: delegatedTools({ ...agent, delegates: [executorToolName] }, available, known),
      delegates: [],
    }
  const isOffered = (name: string) => known.get(name)?.unoffered !== true
  if (granted.every(isOffered)) return { available, granted, delegates }
  return {
    available,
    granted: granted.filter(isOffered),
    delegates: [...delegates, ...granted.filter((name) => !isOffered(name))],
  }
}

/** What a run that a program does is bound by from outside: no program hears of it by itself. */
export function bindingOf(
  environment: Surroundings,
  beginning: Pick<Beginning, "agent" | "parent" | "follows" | "tools" | "cwd">,
  { available }: Grant,
): Binding {
  const { agent, parent, tools: wanted, cwd = parent?.start?.cwd ?? process.cwd() } = beginning
  // Those about other runs are no program's.
  const all = [...environment.tools.values()]
    .filter(({ kind, unoffered }) => kind === "function" && !unoffered)
    .map(({ name }) => name)
  const left = all.filter((name) => available.includes(name) && (wanted?.includes(name) ?? true))
  const confinement = confinementOf(environment.tools, beginning)
  return {
    rights: rightsOf(agent, environment, cwd, beginning),
    ...(left.length < all.length && { ceiling: left }),
    ...(confinement && { confinement }),
  }
}

/** Throws where the agent is run by a program and may not start one: it would do what nobody above it could. */
export function requireExecutor({ name, executor }: Agent, { granted }: Grant): void {
  if (executor === undefined || granted.includes(executorToolName)) return
  throw new CadreError(
    "EXECUTOR_DENIED",
    `Agent "${name}" was not started: the executor ${executor} runs it, and ${executorToolName} is denied to it or not to be had from whoever calls it. Let the caller hand it on, with \`delegates: ${executorToolName}(${executor})\`.`,
  )
}
