import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { findRun } from "../find-run.ts"
import { jsonText } from "../json-text.ts"
import { deliveryText, withRuntime } from "../runs.ts"

export const command = defineCommand({
  name: "cancel",
  summary: "Ask a run, and everything below it, to stop",
  arguments: [
    { name: "id", doc: "The run" },
    { name: "reason", doc: "Why, for the log", count: "any" },
  ],
  options: { json: { type: "flag", doc: "Print JSON" } },
  examples: [{ line: 'cadre cancel ID "wrong branch"', doc: "Stop it; what it has said so far is kept" }],
  async run({ arguments: { id: word, reason }, options, stdout, environment }) {
    const id = findRun(word, { environment })
    const delivery = await withRuntime({ environment }, async (runtime) => {
      const { outcome } = await runtime.read(id)
      return outcome ? ("ended" as const) : runtime.cancel(id, reason.join(" ") || undefined)
    })
    const text = delivery === "ended" ? "It has ended already: nothing to stop." : deliveryText(delivery, id)
    stdout.write(options.json ? jsonText({ id, delivery }) : `${text}\n`)
    return exitCode.fine
  },
})
