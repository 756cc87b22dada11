import type { ModelProtocol } from "../../agent/model.ts"
import { isMap, isText, type Json, type JsonMap, textsIn } from "../../ground/message.ts"
import { ollamaAddress } from "./address.ts"
import { azureResource } from "./azure.ts"
import { type BuiltInProvider, builtInProviders, modelProtocols } from "./providers.ts"
import type { ServedUse } from "./served-use.ts"

/** A provider as it holds here: what is built in, with what the configuration and the environment say over it. */
export interface Provider {
  readonly id: string
  readonly protocol: ModelProtocol
  /** Some of its models are better spoken to in another protocol, and nobody said which to speak. */
  readonly protocolByModel?: boolean
  readonly cloud?: BuiltInProvider["cloud"]
  readonly package?: string
  readonly baseUrl?: string
  /** Where the base URL was said, where it is not the usual one. */
  readonly baseUrlFrom?: string
  /** The base URL that a project's file names. It is used, but no key goes there unless the person said so. */
  readonly endpoint?: string
  /** Further addresses that may have the key. */
  readonly endpoints: readonly string[]
  readonly keyVariables: readonly string[]
  readonly tokenVariables: readonly string[]
  readonly keyFile?: string
  readonly key: "needed" | "optional"
  readonly headers: Readonly<Record<string, string>>
  /** Headers whose values are in variables of the environment. */
  readonly headerVariables: Readonly<Record<string, string>>
  readonly families?: RegExp
  /** Whether it holds a model to the schema of `submit_result`, where somebody says so. */
  readonly strictTools?: boolean
  /** Who says so; anything but the first two is whose settings do. */
  readonly source: "built-in" | "configuration" | (string & {})
  /** Of a host's: the built-in provider of this name has other settings there. */
  readonly overrides?: "built-in"
  /** Of a host's: where it was said. */
  readonly saidAt?: string
}

export interface ProviderList {
  /** By id or alias. */
  find(name: string): Provider | undefined
  /** The provider that serves a model, as the run that names it knows it. */
  serving(use: Pick<ServedUse, "provider" | "configuration">): Provider | undefined
  /** The one that an id can only be of. */
  ofModel(id: string): Provider | undefined
  readonly all: readonly Provider[]
  /** Ids and aliases. */
  readonly names: readonly string[]
}

/** A provider's id becomes the name of a file with its key, so it holds nothing that leads elsewhere. */
export const isProviderId = (id: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(id)

export function providerList(configured: JsonMap, environment: NodeJS.ProcessEnv): ProviderList {
  const own = Object.entries(configured).filter(([id, entry]) => isProviderId(id) && isMap(entry))
  const entries = new Map(own.map(([id, entry]) => [canonical(id), entry as JsonMap]))
  const builtIn = builtInProviders.map((known) => builtInProvider(known, entries.get(known.id), environment))
  const added = [...entries]
    .filter(([id]) => !builtInProviders.some((known) => known.id === id))
    .map(([id, entry]) => configuredProvider(id, entry))
  return listOf([...added, ...builtIn])
}

export function listOf(all: readonly Provider[]): ProviderList {
  const byId = new Map(all.toReversed().map((provider) => [provider.id, provider]))
  const find = (name: string) => byId.get(name) ?? byId.get(canonical(name.toLowerCase()))
  return {
    all,
    find,
    serving: ({ provider }) => find(provider),
    ofModel: (id) => all.find(({ families }) => families?.test(id)),
    names: [...byId.keys(), ...builtInProviders.flatMap(({ aliases = [] }) => aliases)],
  }
}

const canonical = (name: string): string =>
  builtInProviders.find(({ aliases }) => aliases?.includes(name))?.id ?? name

function builtInProvider(
  known: BuiltInProvider,
  entry: JsonMap | undefined,
  environment: NodeJS.ProcessEnv,
): Provider {
  const { keyVariables = [], tokenVariables = [] } = known
  const elsewhere = addressIn(known, environment)
  return {
    id: known.id,
    protocol: known.protocol,
    ...(known.protocolByModel && { protocolByModel: true }),
    ...(known.cloud && { cloud: known.cloud }),
    ...(known.package && { package: known.package }),
    ...(known.baseUrl && { baseUrl: known.baseUrl }),
    ...(known.families && { families: known.families }),
    keyVariables,
    tokenVariables,
    key: known.key ?? (keyVariables.length > 0 ? "needed" : "optional"),
    endpoints: [],
    headers: {},
    headerVariables: {},
    source: "built-in",
    ...elsewhere,
    ...(entry && said(known.id, entry)),
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
  ...said(id, entry),
})

/** What an entry of `providers:` says. The reader of the configuration has checked it; values of a wrong type are left out. */
function said(id: string, entry: JsonMap): Partial<Provider> {
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
    headers: textsIn(headers),
    headerVariables: textsIn(headerVariables),
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
  if (cloud === "azure") return { baseUrl: azureResource(value, environment), baseUrlFrom: variable }
  return { baseUrl: id === "ollama" ? ollamaAddress(value) : value, baseUrlFrom: variable }
}

const isProtocol = (value: Json | undefined): value is ModelProtocol =>
  modelProtocols.includes(value as ModelProtocol)
