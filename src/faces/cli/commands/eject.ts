import path from "node:path"
import { builtInAgents } from "../../../agent/built-in-agents.ts"
import { userConfigurationFolder } from "../../../definitions/configuration/folders.ts"
import { cadre } from "../../../definitions/formats/cadre.ts"
import { writeAgent } from "../../../definitions/formats/write.ts"
import { builtInFile } from "../../../definitions/registry/built-in.ts"
import type { Entry } from "../../../definitions/registry/entry.ts"
import { readDefinition } from "../../../definitions/registry/file.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { projectFile } from "../project-file.ts"
import { homeOf } from "../settings.ts"
import { jsonText } from "../terminal/json-text.ts"
import { UsageError } from "../usage-error.ts"
import { workspaceOf } from "../workspace.ts"
import { writeWhole } from "../write-whole.ts"

export const command = defineCommand({
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
      ? path.join(userConfigurationFolder(environment, homeOf(surroundings)), "agents", `${name}.md`)
      : projectFile(directory, ".cadre", "agents", `${name}.md`)
    const shown = shownPath(file, directory)
    if (writeWhole(file, textOf(name, file), options.force ? "replace" : "keep") === "there already")
      throw new UsageError(
        `${shown} is there already and was left as it is. \`cadre show ${name}\` shows what is used now; --force writes the built-in over it.`,
      )
    const { registry } = workspaceOf({ ...surroundings, stdout })
    const entry = registry.entries().find(({ candidate }) => candidate.file?.path === file)
    stdout.write(
      options.json
        ? jsonText({ file: shown, name, state: entry?.state.type ?? "unread" })
        : `${escapeText(`Wrote ${shown}. ${becameText(name, entry, directory)}`)}\n`,
    )
    return exitCode.fine
  },
})

/** Byte for byte where it is written in cadre's own format; otherwise the same agent in that, without what only the other one reads. */
function textOf(name: string, file: string): string {
  const source = builtInFile(name)
  const { agent, text, format } = source ? readDefinition(source, undefined, {}) : {}
  if (!agent) throw new Error(`The file of the built-in agent ${name} is not where cadre was installed.`)
  const { extensions: _, ...own } = agent
  return format === cadre ? text! : writeAgent(cadre, own, file).text
}

function becameText(name: string, entry: Entry | undefined, directory: string): string {
  const { state, candidate } = entry ?? {}
  if (state?.type === "shadowed")
    return `But ${shownPath(state.by, directory)} defines ${name} too, and is used in its place.`
  if (state?.type !== "active") return `But it is not used: \`cadre check\` says why.`
  const trust =
    candidate!.scope === "project"
      ? " Like every file of a project it runs once it is trusted: see `cadre trust`."
      : ""
  return `It is used in place of the built-in ${name} from now on.${trust}`
}
