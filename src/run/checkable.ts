import type { Agent } from "../agent.ts"
import { StartError, type StartProblem } from "../errors.ts"
import { delegatedTools } from "./definition.ts"
import type { Grant, Surroundings } from "./environment.ts"
import { commandTool } from "./pattern.ts"

/**
 * An agent does not start where what it must leave behind could not be looked at: nothing counts as checked that was not.
 * Its commands need the tool as its children would: whoever calls it has it, and the agent is not denied it.
 */
export function requireCheckable(
  agent: Agent,
  { available }: Pick<Grant, "available">,
  environment: Surroundings,
): void {
  const conditions = agent.postconditions ?? []
  if (conditions.length === 0) return
  const refuse = (kind: StartProblem["kind"], why: string) =>
    new StartError([
      {
        code: "POSTCONDITION_UNCHECKED",
        kind,
        rule: "postcondition-unchecked",
        part: "postconditions",
        message: `Agent "${agent.name}" has postconditions, and ${why}`,
      },
    ])
  if (!environment.checkPostcondition)
    throw refuse(
      "here",
      "this runtime has nothing to check them with, so nobody could say whether it completed. Use createRuntime, or give openRuntime `checkPostcondition`.",
    )
  if (!conditions.some((condition) => "command" in condition)) return
  if (environment.tools.get(commandTool)?.kind !== "function")
    throw refuse(
      "here",
      `one of them is a command, but there is no tool ${commandTool} in this runtime to run it with. Register builtInTools, or take it out.`,
    )
  if (!delegatedTools({ ...agent, delegates: [commandTool] }, available, environment.tools).length)
    throw refuse(
      "written",
      `one of them is a command, but ${commandTool} is denied to it or not to be had from whoever calls it. Grant ${commandTool} there, or take it out.`,
    )
}
