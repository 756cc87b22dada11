import { CadreError } from "../../../ground/errors.ts"
import type { JsonMap } from "../../../ground/message.ts"
import { generalWorker } from "../../../run/rights/callable.ts"
import { answerStarted, runOutput } from "../answer-run.ts"
import { beginRun } from "../begin-run.ts"
import type { ServedBeginning } from "../served-project.ts"
import { describeObject, describeText, type ServedTool } from "../served-tool.ts"

export const startAgentTool: ServedTool = {
  name: "start_agent",
  title: "Start a subagent",
  description: [
    "Gives a task to a subagent and answers at once with the id of the run.",
    "Use it to have several subagents at work. Then call wait for each.",
    "The subagent sees only your prompt: say everything it needs.",
  ].join(" "),
  input: describeObject(
    {
      agent: describeText(`The name of the subagent. list_agents has them. Default: ${generalWorker}.`),
      prompt: describeText("The whole task."),
      mode: { type: "string", enum: ["headless"], description: "Only headless: without a terminal." },
      model: describeText("The model, in place of the subagent's own."),
      timeout: { type: "number", exclusiveMinimum: 0, description: "Seconds. It only lowers the limit." },
      max_turns: { type: "integer", minimum: 1, description: "Model requests. It only lowers the limit." },
      workspace: describeText("The folder to work in. Leave it out for the folder of the server."),
    },
    "prompt",
  ),
  output: runOutput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  async call(input, served) {
    const { agent = generalWorker, prompt, workspace } = input
    const run = await beginRun(served, {
      agent: agent as string,
      task: prompt as string,
      folder: served.project.allowedFolder(workspace as string | undefined),
      ...readModel(input),
      ...readLimits(input),
    })
    return answerStarted(run, agent as string)
  },
}

/** A script model reads a file, which is for tests on this machine and not for a host. */
function readModel({ model }: JsonMap): Pick<ServedBeginning, "model"> {
  if (model === undefined) return {}
  if (!/^script:/i.test(model as string)) return { model: model as string }
  throw new CadreError(
    "MODEL_UNKNOWN",
    "A host cannot choose a script as model. Leave model out, or name a real model.",
  )
}

function readLimits({ timeout, max_turns: turns }: JsonMap): Pick<ServedBeginning, "limits"> {
  if (timeout === undefined && turns === undefined) return {}
  return {
    limits: {
      ...(timeout !== undefined && { timeout: (timeout as number) * 1_000 }),
      ...(turns !== undefined && { maxTurns: turns as number }),
    },
  }
}
