import { answerRun, runOutput } from "../answer-run.ts"
import { requireOwnRun } from "../own-runs.ts"
import { readStanding } from "../run-standing.ts"
import { objectSchema, type ServedTool, textSchema } from "../served-tool.ts"
import { waitForRun } from "../wait-for-run.ts"

export const cancelTool: ServedTool = {
  name: "cancel",
  title: "Stop a subagent",
  description: "Stops a run and everything below it. Its output so far is kept.",
  input: objectSchema(
    { run: textSchema("The id of the run."), reason: textSchema("Why, for the log.") },
    "run",
  ),
  output: runOutput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async call({ run, reason }, { project, ...waiting }) {
    const root = await requireOwnRun(project, run as string)
    const { result } = await readStanding(project, root)
    await project.runtime.cancel(result.run, reason as string | undefined)
    return answerRun(project, root, await waitForRun(project, root, waiting))
  },
}
