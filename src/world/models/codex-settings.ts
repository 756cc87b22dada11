import { existsSync } from "node:fs"
import { readFile, realpath } from "node:fs/promises"
import path from "node:path"
import { messageOf, StartError } from "../../ground/errors.ts"
import { isMap } from "../../ground/message.ts"
import { isText } from "./provider.ts"

/** A value of Codex's configuration, and where it was said, such as `model_provider of ~/.codex/config.toml`. */
export interface CodexValue<Value> {
  readonly value: Value
  readonly where: string
}

/** What counts of the user's own Codex configuration, for Codex files. */
export interface CodexSettings {
  /** The file, as it is shown. */
  readonly file: string
  readonly model?: CodexValue<string>
  readonly provider?: CodexValue<string>
  /** Whether subagents may be run. */
  readonly enabled?: CodexValue<boolean>
  /** The entries of `model_providers`, as they are written. */
  readonly providers: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

interface CodexPlaces {
  readonly environment: NodeJS.ProcessEnv
  readonly home: string
  readonly workspace?: string
}

/** Reads `config.toml` in the user's Codex folder. Never a reason to fail: what cannot be read is a warning. */
export async function readCodexSettings(places: CodexPlaces): Promise<CodexSettings> {
  const { environment, home } = places
  const usual = path.join(home, ".codex")
  const folder = environment.CODEX_HOME?.trim() || usual
  const file = path.join(folder, "config.toml")
  const shown = shownFile(file, home)
  if (folder !== usual && (await isInWorkspace(folder, places)))
    return nothing(shown, environment, [
      `${shown} is not read, because it lies in the workspace: keys could go to addresses that only the project names. Set CODEX_HOME to a folder of your own.`,
    ])
  let text: string
  try {
    text = await readFile(file, "utf8")
  } catch {
    return nothing(shown, environment)
  }
  try {
    const { parse } = await import("smol-toml")
    return settingsFrom(parse(text), shown, environment)
  } catch (error) {
    // Only the first line: the rest of the message shows the file's text, in which there may be a key.
    const reason = messageOf(error).split("\n")[0]
    return nothing(shown, environment, [
      `${shown} is not valid TOML, so nothing in it counts, also not its model providers: ${reason}`,
    ])
  }
}

/** Throws SUBAGENTS_DISABLED where Codex's configuration keeps its subagents from running. */
export function requireEnabled({ enabled }: CodexSettings): void {
  if (enabled?.value !== false) return
  throw new StartError([
    {
      code: "SUBAGENTS_DISABLED",
      kind: "here",
      setting: "subagents.enabled",
      message: `Subagents feature is disabled in this configuration: ${enabled.where} is false, which counts for Codex files. Set it to true there, or set \`subagents.enabled: true\` in cadre's own configuration, which wins.`,
    },
  ])
}

function settingsFrom(
  toml: Readonly<Record<string, unknown>>,
  file: string,
  environment: NodeJS.ProcessEnv,
): CodexSettings {
  const { profile, profiles, subagents, agents, model_providers } = toml
  const selected = isText(profile) && isMap(profiles) ? profiles[profile] : undefined
  // The first that says something wins.
  const tables = [
    { prefix: "subagents.", table: tableOf(subagents) },
    { prefix: "agents.default_subagent_", table: defaultsIn(tableOf(agents)) },
    { prefix: `profiles.${profile}.`, table: tableOf(selected) },
    { prefix: "", table: toml },
  ]
  const textAt = (key: string): CodexValue<string> | undefined => {
    const found = tables.find(({ table }) => isText(table[key]))
    return found && { value: (found.table[key] as string).trim(), where: `${found.prefix}${key} of ${file}` }
  }
  const [model, provider] = [textAt("model"), textAt("model_provider")]
  const enabled =
    enabledIn(environment) ??
    flagIn(tableOf(subagents), `subagents.enabled of ${file}`) ??
    flagIn(tableOf(agents), `agents.enabled of ${file}`)
  return {
    file,
    ...(model && { model }),
    ...(provider && { provider }),
    ...(enabled && { enabled }),
    providers: { ...openaiAddress(toml), ...tableOf(model_providers) },
    warnings:
      isText(profile) && !isMap(selected)
        ? [`profile of ${file} is ${JSON.stringify(profile)}, and there is no [profiles.${profile}].`]
        : [],
  }
}

/** The default of Codex's own subagents, by the name that a session has it under. */
const defaultsIn = ({
  default_subagent_model,
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  model: default_subagent_model,
})

/** Codex's short way to send its built-in provider elsewhere. */
const openaiAddress = ({
  openai_base_url,
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  isText(openai_base_url) ? { openai: { base_url: openai_base_url } } : {}

const flagIn = ({ enabled }: Readonly<Record<string, unknown>>, where: string) =>
  typeof enabled === "boolean" ? { value: enabled, where } : undefined

/** In Codex, this variable wins over its file. */
function enabledIn(environment: NodeJS.ProcessEnv): CodexValue<boolean> | undefined {
  const where = "CODEX_SUBAGENTS_ENABLED"
  const word = environment[where]?.trim().toLowerCase() ?? ""
  if (["1", "true", "yes", "on"].includes(word)) return { value: true, where }
  return ["0", "false", "no", "off"].includes(word) ? { value: false, where } : undefined
}

function nothing(
  file: string,
  environment: NodeJS.ProcessEnv,
  warnings: readonly string[] = [],
): CodexSettings {
  const enabled = enabledIn(environment)
  return { file, ...(enabled && { enabled }), providers: {}, warnings }
}

const tableOf = (value: unknown): Readonly<Record<string, unknown>> => (isMap(value) ? value : {})

async function isInWorkspace(folder: string, { workspace, home }: CodexPlaces): Promise<boolean> {
  if (workspace === undefined) return false
  const [inner, here] = await Promise.all(
    [folder, workspace].map((place) => realpath(place).catch(() => path.resolve(place))),
  )
  const relative = path.relative(repositoryOf(here!, home), inner!)
  return relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative)
}

/** A folder of a repository is as much of whoever wrote the rest of it. */
function repositoryOf(folder: string, home: string): string {
  for (let level = folder; level !== home && level !== path.dirname(level); level = path.dirname(level))
    if (existsSync(path.join(level, ".git"))) return level
  // A home folder may be a repository, and is nobody else's.
  return folder
}

function shownFile(file: string, home: string): string {
  const relative = path.relative(home, file)
  return relative.startsWith("..") || path.isAbsolute(relative)
    ? file
    : `~/${relative.split(path.sep).join("/")}`
}
