import { readClock } from "../../../run/log/clock.ts"
import { answerRun, runOutput } from "../answer-run.ts"
import { requireOwnRun } from "../own-runs.ts"
import { readRunStanding } from "../run-standing.ts"
import { describeObject, describeText, type ServedTool } from "../served-tool.ts"
import { waitForRun } from "../wait-for-run.ts"

export const waitTool: ServedTool = {
  name: "wait",
  title: "Wait for a subagent",
  description: [
    "Waits until a run has ended or needs a person, and returns its report.",
    "If the time is over before, the run goes on. Call wait again.",
    "A run whose process was killed goes on where it stopped.",
  ].join(" "),
  input: describeObject(
    {
      run: describeText("The id of the run."),
      seconds: { type: "number", minimum: 0, description: "Wait no longer than this." },
    },
    "run",
  ),
  output: runOutput,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async call({ run, seconds }, { project, until, ...waiting }) {
    const root = await requireOwnRun(project, run as string)
    const first = await readRunStanding(project, root)
    if (first.state === "interrupted") await project.resume(first.result.run)
    const wanted = seconds === undefined ? until : readClock() + (seconds as number) * 1_000
    return answerRun(
      project,
      root,
      await waitForRun(project, root, { ...waiting, until: Math.min(until, wanted) }),
    )
  },
}
