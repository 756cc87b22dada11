import type { HostSettings } from "../../agent/host-settings.ts"
import type { ModelProtocol } from "../../agent/model.ts"
import { CadreError, describeThrown, listKnownNames } from "../../ground/errors.ts"
import { connectThroughProxy, createProxyError, findProxy } from "../../ground/proxy.ts"
import { findModelAccess, type KeyRing } from "./access.ts"
import { displayAddress } from "./address.ts"
import { bareAliases } from "./aliases.ts"
import { buildAzureAddress } from "./azure-address.ts"
import { type DatedTable, datedTables } from "./dated-tables.ts"
import { type KeyStore, mustHaveKey } from "./keys.ts"
import type { Provider, ProviderList } from "./provider.ts"
import { resolveName } from "./resolve.ts"
import type { ModelNames, ModelTarget } from "./target.ts"

/** A description of all providers and model names. It contains no key. */
export interface ModelsDescription {
  readonly default?: NameDescription
  readonly providers: readonly ProviderDescription[]
  readonly names: readonly NameDescription[]
  /** The settings of a host that apply to files written for it. Absent: the host has no such settings. */
  readonly host?: HostDescription
  /** The days on which the shipped tables were last compared with their sources. */
  readonly tables: readonly DatedTable[]
}

export interface ProviderDescription {
  readonly id: string
  readonly protocol: ModelProtocol
  readonly package?: string
  readonly baseUrl?: string
  readonly source: Provider["source"]
  /** The state of the key: its source, or what to do if it is missing. */
  readonly key: string
  readonly warning?: string
}

export interface HostDescription {
  /** The name of the host. */
  readonly of: string
  readonly file: string
  /** The settings, each with its key and value. */
  readonly settings: readonly { readonly name: string; readonly value: string }[]
  readonly warnings: readonly string[]
}

/** A name and the id of its model, or the reason why there is none. */
export interface NameDescription {
  readonly name: string
  readonly kind: "model" | "preset" | "alias" | "default"
  readonly resolved?: string
  readonly problem?: string
}

/** The result of asking a provider for its list of models. */
export interface Reach {
  readonly status: "reachable" | "refused" | "unreachable" | "no-key" | "unknown" | "unsupported"
  readonly detail: string
}

interface Describing {
  readonly providers: ProviderList
  readonly host?: { readonly settings: HostSettings; readonly providers: readonly Provider[] }
  readonly names: ModelNames
  readonly keys: KeyStore
  readonly defaultModel?: string
  idOf(use: ModelTarget["use"]): string
  /** Throws if the configuration does not allow the model. */
  requireAllowed(use: ModelTarget["use"]): void
}

export async function describeModels(describing: Describing): Promise<ModelsDescription> {
  const { providers, names, keys, defaultModel, host } = describing
  const entries = [
    ...[...names.models.keys()].map((name) => ({ name, kind: "model" as const })),
    ...Object.keys(names.presets).map((name) => ({ name, kind: "preset" as const })),
    ...[...bareAliases.keys()].map((name) => ({ name, kind: "alias" as const })),
  ]
  // The first meaning of a name wins.
  const firstEntries = entries.filter(
    ({ name }, index) => entries.findIndex((other) => other.name === name) === index,
  )
  return {
    ...(defaultModel !== undefined && { default: describeName(defaultModel, "default", describing) }),
    providers: await Promise.all(
      [...providers.all, ...(host?.providers ?? []).filter(({ overrides }) => overrides === undefined)].map(
        (provider) => describeProvider(provider, keys),
      ),
    ),
    ...(host && describeHost(host)),
    names: firstEntries.map(({ name, kind }) => describeName(name, kind, describing)),
    tables: datedTables,
  }
}

function describeHost({
  settings: { of, file, model, provider, enabled, warnings },
  providers,
}: NonNullable<Describing["host"]>): Pick<ModelsDescription, "host"> {
  const settings = [
    ...[model, provider, enabled].flatMap((setting) =>
      setting ? [{ name: setting.where, value: String(setting.value) }] : [],
    ),
    ...providers.map(({ place: saidAt, id, baseUrl }) => ({
      name: saidAt ?? id,
      value: baseUrl === undefined ? "no address" : displayAddress(baseUrl),
    })),
  ]
  return settings.length + warnings.length > 0 ? { host: { of, file, settings, warnings } } : {}
}

/** Asks a provider for its list of models, with the key. Returns failures as a status. */
export async function askProvider(
  name: string,
  providers: ProviderList,
  ring: KeyRing,
  signal?: AbortSignal,
): Promise<Reach> {
  const provider = providers.find(name)
  if (!provider)
    return {
      status: "unknown",
      detail: `There is no provider ${JSON.stringify(name)}. ${listKnownNames(name, providers.names)}`,
    }
  const address = provider.endpoint ?? provider.baseUrl
  if (provider.protocol === "ai-sdk" || address === undefined)
    return {
      status: "unsupported",
      detail: "It uses a package of the AI SDK, so only a first request can tell.",
    }
  try {
    const { key, headers } = await findModelAccess("models", provider, provider.endpoint, ring)
    const url = new URL(
      provider.cloud === "azure" ? buildAzureAddress(address, "models", "responses") : address,
    )
    const base = url.pathname.replace(/\/+$/, "")
    url.pathname =
      provider.protocol === "anthropic" ? `${base.replace(/\/v1$/, "")}/v1/models` : `${base}/models`
    const { request } = await import("undici")
    const time = AbortSignal.timeout(maxWait)
    const proxy = findProxy(url)
    if (proxy && "problem" in proxy) return { status: "unreachable", detail: proxy.problem }
    const { statusCode, body } = await request(url, {
      ...(proxy && { dispatcher: await connectThroughProxy(proxy) }),
      headers: { ...keyHeaders(provider, key), ...headers },
      signal: signal ? AbortSignal.any([signal, time]) : time,
    }).catch((error: unknown) => {
      throw proxy ? createProxyError(error, proxy) : error
    })
    await body.dump()
    return describeAnswer(statusCode, displayAddress(address))
  } catch (error) {
    const detail = ring.secrets.redact(describeThrown(error))
    if (error instanceof CadreError)
      return { status: error.code === "MODEL_KEY_MISSING" ? "no-key" : "unknown", detail }
    return { status: "unreachable", detail: `${displayAddress(address)} does not answer: ${detail}` }
  }
}

const maxWait = 3000

function keyHeaders(
  { protocol, cloud }: Provider,
  key: { readonly value: string; readonly as: "key" | "token" } | undefined,
): Record<string, string> {
  const version: Record<string, string> =
    protocol === "anthropic" ? { "anthropic-version": "2023-06-01" } : {}
  if (key === undefined) return version
  if (cloud === "azure" && key.as === "key") return { "api-key": key.value }
  return protocol === "anthropic" && key.as === "key"
    ? { ...version, "x-api-key": key.value }
    : { ...version, authorization: `Bearer ${key.value}` }
}

function describeAnswer(status: number, address: string): Reach {
  if (status === 401 || status === 403)
    return { status: "refused", detail: `${address} answered ${status}: it refuses the key.` }
  return status < 300
    ? { status: "reachable", detail: `${address} answered ${status}.` }
    : { status: "reachable", detail: `${address} answered ${status} to a request for its models.` }
}

function describeName(
  name: string,
  kind: NameDescription["kind"],
  { names, providers, idOf, requireAllowed, defaultModel }: Describing,
): NameDescription {
  const question = { owner: "The configuration", providers, current: () => undefined }
  // The default model cannot depend on itself.
  const current = () =>
    kind === "default" || defaultModel === undefined
      ? undefined
      : useOf(() => resolveName(defaultModel, names, question))
  try {
    const { use } = resolveName(name, names, { ...question, current })
    requireAllowed(use)
    return { name, kind, resolved: idOf(use) }
  } catch (error) {
    return { name, kind, problem: describeThrown(error) }
  }
}

/** An invalid default is reported in its own entry. */
function useOf(resolve: () => ModelTarget): ModelTarget["use"] | undefined {
  try {
    return resolve().use
  } catch {
    return undefined
  }
}

async function describeProvider(provider: Provider, keys: KeyStore): Promise<ProviderDescription> {
  const { id, protocol, package: packageName, source } = provider
  const address = provider.endpoint ?? provider.baseUrl
  return {
    id,
    protocol,
    ...(packageName && { package: packageName }),
    ...(address !== undefined && { baseUrl: displayAddress(address) }),
    source,
    ...(await keyState(provider, keys)),
  }
}

async function keyState(provider: Provider, keys: KeyStore): Promise<{ key: string; warning?: string }> {
  try {
    const foundKey = await keys.find(provider)
    if (foundKey === undefined)
      return {
        key: mustHaveKey(provider, provider.endpoint)
          ? `missing (${lowerFirst(keys.remedy(provider))})`
          : "not needed",
      }
    const { from, warning } = foundKey
    return {
      key: "variable" in from ? `set (${from.variable})` : `file ${from.file}`,
      ...(warning && { warning }),
    }
  } catch (error) {
    return { key: "missing", warning: describeThrown(error) }
  }
}

const lowerFirst = (sentence: string): string =>
  `${sentence[0]!.toLowerCase()}${sentence.slice(1).replace(/\.$/, "")}`
