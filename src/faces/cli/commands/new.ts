import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import path from "node:path"
import { defineAgent, isAgentName } from "../../../agent/agent.ts"
import { formats } from "../../../definitions/formats/index.ts"
import { writeAgent } from "../../../definitions/formats/write.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { projectFile } from "../project-file.ts"
import { jsonText } from "../terminal/json-text.ts"
import { UsageError } from "../usage-error.ts"

export const command = defineCommand({
  name: "new",
  summary: "Create a file for a new agent",
  arguments: [{ name: "name", doc: "The agent's name: lower-case letters, digits and hyphens" }],
  options: {
    format: { type: "value", value: "FORMAT", doc: "The file's format. Default: cadre" },
    description: { type: "value", value: "TEXT", doc: "When other agents should delegate to it" },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre new code-reviewer", doc: "Write .cadre/agents/code-reviewer.md" },
    { line: "cadre new code-reviewer --format claude", doc: "Write .claude/agents/code-reviewer.md" },
  ],
  async run({ arguments: { name }, options, stdout, stderr, directory }) {
    const id = options.format ?? "cadre"
    const format = formats.find((candidate) => candidate.id === id)
    if (!format)
      throw new UsageError(
        `There is no format ${JSON.stringify(id)}. Known: ${formats.map(({ id }) => id).join(", ")}.`,
      )
    if (!isAgentName(name) || !format.name.pattern.test(name)) throw new UsageError(format.name.message(name))
    const { project, extensions, only } = format.locations
    const stem = only && !only.test(`${name}${extensions[0]}`) ? `${name}_subagent` : name
    const file = projectFile(directory, project[0]!, `${stem}${extensions[0]}`)
    if (existsSync(file)) {
      stderr.write(`${path.relative(directory, file)} is there already; it was left as it is.\n`)
      return exitCode.problems
    }
    const agent = defineAgent({
      name,
      description: options.description ?? `Use this agent when … (say when work should go to ${name}).`,
      instructions: `You are ${name}.\n\nSay here what you do, how you work, and what you hand back.`,
      tools: ["Read", "Grep", "Glob"],
    })
    const { text, losses } = writeAgent(format, agent, file)
    const refused = losses.find(({ field }) => field === "")
    if (refused) {
      stderr.write(`A first file of format ${id} cannot be written from a name alone: ${refused.message}\n`)
      return exitCode.problems
    }
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text, { flag: "wx" })
    const shown = path.relative(directory, file)
    stdout.write(
      options.json
        ? jsonText({ file: shown, format: id, name })
        : `Wrote ${shown}. \`cadre check ${shown}\` checks it, \`cadre show ${name}\` shows it.\n`,
    )
    return exitCode.fine
  },
})
