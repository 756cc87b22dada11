import { findRefusedAgent } from "../../../definitions/authority/trusted-agents.ts"
import { describeThrown } from "../../../ground/errors.ts"
import type { OfferedAgent } from "../../mcp-server/served-project.ts"
import type { ProcessContext } from "../command.ts"
import { openRuns } from "../run/open.ts"
import type { Driving } from "../run/options.ts"
import { describeUntrustedAgent } from "../run/trust.ts"
import { closeWithTimeout, storeOf } from "../stored-runs/runs.ts"

/** The agents of a folder, each with the reason why it cannot run. Nothing is started. */
export async function listOfferedAgents(
  driving: Driving,
  context: ProcessContext,
): Promise<readonly OfferedAgent[]> {
  const { directory } = context
  const runs = openRuns(context, storeOf(context), { ...driving, model: "lenient", runs: "new" })
  const { runtime, standing, workspace } = runs
  try {
    const agents: OfferedAgent[] = []
    for (const { candidate, state } of workspace.registry.entries()) {
      const { agent } = candidate
      if (state.type === "shadowed") continue
      const refused =
        driving.trust === "all" ? undefined : findRefusedAgent(workspace.registry, standing, agent.name)
      const problem = refused
        ? describeUntrustedAgent(refused, standing, directory)
        : state.type === "broken"
          ? `Its file has an error. \`cadre check\` shows it.`
          : await problemOf(() => runtime.startProblems(agent, { cwd: directory }))
      agents.push({
        name: agent.name,
        description: agent.description ?? "",
        ...(problem !== undefined && { problem }),
      })
    }
    return agents.sort((left, right) => (left.name < right.name ? -1 : 1))
  } finally {
    await closeWithTimeout(runtime)
  }
}

async function problemOf(
  find: () => Promise<readonly { readonly message: string }[]>,
): Promise<string | undefined> {
  try {
    const problems = await find()
    return problems.length === 0 ? undefined : problems.map(({ message }) => message).join(" ")
  } catch (error) {
    return describeThrown(error)
  }
}
