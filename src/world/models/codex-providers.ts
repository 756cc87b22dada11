import { isMap } from "../../ground/message.ts"
import type { CodexSettings } from "./codex-settings.ts"
import { isProviderId, isText, listOf, type Provider, type ProviderList, textsIn } from "./provider.ts"

/** The list with what Codex's configuration adds to it, and with what that says of built-in providers. */
export function withCodexProviders(list: ProviderList, { providers, file }: CodexSettings): ProviderList {
  const said = Object.entries(providers).flatMap(([id, entry]) => codexProvider(id, entry, list, file))
  if (said.length === 0) return list
  const isReplaced = ({ id }: Provider) => said.some((provider) => provider.id === id)
  const all = listOf([...list.all.filter((provider) => !isReplaced(provider)), ...said])
  return {
    ...all,
    // A run that names a provider as others have it means the one that others have.
    serving: (use) =>
      use.configuration === "codex" ? all.find(use.provider) : (list.serving(use) ?? all.find(use.provider)),
  }
}

function codexProvider(id: string, entry: unknown, list: ProviderList, file: string): readonly Provider[] {
  if (!isProviderId(id) || !isMap(entry)) return []
  const known = list.find(id)
  if (known) return known.source === "built-in" ? [overridden(known, id, entry, file)] : []
  if (!isText(entry.base_url)) return []
  const { env_key } = entry
  return [
    {
      id,
      // Whoever leaves it out wrote for a Codex whose default was chat.
      protocol: "openai",
      endpoints: [],
      keyVariables: [],
      tokenVariables: [],
      key: isText(env_key) ? "needed" : "optional",
      headers: {},
      headerVariables: {},
      ...saidOf(id, entry, file),
      source: "codex",
    },
  ]
}

/** A built-in provider with another address, key or headers. A variable such as OPENAI_BASE_URL still wins. */
function overridden(known: Provider, id: string, entry: Entry, file: string): Provider {
  const { baseUrl, baseUrlFrom, ...said } = saidOf(id, entry, file)
  const isElsewhere = baseUrl !== undefined && known.baseUrlFrom === undefined
  return {
    ...known,
    ...said,
    ...(isElsewhere && { baseUrl, baseUrlFrom: baseUrlFrom! }),
    // A gateway may want no key of its own.
    ...(isElsewhere && !isText(entry.env_key) && { key: "optional" as const }),
    source: "codex",
    overrides: "built-in",
  }
}

type Entry = Readonly<Record<string, unknown>>

function saidOf(id: string, entry: Entry, file: string): Partial<Provider> {
  const { base_url, env_key, wire_api, http_headers, env_http_headers, query_params } = entry
  return {
    ...(wire_api === "responses"
      ? { protocol: "responses" as const, protocolByModel: false }
      : wire_api === "chat" && { protocol: "openai" as const, protocolByModel: false }),
    ...(isText(base_url) && {
      baseUrl: withQuery(base_url, query_params),
      baseUrlFrom: `model_providers.${id}.base_url of ${file}`,
    }),
    ...(isText(env_key) && { keyVariables: [env_key], tokenVariables: [] }),
    headers: textsIn(http_headers),
    headerVariables: textsIn(env_http_headers),
    saidAt: `model_providers.${id} of ${file}`,
  }
}

function withQuery(address: string, parameters: unknown): string {
  const query = new URLSearchParams(textsIn(parameters)).toString()
  return query === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${query}`
}
