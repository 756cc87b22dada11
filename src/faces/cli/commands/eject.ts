import path from "node:path"
import { builtInAgents } from "../../../agent/built-in-agents.ts"
import { locateUserConfiguration } from "../../../definitions/configuration/folders.ts"
import { cadre } from "../../../definitions/formats/cadre.ts"
import { writeAgent } from "../../../definitions/formats/write.ts"
import { locateBuiltInFile } from "../../../definitions/registry/built-in.ts"
import type { RegistryEntry } from "../../../definitions/registry/entry.ts"
import { readDefinition } from "../../../definitions/registry/file.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { resolveProjectFile } from "../project-file.ts"
import { getHomeFolder } from "../settings.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { UsageError } from "../usage-error.ts"
import { openWorkspaceAt } from "../workspace.ts"
import { writeWhole } from "../write-whole.ts"

export const ejectCommand = defineCommand({
  name: "eject",
  summary: "Copy a built-in agent into the project, so that you can change it",
  arguments: [{ name: "name", doc: "The built-in agent", choices: Object.keys(builtInAgents) }],
  options: {
    user: { type: "flag", doc: "Copy it into your own configuration, for all projects" },
    force: { type: "flag", doc: "Overwrite an existing file" },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    {
      line: "cadre eject explorer",
      doc: "Write .cadre/agents/explorer.md, which replaces the built-in agent",
    },
    { line: "cadre eject reviewer --user", doc: "Write your own reviewer for all your projects" },
  ],
  async run({ arguments: { name }, options, stdout, ...surroundings }) {
    const { directory, environment } = surroundings
    const file = options.user
      ? path.join(locateUserConfiguration(environment, getHomeFolder(surroundings)), "agents", `${name}.md`)
      : resolveProjectFile(directory, ".cadre", "agents", `${name}.md`)
    const fileName = toDisplayPath(file, directory)
    if (writeWhole(file, textOf(name, file), options.force ? "replace" : "keep") === "there already")
      throw new UsageError(
        `${fileName} already exists and was not changed. \`cadre show ${name}\` shows the agent that is used now. --force overwrites the file.`,
      )
    const { registry } = openWorkspaceAt({ ...surroundings, stdout })
    const entry = registry.entries().find(({ candidate }) => candidate.file?.path === file)
    stdout.write(
      options.json
        ? writeJsonText({ file: fileName, name, state: entry?.state.type ?? "unread" })
        : `${escapeText(`Wrote ${fileName}. ${becameText(name, entry, directory)}`)}\n`,
    )
    return exitCode.fine
  },
})

/** The text of the built-in agent. An agent in another format is converted, without the keys that only that format has. */
function textOf(name: string, file: string): string {
  const source = locateBuiltInFile(name)
  const { agent, text, format } = source ? readDefinition(source, undefined, {}) : {}
  if (!agent)
    throw new Error(
      `The file of the built-in agent ${name} is missing from the cadre installation. Reinstall cadre.`,
    )
  const { extensions: _, ...own } = agent
  return format === cadre ? text! : writeAgent(cadre, own, file).text
}

function becameText(name: string, entry: RegistryEntry | undefined, directory: string): string {
  const { state, candidate } = entry ?? {}
  if (state?.type === "shadowed")
    return `But ${toDisplayPath(state.by, directory)} also defines ${name} and takes precedence.`
  if (state?.type !== "active") return `But the file cannot be used. \`cadre check\` shows why.`
  const trust =
    candidate!.scope === "project"
      ? ` Until you trust the file with \`cadre trust\`, no agent named ${name} can run.`
      : ""
  return `It now replaces the built-in ${name}.${trust}`
}
