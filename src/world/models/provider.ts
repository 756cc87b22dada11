import type { ModelProtocol } from "../../agent/model.ts"
import { isMap, isText, type Json, type JsonMap, pickTexts } from "../../ground/message.ts"
import { readOllamaAddress } from "./address.ts"
import { buildAzureResource } from "./azure.ts"
import { type BuiltInProvider, builtInProviders, modelProtocols } from "./providers.ts"
import type { ServedUse } from "./served-use.ts"

/** An effective provider: the built-in one, with the changes of the configuration and the environment. */
export interface Provider {
  readonly id: string
  readonly protocol: ModelProtocol
  /** Some models of the provider work better in another protocol, and no setting chooses one. */
  readonly protocolByModel?: boolean
  readonly cloud?: BuiltInProvider["cloud"]
  readonly package?: string
  readonly baseUrl?: string
  /** The source of a base URL that is not the usual one. */
  readonly baseUrlFrom?: string
  /** The base URL that a project's file names. It is used, but gets no key unless the user allows that. */
  readonly endpoint?: string
  /** Additional addresses that may get the key. */
  readonly endpoints: readonly string[]
  readonly keyVariables: readonly string[]
  readonly tokenVariables: readonly string[]
  readonly keyFile?: string
  readonly key: "needed" | "optional"
  readonly headers: Readonly<Record<string, string>>
  /** Headers whose values come from environment variables. */
  readonly headerVariables: Readonly<Record<string, string>>
  readonly families?: RegExp
  /** True if a setting says that the provider enforces the schema of `submit_result`. */
  readonly strictTools?: boolean
  /** The source of the provider. Any other text is the name of a host whose settings define it. */
  readonly source: "built-in" | "configuration" | (string & {})
  /** For a host's provider: its settings change the built-in provider of this name. */
  readonly overrides?: "built-in"
  /** For a host's provider: the place of its settings. */
  readonly place?: string
}

export interface ProviderList {
  /** Finds a provider by id or alias. */
  find(name: string): Provider | undefined
  /** The provider that serves a model of a run. */
  serving(use: Pick<ServedUse, "provider" | "configuration">): Provider | undefined
  /** The only provider that serves this id. */
  ofModel(id: string): Provider | undefined
  readonly all: readonly Provider[]
  /** Ids and aliases. */
  readonly names: readonly string[]
}

/** A provider's id becomes the file name of its key, so it must not contain path separators. */
export const isProviderId = (id: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(id)

export function createProviderList(configured: JsonMap, environment: NodeJS.ProcessEnv): ProviderList {
  const ownEntries = Object.entries(configured).filter(([id, entry]) => isProviderId(id) && isMap(entry))
  const entries = new Map(ownEntries.map(([id, entry]) => [canonicalId(id), entry as JsonMap]))
  const builtIn = builtInProviders.map((defaults) =>
    builtInProvider(defaults, entries.get(defaults.id), environment),
  )
  const ownProviders = [...entries]
    .filter(([id]) => !builtInProviders.some((defaults) => defaults.id === id))
    .map(([id, entry]) => configuredProvider(id, entry))
  return toProviderList([...ownProviders, ...builtIn])
}

export function toProviderList(all: readonly Provider[]): ProviderList {
  const byId = new Map(all.toReversed().map((provider) => [provider.id, provider]))
  const find = (name: string) => byId.get(name) ?? byId.get(canonicalId(name.toLowerCase()))
  return {
    all,
    find,
    serving: ({ provider }) => find(provider),
    ofModel: (id) => all.find(({ families }) => families?.test(id)),
    names: [...byId.keys(), ...builtInProviders.flatMap(({ aliases = [] }) => aliases)],
  }
}

const canonicalId = (name: string): string =>
  builtInProviders.find(({ aliases }) => aliases?.includes(name))?.id ?? name

function builtInProvider(
  defaults: BuiltInProvider,
  entry: JsonMap | undefined,
  environment: NodeJS.ProcessEnv,
): Provider {
  const { keyVariables = [], tokenVariables = [] } = defaults
  const address = addressIn(defaults, environment)
  return {
    id: defaults.id,
    protocol: defaults.protocol,
    ...(defaults.protocolByModel && { protocolByModel: true }),
    ...(defaults.cloud && { cloud: defaults.cloud }),
    ...(defaults.package && { package: defaults.package }),
    ...(defaults.baseUrl && { baseUrl: defaults.baseUrl }),
    ...(defaults.families && { families: defaults.families }),
    keyVariables,
    tokenVariables,
    key: defaults.key ?? (keyVariables.length > 0 ? "needed" : "optional"),
    endpoints: [],
    headers: {},
    headerVariables: {},
    source: "built-in",
    ...address,
    ...(entry && providerSettings(defaults.id, entry)),
  }
}

const configuredProvider = (id: string, entry: JsonMap): Provider => ({
  id,
  protocol: "openai",
  keyVariables: [],
  tokenVariables: [],
  key: "optional",
  endpoints: [],
  headers: {},
  headerVariables: {},
  source: "configuration",
  ...providerSettings(id, entry),
})

/**
 * The settings of an entry of `providers:`. The reader of the configuration has checked it, so values of a wrong type
 * are skipped.
 */
function providerSettings(id: string, entry: JsonMap): Partial<Provider> {
  const {
    protocol,
    package: name,
    baseUrl,
    endpoint,
    endpoints,
    key,
    token,
    keyFile,
    headers,
    headerVariables,
    strictTools,
  } = entry
  return {
    source: "configuration",
    ...((isProtocol(protocol) || isText(name)) && {
      protocol: isProtocol(protocol) ? protocol : "ai-sdk",
      protocolByModel: false,
    }),
    ...(isText(name) && { package: name }),
    ...(isText(baseUrl) && { baseUrl, baseUrlFrom: `providers.${id}.baseUrl` }),
    ...(isText(endpoint) && { endpoint }),
    ...(Array.isArray(endpoints) && { endpoints: endpoints.filter(isText) }),
    ...((isText(key) || isText(token)) && {
      keyVariables: isText(key) ? [key] : [],
      tokenVariables: isText(token) ? [token] : [],
      key: "needed" as const,
    }),
    ...(isText(keyFile) && { keyFile, key: "needed" as const }),
    headers: pickTexts(headers),
    headerVariables: pickTexts(headerVariables),
    ...(typeof strictTools === "boolean" && { strictTools }),
  }
}

function addressIn(
  { id, cloud, baseUrlVariables = [] }: BuiltInProvider,
  environment: NodeJS.ProcessEnv,
): Partial<Provider> {
  const variable = baseUrlVariables.find((name) => (environment[name] ?? "").trim() !== "")
  if (variable === undefined) return {}
  const value = environment[variable]!.trim()
  if (variable === "CODEX_OSS_PORT") return { baseUrl: `http://127.0.0.1:${value}/v1`, baseUrlFrom: variable }
  if (cloud === "azure") return { baseUrl: buildAzureResource(value, environment), baseUrlFrom: variable }
  return { baseUrl: id === "ollama" ? readOllamaAddress(value) : value, baseUrlFrom: variable }
}

const isProtocol = (value: Json | undefined): value is ModelProtocol =>
  modelProtocols.includes(value as ModelProtocol)
