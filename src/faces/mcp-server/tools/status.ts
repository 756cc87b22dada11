import type { JsonSchema } from "../../../ground/schema/schema.ts"
import type { RunHead } from "../../../run/log/store.ts"
import { answerRun, runOutput } from "../answer-run.ts"
import { isOwnRun, requireOwnRun } from "../own-runs.ts"
import { readRunStanding } from "../run-standing.ts"
import type { ServedProject } from "../served-project.ts"
import { describeObject, describeText, type ServedTool, type ToolAnswer } from "../served-tool.ts"

/** The most runs that are listed. */
const mostListed = 20

/** The most runs of the store that are looked at: most of them may be those of the person. */
const mostLooked = 500

const runsSchema: JsonSchema = {
  type: "array",
  description: "The newest runs of this server, without `run` as argument.",
  items: describeObject(
    {
      run: describeText("The id of the run."),
      agent: describeText("The agent."),
      state: describeText("open, or the way it ended."),
      task: describeText("The first line of its task."),
    },
    "run",
    "agent",
    "state",
    "task",
  ),
}

export const statusTool: ServedTool = {
  name: "status",
  title: "Look at runs",
  description: "Says at once what a run does now. Without run, it lists the newest runs of this server.",
  input: describeObject({ run: describeText("The id of the run. Leave it out to list the newest runs.") }),
  output: {
    ...describeObject({ ...(runOutput.properties as Record<string, JsonSchema>), runs: runsSchema }, "next"),
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async call({ run }, { project }) {
    if (run === undefined) return listRuns(project)
    const root = await requireOwnRun(project, run as string)
    return answerRun(project, root, await readRunStanding(project, root), { page: "none" })
  },
}

async function listRuns(project: ServedProject): Promise<ToolAnswer> {
  const heads: RunHead[] = []
  for await (const head of project.runtime.list({ limit: mostLooked })) {
    if (await isOwnRun(project, head.run)) heads.push(head)
    if (heads.length === mostListed) break
  }
  const runs = heads.map(({ run, agent, outcome, status, task = "" }) => ({
    run,
    agent,
    state: outcome ?? status,
    task,
  }))
  const next =
    runs.length === 0
      ? "There are no runs yet. Call run_agent or start_agent."
      : "Call status with the id of one run, or result for its report."
  const lines = runs.map(({ run, agent, state, task }) => `${run}  ${agent}  ${state}  ${task}`)
  return { value: { runs, next }, text: [...lines, next].join("\n") }
}
