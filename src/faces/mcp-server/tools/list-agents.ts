import { boundText } from "../../../run/words/text.ts"
import { describeObject, describeText, type ServedTool } from "../served-tool.ts"

/** The most bytes of one description: a long one would take the room of the others. */
const longestDescription = 1_000

export const listAgentsTool: ServedTool = {
  name: "list_agents",
  title: "List subagents",
  description:
    "Lists the subagents that you can run here. One with a problem cannot run until the problem is solved.",
  input: describeObject({
    workspace: describeText("The folder to look in. Leave it out for the folder of the server."),
  }),
  output: describeObject(
    {
      workspace: describeText("The folder."),
      agents: {
        type: "array",
        items: describeObject(
          {
            name: describeText("Give this to run_agent or start_agent."),
            description: describeText("Its purpose."),
            problem: describeText("Why it cannot run now, and what to do. Absent: it can run."),
          },
          "name",
          "description",
        ),
      },
      next: describeText("The call to make next."),
    },
    "workspace",
    "agents",
    "next",
  ),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async call({ workspace }, { project }) {
    const folder = project.allowedFolder(workspace as string | undefined)
    const agents = (await project.listAgents(folder)).map(({ name, description, problem }) => ({
      name,
      description: boundText(description, longestDescription).text,
      ...(problem !== undefined && { problem }),
    }))
    const next = agents.some(({ problem }) => problem === undefined)
      ? "Call run_agent with the name of one and the whole task."
      : "No agent can run here now. Tell the person why."
    const lines = agents.map(
      ({ name, description, problem }) =>
        `${name}: ${description}${problem === undefined ? "" : ` (cannot run: ${problem})`}`,
    )
    return { value: { workspace: folder, agents, next }, text: [...lines, next].join("\n") }
  },
}
