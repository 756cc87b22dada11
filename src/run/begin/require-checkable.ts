import { StartError, type StartProblem } from "../../ground/errors.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import type { GrantedTools } from "../ports/granted-tools.ts"
import { commandTool } from "../rights/pattern.ts"
import { createGrantReader } from "../rights/tool-list.ts"
import { describeLackAdvice, describeLackReason } from "../words/lack-text.ts"
import { grantDelegates } from "./definition.ts"
import { addLackPlaces, findLackReason } from "./lacks.ts"

/**
 * Throws if the agent's postconditions cannot be checked, because such a run could never complete. A postcondition that
 * is a command needs Bash. The agent's `tools` need not list Bash, but its caller must have it, and `disallowedTools` must
 * not deny it.
 */
export async function requireCheckable(
  environment: StartEnvironment,
  beginning: Pick<Beginning, "agent" | "parent" | "follows" | "continuedRun" | "continues">,
  grant: GrantedTools,
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
        message: `Agent "${agent.name}" was not started: ${why}`,
      },
    ])
  if (!environment.checkPostcondition)
    throw refuse(
      "here",
      "this runtime cannot check its postconditions. Use createRuntime, or give openRuntime `checkPostcondition`.",
    )
  if (!conditions.some((condition) => "command" in condition)) return
  if (environment.tools.get(commandTool)?.kind !== "function")
    throw refuse(
      "here",
      `one of its postconditions is a command, but this runtime has no tool ${commandTool} to run it. Register builtInTools, or remove the command.`,
    )
  const { tools } = environment
  // The test is the one for tools that an agent may give on without using them.
  if (grantDelegates({ ...agent, delegates: [commandTool] }, grant.available, tools).length > 0) return
  const ownGrant = createGrantReader(agent, tools)(commandTool)
  if (ownGrant.type === "denied")
    throw refuse(
      "written",
      `one of its postconditions is a command, but its own definition denies ${ownGrant.by}. Remove ${ownGrant.by} from its \`disallowedTools\`, or remove the command.`,
    )
  const by = findLackReason(environment, beginning, grant, commandTool)
  const [lack] = await addLackPlaces(environment, [{ tool: commandTool, by }])
  throw refuse(
    "written",
    `one of its postconditions is a command, which needs ${commandTool}: ${describeLackReason(lack!)}. ${describeLackAdvice(lack!)} Or remove the command.`,
  )
}
