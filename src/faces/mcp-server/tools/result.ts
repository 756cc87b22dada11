import { answerRun, pageLength, runOutput } from "../answer-run.ts"
import { requireOwnRun } from "../own-runs.ts"
import { readRunStanding } from "../run-standing.ts"
import { describeObject, describeText, type ServedTool } from "../served-tool.ts"

export const reportTool: ServedTool = {
  name: "result",
  title: "Read a report",
  description: `Returns the report of a run that has ended, ${pageLength} characters at a time. It stays readable after the host and this server have ended.`,
  input: describeObject(
    {
      run: describeText("The id of the run."),
      offset: { type: "integer", minimum: 0, description: "The page begins at this character. Default: 0." },
    },
    "run",
  ),
  output: runOutput,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async call({ run, offset = 0 }, { project }) {
    const root = await requireOwnRun(project, run as string)
    return answerRun(project, root, await readRunStanding(project, root), { offset: offset as number })
  },
}
