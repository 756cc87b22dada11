import { StartError } from "../../ground/errors.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"

export async function withWorkflow<Named extends Pick<Beginning, "agent">>(
  { lifecycle }: Pick<StartEnvironment, "lifecycle">,
  beginning: Named,
): Promise<Named> {
  const { agent } = beginning
  if (lifecycle?.writtenOut) return { ...beginning, agent: await lifecycle.writtenOut(agent) }
  throw new StartError([
    {
      code: "WORKFLOW_INVALID",
      kind: "here",
      part: "workflow",
      message: `Agent ${JSON.stringify(agent.name)} names the workflow ${JSON.stringify(agent.workflow)}, but this runtime cannot look up workflows by name. Write the steps in the agent's definition.`,
    },
  ])
}
