import { answerRun, runOutput } from "../answer-run.ts"
import { requireOwnRun } from "../own-runs.ts"
import { readRunStanding } from "../run-standing.ts"
import { describeObject, describeText, type ServedTool } from "../served-tool.ts"
import { waitForRun } from "../wait-for-run.ts"

export const cancelTool: ServedTool = {
  name: "cancel",
  title: "Stop a subagent",
  description: "Stops a run and everything below it. Its output so far is kept.",
  input: describeObject(
    { run: describeText("The id of the run."), reason: describeText("Why, for the log.") },
    "run",
  ),
  output: runOutput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async call({ run, reason }, { project, ...waiting }) {
    const root = await requireOwnRun(project, run as string)
    const { result } = await readRunStanding(project, root)
    await project.runtime.cancel(result.run, reason as string | undefined)
    return answerRun(project, root, await waitForRun(project, root, waiting))
  },
}
