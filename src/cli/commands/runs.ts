import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { jsonText } from "../json-text.ts"
import { withRuntime } from "../runs.ts"
import { table } from "../table.ts"

export const command = defineCommand({
  name: "runs",
  summary: "List runs, the newest first",
  arguments: [],
  options: {
    all: { type: "flag", doc: "Also runs that other runs started" },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre runs", doc: "Show what has been run, and how it ended" },
    { line: "cadre runs --all --json", doc: "Every run of every tree, for a program" },
  ],
  async run({ options, stdout, environment }) {
    const runs = await withRuntime({ environment }, async (runtime) => {
      const found = []
      for await (const head of runtime.list())
        if (options.all || !head.run.includes("."))
          found.push({
            id: head.run,
            agent: head.agent,
            status: head.status,
            outcome: head.outcome ?? null,
            startedAt: new Date(head.startedAt).toISOString(),
            updatedAt: new Date(head.updatedAt).toISOString(),
          })
      return found.sort((left, right) => (left.startedAt < right.startedAt ? 1 : -1))
    })
    if (options.json) stdout.write(jsonText({ runs }))
    else if (runs.length === 0) stdout.write("No runs yet.\n")
    else {
      const rows = runs.map(({ id, agent, status, outcome, startedAt }) => [
        id,
        agent,
        outcome ?? status,
        startedAt,
      ])
      stdout.write(`${table([["ID", "AGENT", "STATE", "STARTED"], ...rows])}\n`)
    }
    return exitCode.fine
  },
})
