import type { HostSettings } from "../../agent/host-settings.ts"
import type { ModelProtocol } from "../../agent/model.ts"
import { CadreError, knownNames, messageOf } from "../../ground/errors.ts"
import { proxyError, proxyFor, throughProxy } from "../../ground/proxy.ts"
import { accessTo, type KeyRing } from "./access.ts"
import { shownAddress } from "./address.ts"
import { bareAliases } from "./aliases.ts"
import { azureAddress } from "./azure-address.ts"
import { type DatedTable, datedTables } from "./dated-tables.ts"
import { type Keys, mustHaveKey } from "./keys.ts"
import type { Provider, ProviderList } from "./provider.ts"
import { resolveName } from "./resolve.ts"
import type { Names, Target } from "./target.ts"

/** What is known of providers and names. It holds no key. */
export interface ModelsDescription {
  readonly default?: NameDescription
  readonly providers: readonly ProviderDescription[]
  readonly names: readonly NameDescription[]
  /** What counts of a host's settings, for files that were written for it; absent where they say nothing of the kind. */
  readonly host?: HostDescription
  /** When the tables that ship were last compared with their sources. */
  readonly tables: readonly DatedTable[]
}

export interface ProviderDescription {
  readonly id: string
  readonly protocol: ModelProtocol
  readonly package?: string
  readonly baseUrl?: string
  readonly source: Provider["source"]
  /** Whether there is one, where it is from, and what to do where it is missing. */
  readonly key: string
  readonly warning?: string
}

export interface HostDescription {
  /** Whose they are. */
  readonly of: string
  readonly file: string
  /** Each with its key and its value. */
  readonly settings: readonly { readonly name: string; readonly value: string }[]
  readonly warnings: readonly string[]
}

/** A name and the id of the model behind it, or why there is none. */
export interface NameDescription {
  readonly name: string
  readonly kind: "model" | "preset" | "alias" | "default"
  readonly resolved?: string
  readonly problem?: string
}

/** Whether a provider answers, as far as asking for its list of models tells. */
export interface Reach {
  readonly status: "reachable" | "refused" | "unreachable" | "no-key" | "unknown" | "unsupported"
  readonly detail: string
}

interface Describing {
  readonly providers: ProviderList
  readonly host?: { readonly settings: HostSettings; readonly providers: readonly Provider[] }
  readonly names: Names
  readonly keys: Keys
  readonly defaultModel?: string
  idOf(use: Target["use"]): string
  /** Throws where the configuration does not allow it. */
  requireAllowed(use: Target["use"]): void
}

export async function describeModels(describing: Describing): Promise<ModelsDescription> {
  const { providers, names, keys, defaultModel, host } = describing
  const named = [
    ...[...names.given.keys()].map((name) => ({ name, kind: "model" as const })),
    ...Object.keys(names.presets).map((name) => ({ name, kind: "preset" as const })),
    ...[...bareAliases.keys()].map((name) => ({ name, kind: "alias" as const })),
  ]
  // A name is what it comes to first.
  const first = named.filter(({ name }, index) => named.findIndex((other) => other.name === name) === index)
  return {
    ...(defaultModel !== undefined && { default: describeName(defaultModel, "default", describing) }),
    providers: await Promise.all(
      [...providers.all, ...(host?.providers ?? []).filter(({ overrides }) => overrides === undefined)].map(
        (provider) => describeProvider(provider, keys),
      ),
    ),
    ...(host && describeHost(host)),
    names: first.map(({ name, kind }) => describeName(name, kind, describing)),
    tables: datedTables,
  }
}

function describeHost({
  settings: { of, file, model, provider, enabled, warnings },
  providers,
}: NonNullable<Describing["host"]>): Pick<ModelsDescription, "host"> {
  const settings = [
    ...[model, provider, enabled].flatMap((said) =>
      said ? [{ name: said.where, value: String(said.value) }] : [],
    ),
    ...providers.map(({ saidAt, id, baseUrl }) => ({
      name: saidAt ?? id,
      value: baseUrl === undefined ? "no address" : shownAddress(baseUrl),
    })),
  ]
  return settings.length + warnings.length > 0 ? { host: { of, file, settings, warnings } } : {}
}

/** Asks a provider for its list of models, with the key. What goes wrong is the answer. */
export async function reachProvider(
  name: string,
  providers: ProviderList,
  ring: KeyRing,
  signal?: AbortSignal,
): Promise<Reach> {
  const provider = providers.find(name)
  if (!provider)
    return {
      status: "unknown",
      detail: `There is no provider ${JSON.stringify(name)}. ${knownNames(name, providers.names)}`,
    }
  const address = provider.endpoint ?? provider.baseUrl
  if (provider.protocol === "ai-sdk" || address === undefined)
    return {
      status: "unsupported",
      detail: "It is spoken to through a package of the AI SDK; a first request will tell.",
    }
  try {
    const { key, headers } = await accessTo("models", provider, provider.endpoint, ring)
    const url = new URL(provider.cloud === "azure" ? azureAddress(address, "models", "responses") : address)
    const base = url.pathname.replace(/\/+$/, "")
    url.pathname =
      provider.protocol === "anthropic" ? `${base.replace(/\/v1$/, "")}/v1/models` : `${base}/models`
    const { request } = await import("undici")
    const time = AbortSignal.timeout(longestWait)
    const proxy = proxyFor(url)
    if (proxy && "problem" in proxy) return { status: "unreachable", detail: proxy.problem }
    const { statusCode, body } = await request(url, {
      ...(proxy && { dispatcher: await throughProxy(proxy) }),
      headers: { ...keyHeaders(provider, key), ...headers },
      signal: signal ? AbortSignal.any([signal, time]) : time,
    }).catch((error: unknown) => {
      throw proxy ? proxyError(error, proxy) : error
    })
    await body.dump()
    return answered(statusCode, shownAddress(address))
  } catch (error) {
    const detail = ring.secrets.redact(messageOf(error))
    if (error instanceof CadreError)
      return { status: error.code === "MODEL_KEY_MISSING" ? "no-key" : "unknown", detail }
    return { status: "unreachable", detail: `${shownAddress(address)} does not answer: ${detail}` }
  }
}

const longestWait = 3000

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

function answered(status: number, address: string): Reach {
  if (status === 401 || status === 403)
    return { status: "refused", detail: `${address} answered ${status}: it does not take the key.` }
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
  // What the default comes to cannot depend on the default.
  const current = () =>
    kind === "default" || defaultModel === undefined
      ? undefined
      : useOf(() => resolveName(defaultModel, names, question))
  try {
    const { use } = resolveName(name, names, { ...question, current })
    requireAllowed(use)
    return { name, kind, resolved: idOf(use) }
  } catch (error) {
    return { name, kind, problem: messageOf(error) }
  }
}

/** A default that comes to nothing is told on its own line. */
function useOf(resolve: () => Target): Target["use"] | undefined {
  try {
    return resolve().use
  } catch {
    return undefined
  }
}

async function describeProvider(provider: Provider, keys: Keys): Promise<ProviderDescription> {
  const { id, protocol, package: packageName, source } = provider
  const address = provider.endpoint ?? provider.baseUrl
  return {
    id,
    protocol,
    ...(packageName && { package: packageName }),
    ...(address !== undefined && { baseUrl: shownAddress(address) }),
    source,
    ...(await keyState(provider, keys)),
  }
}

async function keyState(provider: Provider, keys: Keys): Promise<{ key: string; warning?: string }> {
  try {
    const found = await keys.find(provider)
    if (found === undefined)
      return {
        key: mustHaveKey(provider, provider.endpoint)
          ? `missing (${lowered(keys.remedy(provider))})`
          : "not needed",
      }
    const { from, warning } = found
    return {
      key: "variable" in from ? `set (${from.variable})` : `file ${from.file}`,
      ...(warning && { warning }),
    }
  } catch (error) {
    return { key: "missing", warning: messageOf(error) }
  }
}

const lowered = (sentence: string): string =>
  `${sentence[0]!.toLowerCase()}${sentence.slice(1).replace(/\.$/, "")}`
