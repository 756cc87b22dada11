import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import path from "node:path"
import type { HostProvider, HostSettings, Said } from "../../agent/host-settings.ts"
import { messageOf } from "../../ground/errors.ts"
import { isMap, isText, textsIn } from "../../ground/message.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"

interface CodexPlaces {
  readonly environment: NodeJS.ProcessEnv
  readonly home: string
  readonly workspace?: string
}

/** Reads `config.toml` in the user's Codex folder. Never a reason to fail: what cannot be read is a warning. */
export async function readCodexSettings(places: CodexPlaces): Promise<HostSettings> {
  const { environment, home } = places
  const usual = path.join(home, ".codex")
  const folder = environment.CODEX_HOME?.trim() || usual
  const file = path.join(folder, "config.toml")
  const shown = shownFile(file, home)
  if (folder !== usual && isInWorkspace(folder, places))
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

function settingsFrom(toml: Table, file: string, environment: NodeJS.ProcessEnv): HostSettings {
  const { profile, profiles, subagents, agents, model_providers } = toml
  const selected = isText(profile) && isMap(profiles) ? profiles[profile] : undefined
  // The first that says something wins.
  const tables = [
    { prefix: "subagents.", table: tableOf(subagents) },
    { prefix: "agents.default_subagent_", table: defaultsIn(tableOf(agents)) },
    { prefix: `profiles.${profile}.`, table: tableOf(selected) },
    { prefix: "", table: toml },
  ]
  const textAt = (key: string): Said<string> | undefined => {
    const found = tables.find(({ table }) => isText(table[key]))
    return found && { value: (found.table[key] as string).trim(), where: `${found.prefix}${key} of ${file}` }
  }
  const [model, provider] = [textAt("model"), textAt("model_provider")]
  const enabled =
    enabledIn(environment) ??
    flagIn(tableOf(subagents), `subagents.enabled of ${file}`) ??
    flagIn(tableOf(agents), `agents.enabled of ${file}`)
  return {
    ...ofCodex,
    file,
    ...(model && { model }),
    ...(provider && { provider }),
    ...(enabled && { enabled }),
    providers: providersIn({ ...openaiAddress(toml), ...tableOf(model_providers) }, file),
    warnings:
      isText(profile) && !isMap(selected)
        ? [`profile of ${file} is ${JSON.stringify(profile)}, and there is no [profiles.${profile}].`]
        : [],
  }
}

/** The default of Codex's own subagents, by the name that a session has it under. */
const defaultsIn = ({ default_subagent_model }: Table): Table => ({
  model: default_subagent_model,
})

/** Codex's short way to send its built-in provider elsewhere. */
const openaiAddress = ({ openai_base_url }: Table): Table =>
  isText(openai_base_url) ? { openai: { base_url: openai_base_url } } : {}

const flagIn = ({ enabled }: Table, where: string) =>
  typeof enabled === "boolean" ? { value: enabled, where } : undefined

/** In Codex, this variable wins over its file. */
function enabledIn(environment: NodeJS.ProcessEnv): Said<boolean> | undefined {
  const where = "CODEX_SUBAGENTS_ENABLED"
  const word = environment[where]?.trim().toLowerCase() ?? ""
  if (["1", "true", "yes", "on"].includes(word)) return { value: true, where }
  return ["0", "false", "no", "off"].includes(word) ? { value: false, where } : undefined
}

function nothing(
  file: string,
  environment: NodeJS.ProcessEnv,
  warnings: readonly string[] = [],
): HostSettings {
  const enabled = enabledIn(environment)
  return { ...ofCodex, file, ...(enabled && { enabled }), providers: [], warnings }
}

/** What Codex has whatever its file says. */
const ofCodex = {
  of: "codex",
  usualProvider: "openai",
  refusal: (where: string) =>
    `Subagents feature is disabled in this configuration: ${where} is false, which counts for Codex files. Set it to true there, or set \`subagents.enabled: true\` in cadre's own configuration, which wins.`,
  providersAt: "`model_providers` of Codex",
} as const

const providersIn = (entries: Table, file: string): readonly HostProvider[] =>
  Object.entries(entries).flatMap(([id, entry]) => (isMap(entry) ? [providerIn(id, entry, file)] : []))

function providerIn(id: string, entry: Table, file: string): HostProvider {
  const { base_url, env_key, wire_api, http_headers, env_http_headers, query_params } = entry
  return {
    id,
    ...(wire_api === "responses"
      ? { protocol: "responses" as const }
      : wire_api === "chat" && { protocol: "openai" as const }),
    ...(isText(base_url) && {
      baseUrl: withQuery(base_url, query_params),
      baseUrlFrom: `model_providers.${id}.base_url of ${file}`,
    }),
    ...(isText(env_key) && { keyVariable: env_key }),
    headers: textsIn(http_headers),
    headerVariables: textsIn(env_http_headers),
    saidAt: `model_providers.${id} of ${file}`,
  }
}

type Table = Readonly<Record<string, unknown>>

function withQuery(address: string, parameters: unknown): string {
  const query = new URLSearchParams(textsIn(parameters)).toString()
  return query === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${query}`
}

const tableOf = (value: unknown): Table => (isMap(value) ? value : {})

function isInWorkspace(folder: string, { workspace, home }: CodexPlaces): boolean {
  if (workspace === undefined) return false
  return isInside(repositoryOf(withoutLinks(workspace), home), withoutLinks(folder))
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
