import type { HostProvider, HostSettings } from "../../agent/host-settings.ts"
import { isProviderId, listOf, type Provider, type ProviderList } from "./provider.ts"

/** The list with what a host's settings add to it, and with what they say of built-in providers. */
export function withHostProviders(list: ProviderList, { providers, of }: HostSettings): ProviderList {
  const said = providers.flatMap((provider) => hostProvider(provider, list, of))
  if (said.length === 0) return list
  const isReplaced = ({ id }: Provider) => said.some((provider) => provider.id === id)
  const all = listOf([...list.all.filter((provider) => !isReplaced(provider)), ...said])
  return {
    ...all,
    // A run that names a provider as others have it means the one that others have.
    serving: (use) =>
      use.configuration === of ? all.find(use.provider) : (list.serving(use) ?? all.find(use.provider)),
  }
}

function hostProvider(said: HostProvider, list: ProviderList, of: string): readonly Provider[] {
  const { id, baseUrl, keyVariable } = said
  if (!isProviderId(id)) return []
  const known = list.find(id)
  if (known) return known.source === "built-in" ? [overridden(known, said, of)] : []
  if (baseUrl === undefined) return []
  return [
    {
      id,
      // Whoever leaves it out wrote for a host whose default was chat.
      protocol: "openai",
      endpoints: [],
      keyVariables: [],
      tokenVariables: [],
      key: keyVariable === undefined ? "optional" : "needed",
      ...partsOf(said),
      source: of,
    },
  ]
}

/** A built-in provider with another address, key or headers. A variable such as OPENAI_BASE_URL still wins. */
function overridden(known: Provider, said: HostProvider, of: string): Provider {
  const { baseUrl, baseUrlFrom, ...parts } = partsOf(said)
  const isElsewhere = baseUrl !== undefined && known.baseUrlFrom === undefined
  return {
    ...known,
    ...parts,
    ...(isElsewhere && { baseUrl, baseUrlFrom: baseUrlFrom! }),
    // A gateway may want no key of its own.
    ...(isElsewhere && said.keyVariable === undefined && { key: "optional" as const }),
    source: of,
    overrides: "built-in",
  }
}

const partsOf = ({ id: _, protocol, keyVariable, ...rest }: HostProvider) => ({
  ...rest,
  ...(protocol && { protocol, protocolByModel: false }),
  ...(keyVariable !== undefined && { keyVariables: [keyVariable], tokenVariables: [] }),
})
