import { StartError } from "../../ground/errors.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Surroundings } from "../ports/environment.ts"

export async function withWorkflow<Named extends Pick<Beginning, "agent">>(
  { lifecycle }: Pick<Surroundings, "lifecycle">,
  named: Named,
): Promise<Named> {
  const { agent } = named
  if (lifecycle?.writtenOut) return { ...named, agent: await lifecycle.writtenOut(agent) }
  throw new StartError([
    {
      code: "WORKFLOW_INVALID",
      kind: "here",
      part: "workflow",
      message: `Agent ${JSON.stringify(agent.name)} names the workflow ${JSON.stringify(agent.workflow)}, and nothing here knows workflows by name. Write its steps out in the definition.`,
    },
  ])
}
