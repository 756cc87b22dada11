import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { jsonText } from "../json-text.ts"
import { deliveryText, withRuntime } from "../runs.ts"
import { UsageError } from "../usage-error.ts"

export const command = defineCommand({
  name: "approve",
  summary: "Answer the calls that a run waits for a person with",
  arguments: [
    { name: "id", doc: "The run" },
    { name: "call", doc: "The call; left out, the only one that is open", count: "optional" },
  ],
  options: {
    deny: { type: "flag", doc: "Refuse it; the run goes on and is told so" },
    note: { type: "value", value: "TEXT", doc: "Why, for the log and the model" },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre approve ID", doc: "Allow the one call that is open" },
    { line: 'cadre approve ID c3 --deny --note "not on main"', doc: "Refuse one of several" },
  ],
  async run({ arguments: { id, call }, options, stdout, environment }) {
    const decision = options.deny ? "deny" : "allow"
    const answer = await withRuntime({ environment }, async (runtime) => {
      const { approvals } = await runtime.read(id)
      const open = call === undefined ? approvals : approvals.filter((approval) => approval.call === call)
      const [first, second] = open
      if (!first)
        throw new UsageError(`Run ${id} has no open approval${call === undefined ? "" : ` ${call}`}.`)
      if (second)
        throw new UsageError(
          `Run ${id} has several open approvals; name one by its run and its call: ${open.map((one) => `${one.run} ${one.call}`).join(", ")}.`,
        )
      const delivery = await runtime.approve(first.run, first.call, decision, options.note)
      return { id, run: first.run, call: first.call, decision, delivery }
    })
    stdout.write(options.json ? jsonText(answer) : `${deliveryText(answer.delivery, id)}\n`)
    return exitCode.fine
  },
})
