import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import path from "node:path"
import type { HostProvider, HostSetting, HostSettings } from "../../agent/host-settings.ts"
import { describeThrown } from "../../ground/errors.ts"
import { isMap, isText, pickTexts } from "../../ground/message.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"

interface CodexPlaces {
  readonly environment: NodeJS.ProcessEnv
  readonly home: string
  readonly workspace?: string
}

/** Reads `config.toml` in the user's Codex folder. Never fails: an unreadable file is a warning. */
export async function readCodexSettings(places: CodexPlaces): Promise<HostSettings> {
  const { environment, home } = places
  const usual = path.join(home, ".codex")
  const folder = environment.CODEX_HOME?.trim() || usual
  const file = path.join(folder, "config.toml")
  const displayPath = shortenPath(file, home)
  if (folder !== usual && isInWorkspace(folder, places))
    return emptySettings(displayPath, environment, [
      `${displayPath} is not read, because it is in the workspace: the project could send your keys to its own addresses. Set CODEX_HOME to a folder outside the workspace.`,
    ])
  let text: string
  try {
    text = await readFile(file, "utf8")
  } catch {
    return emptySettings(displayPath, environment)
  }
  try {
    const { parse } = await import("smol-toml")
    return settingsFrom(parse(text), displayPath, environment)
  } catch (error) {
    // Only the first line: the rest of the message quotes the file, which may contain a key.
    const reason = describeThrown(error).split("\n")[0]
    return emptySettings(displayPath, environment, [
      `${displayPath} is not valid TOML, so none of its settings take effect, including its model providers: ${reason}`,
    ])
  }
}

function settingsFrom(toml: Table, file: string, environment: NodeJS.ProcessEnv): HostSettings {
  const { profile, profiles, subagents, agents, model_providers } = toml
  const selected = isText(profile) && isMap(profiles) ? profiles[profile] : undefined
  // The first table that sets a value wins.
  const tables = [
    { prefix: "subagents.", table: tableOf(subagents) },
    { prefix: "agents.default_subagent_", table: defaultsIn(tableOf(agents)) },
    { prefix: `profiles.${profile}.`, table: tableOf(selected) },
    { prefix: "", table: toml },
  ]
  const textAt = (key: string): HostSetting<string> | undefined => {
    const match = tables.find(({ table }) => isText(table[key]))
    return match && { value: (match.table[key] as string).trim(), where: `${match.prefix}${key} of ${file}` }
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
        ? [`profile of ${file} is ${JSON.stringify(profile)}, but there is no [profiles.${profile}].`]
        : [],
  }
}

/** The default model of Codex's subagents, under the key of the other tables. */
const defaultsIn = ({ default_subagent_model }: Table): Table => ({
  model: default_subagent_model,
})

/** Codex's short key for the address of its built-in provider. */
const openaiAddress = ({ openai_base_url }: Table): Table =>
  isText(openai_base_url) ? { openai: { base_url: openai_base_url } } : {}

const flagIn = ({ enabled }: Table, where: string) =>
  typeof enabled === "boolean" ? { value: enabled, where } : undefined

/** In Codex, this variable overrides the file. */
function enabledIn(environment: NodeJS.ProcessEnv): HostSetting<boolean> | undefined {
  const where = "CODEX_SUBAGENTS_ENABLED"
  const word = environment[where]?.trim().toLowerCase() ?? ""
  if (["1", "true", "yes", "on"].includes(word)) return { value: true, where }
  return ["0", "false", "no", "off"].includes(word) ? { value: false, where } : undefined
}

function emptySettings(
  file: string,
  environment: NodeJS.ProcessEnv,
  warnings: readonly string[] = [],
): HostSettings {
  const enabled = enabledIn(environment)
  return { ...ofCodex, file, ...(enabled && { enabled }), providers: [], warnings }
}

/** The facts about Codex that do not depend on its file. */
const ofCodex = {
  of: "codex",
  usualProvider: "openai",
  refusal: (where: string) =>
    `Subagents feature is disabled in this configuration: ${where} is false, which applies to Codex files. Set it to true there, or set \`subagents.enabled: true\` in cadre's own configuration, which overrides it.`,
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
    headers: pickTexts(http_headers),
    headerVariables: pickTexts(env_http_headers),
    place: `model_providers.${id} of ${file}`,
  }
}

type Table = Readonly<Record<string, unknown>>

function withQuery(address: string, parameters: unknown): string {
  const query = new URLSearchParams(pickTexts(parameters)).toString()
  return query === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${query}`
}

const tableOf = (value: unknown): Table => (isMap(value) ? value : {})

function isInWorkspace(folder: string, { workspace, home }: CodexPlaces): boolean {
  if (workspace === undefined) return false
  return isInside(repositoryOf(withoutLinks(workspace), home), withoutLinks(folder))
}

/** The repository around a folder, because the whole repository has the same authors. */
function repositoryOf(folder: string, home: string): string {
  for (let level = folder; level !== home && level !== path.dirname(level); level = path.dirname(level))
    if (existsSync(path.join(level, ".git"))) return level
  // A home folder may be a repository, but it belongs to the user.
  return folder
}

function shortenPath(file: string, home: string): string {
  const relative = path.relative(home, file)
  return relative.startsWith("..") || path.isAbsolute(relative)
    ? file
    : `~/${relative.split(path.sep).join("/")}`
}
