import { CadreError } from "../../errors.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { jsonText } from "../json-text.ts"
import { deliveries, withRuntime } from "../runs.ts"

export const command = defineCommand({
  name: "cancel",
  summary: "Ask a run, and everything below it, to stop",
  arguments: [
    { name: "id", doc: "The run" },
    { name: "reason", doc: "Why, for the log", count: "any" },
  ],
  options: { json: { type: "flag", doc: "Print JSON" } },
  examples: [{ line: 'cadre cancel ID "wrong branch"', doc: "Stop it; what it has said so far is kept" }],
  async run({ arguments: { id, reason }, options, stdout, environment }) {
    const delivery = await withRuntime({ environment }, (runtime) =>
      runtime.cancel(id, reason.join(" ") || undefined).catch(ownedElsewhere),
    )
    stdout.write(options.json ? jsonText({ id, delivery }) : `${deliveries[delivery]}\n`)
    return exitCode.fine
  },
})

/** Another process took the run up after the letter was left, and finds it there: two that cancel at once do this. */
function ownedElsewhere(error: unknown): "delivered" {
  if (error instanceof CadreError && error.code === "RUN_OWNED") return "delivered"
  throw error
}
