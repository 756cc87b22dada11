import { StartError, type StartProblem } from "../../ground/errors.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Surroundings } from "../ports/environment.ts"
import type { Grant } from "../ports/granted.ts"
import { commandTool } from "../rights/pattern.ts"
import { grantReader } from "../rights/tool-list.ts"
import { lackAdvice, lackReason } from "../words/lack-text.ts"
import { delegatedTools } from "./definition.ts"
import { placedLacks, reasonFor } from "./lacks.ts"

/**
 * An agent does not start where what it must leave behind could not be looked at: nothing counts as checked that was not.
 * Its commands need the tool as its children would: whoever calls it has it, and the agent is not denied it.
 */
export async function requireCheckable(
  environment: Surroundings,
  beginning: Pick<Beginning, "agent" | "parent" | "follows" | "ended" | "continues">,
  grant: Grant,
): Promise<void> {
  const { agent } = beginning
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
  const { tools } = environment
  if (delegatedTools({ ...agent, delegates: [commandTool] }, grant.available, tools).length > 0) return
  const said = grantReader(agent, tools)(commandTool)
  if (said.type === "denied")
    throw refuse(
      "written",
      `one of them is a command, but the agent denies itself ${said.by}. Take that out of its \`disallowedTools\`, or take the command out.`,
    )
  const by = reasonFor(environment, beginning, grant, commandTool)
  const [lack] = await placedLacks(environment, [{ tool: commandTool, by }])
  throw refuse(
    "written",
    `one of them is a command, which needs ${commandTool}: ${lackReason(lack!)}. ${lackAdvice(lack!)} Or take the command out.`,
  )
}
