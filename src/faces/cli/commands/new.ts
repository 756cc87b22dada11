import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import path from "node:path"
import { defineAgent, isAgentName } from "../../../agent/agent.ts"
import { formats } from "../../../definitions/formats/index.ts"
import { writeAgent } from "../../../definitions/formats/write.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { resolveProjectFile } from "../project-file.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { UsageError } from "../usage-error.ts"

export const newCommand = defineCommand({
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
        `Unknown format ${JSON.stringify(id)}. Known: ${formats.map(({ id }) => id).join(", ")}.`,
      )
    if (!isAgentName(name) || !format.name.pattern.test(name)) throw new UsageError(format.name.message(name))
    const { project, extensions, only } = format.locations
    const stem = only && !only.test(`${name}${extensions[0]}`) ? `${name}_subagent` : name
    const file = resolveProjectFile(directory, project[0]!, `${stem}${extensions[0]}`)
    if (existsSync(file)) {
      stderr.write(`${path.relative(directory, file)} already exists and was not changed.\n`)
      return exitCode.problems
    }
    const agent = defineAgent({
      name,
      description:
        options.description ?? `Use this agent when … (describe the tasks that ${name} should get).`,
      instructions: `You are ${name}.\n\nDescribe here what you do, how you work, and what you return.`,
      tools: ["Read", "Grep", "Glob"],
    })
    const { text, losses } = writeAgent(format, agent, file)
    const refusal = losses.find(({ field }) => field === "")
    if (refusal) {
      stderr.write(`A new file of format ${id} needs more than a name: ${refusal.message}\n`)
      return exitCode.problems
    }
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text, { flag: "wx" })
    const fileName = path.relative(directory, file)
    stdout.write(
      options.json
        ? writeJsonText({ file: fileName, format: id, name })
        : `Wrote ${fileName}. \`cadre check ${fileName}\` checks it, \`cadre show ${name}\` shows it.\n`,
    )
    return exitCode.fine
  },
})
