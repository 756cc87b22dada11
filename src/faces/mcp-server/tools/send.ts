import { requireOwnRun } from "../own-runs.ts"
import { readStanding } from "../run-standing.ts"
import { objectSchema, type ServedTool, textSchema } from "../served-tool.ts"

export const sendTool: ServedTool = {
  name: "send",
  title: "Write to a subagent",
  description: "Sends a message to a run. Its model reads it before its next turn.",
  input: objectSchema(
    { run: textSchema("The id of the run."), text: textSchema("The message.") },
    "run",
    "text",
  ),
  output: objectSchema(
    { run: textSchema("The id of the run."), next: textSchema("The call to make next.") },
    "run",
    "next",
  ),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async call({ run, text }, { project }) {
    const root = await requireOwnRun(project, run as string)
    const { result } = await readStanding(project, root)
    const delivery = await project.runtime.send(result.run, text as string, { from: "host" })
    if (delivery === "waiting") await project.resume(result.run)
    const next = `The run has the message. Call wait with {"run": ${JSON.stringify(root)}} for its report.`
    return { value: { run: root, next }, text: next }
  },
}
