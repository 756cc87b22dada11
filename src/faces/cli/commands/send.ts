import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { findRun } from "../stored-runs/find-run.ts"
import { describeDelivery, withRuntime } from "../stored-runs/runs.ts"
import { writeJsonText } from "../terminal/json-text.ts"

export const sendCommand = defineCommand({
  name: "send",
  summary: "Send a message to a run, for its next turn",
  arguments: [
    { name: "id", doc: "The run", complete: "run" },
    { name: "text", doc: "The message", count: "some" },
  ],
  options: { json: { type: "flag", doc: "Print JSON" } },
  examples: [{ line: 'cadre send ID "Leave the tests alone"', doc: "Steer a run that is at work" }],
  async run({ arguments: { id: word, text }, options, stdout, environment }) {
    const id = await findRun(word, { environment })
    const delivery = await withRuntime({ environment }, (runtime) =>
      runtime.send(id, text.join(" "), { from: "user" }),
    )
    stdout.write(options.json ? writeJsonText({ id, delivery }) : `${describeDelivery(delivery, id)}\n`)
    return exitCode.fine
  },
})
