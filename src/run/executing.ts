import type { Agent } from "../agent.ts"
import { CadreError } from "../errors.ts"
import { executorToolName } from "../executor.ts"
import type { Tool } from "../tool.ts"
import { delegatedTools } from "./definition.ts"
import type { Grant } from "./environment.ts"

/**
 * What no model is offered can only be handed on. A run that a program does has nothing but the tool that starts it, and
 * that as a child has its tools: whoever calls it has it, and the agent is not denied it.
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

/** Throws where the agent is run by a program and may not start one: it would do what nobody above it could. */
export function requireExecutor({ name, executor }: Agent, { granted }: Grant): void {
  if (executor === undefined || granted.includes(executorToolName)) return
  throw new CadreError(
    "EXECUTOR_DENIED",
    `Agent "${name}" was not started: the executor ${executor} runs it, and ${executorToolName} is denied to it or not to be had from whoever calls it. Let the caller hand it on, with \`delegates: ${executorToolName}(${executor})\`.`,
  )
}
