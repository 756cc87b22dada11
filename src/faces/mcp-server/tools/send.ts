import { requireOwnRun } from "../own-runs.ts"
import { readRunStanding } from "../run-standing.ts"
import { describeObject, describeText, type ServedTool } from "../served-tool.ts"

export const sendTool: ServedTool = {
  name: "send",
  title: "Write to a subagent",
  description: "Sends a message to a run. Its model reads it before its next turn.",
  input: describeObject(
    { run: describeText("The id of the run."), text: describeText("The message.") },
    "run",
    "text",
  ),
  output: describeObject(
    { run: describeText("The id of the run."), next: describeText("The call to make next.") },
    "run",
    "next",
  ),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async call({ run, text }, { project }) {
    const root = await requireOwnRun(project, run as string)
    const { result } = await readRunStanding(project, root)
    const delivery = await project.runtime.send(result.run, text as string, { from: "host" })
    if (delivery === "waiting") await project.resume(result.run)
    const next = `The run has the message. Call wait with {"run": ${JSON.stringify(root)}} for its report.`
    return { value: { run: root, next }, text: next }
  },
}
