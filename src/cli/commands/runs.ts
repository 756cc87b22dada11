import type { RunHead } from "../../run/store.ts"
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
      for await (const root of runtime.list()) {
        if (!options.all) found.push(headJson(root))
        else for await (const head of runtime.list({ root: root.run })) found.push(headJson(head))
      }
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

const headJson = ({ run, agent, status, outcome, startedAt, updatedAt }: RunHead) => ({
  id: run,
  agent,
  status,
  outcome: outcome ?? null,
  startedAt: new Date(startedAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString(),
})
