import type { HostProvider, HostSettings } from "../../agent/host-settings.ts"
import { isProviderId, type Provider, type ProviderList, toProviderList } from "./provider.ts"

/** Adds the providers of a host's settings to the list, and applies its changes to built-in ones. */
export function addHostProviders(list: ProviderList, { providers, of }: HostSettings): ProviderList {
  const hostProviders = providers.flatMap((provider) => hostProvider(provider, list, of))
  if (hostProviders.length === 0) return list
  const isReplaced = ({ id }: Provider) => hostProviders.some((provider) => provider.id === id)
  const all = toProviderList([...list.all.filter((provider) => !isReplaced(provider)), ...hostProviders])
  return {
    ...all,
    // A run that does not name the host's configuration means the provider of the usual list.
    serving: (use) =>
      use.configuration === of ? all.find(use.provider) : (list.serving(use) ?? all.find(use.provider)),
  }
}

function hostProvider(entry: HostProvider, list: ProviderList, of: string): readonly Provider[] {
  const { id, baseUrl, keyVariable } = entry
  if (!isProviderId(id)) return []
  const listed = list.find(id)
  if (listed) return listed.source === "built-in" ? [overrideProvider(listed, entry, of)] : []
  if (baseUrl === undefined) return []
  return [
    {
      id,
      // Settings without a protocol were written for a host whose default was chat.
      protocol: "openai",
      endpoints: [],
      keyVariables: [],
      tokenVariables: [],
      key: keyVariable === undefined ? "optional" : "needed",
      ...partsOf(entry),
      source: of,
    },
  ]
}

/** Changes the address, key or headers of a built-in provider. A variable such as OPENAI_BASE_URL still wins. */
function overrideProvider(builtIn: Provider, entry: HostProvider, of: string): Provider {
  const { baseUrl, baseUrlFrom, ...parts } = partsOf(entry)
  const isElsewhere = baseUrl !== undefined && builtIn.baseUrlFrom === undefined
  return {
    ...builtIn,
    ...parts,
    ...(isElsewhere && { baseUrl, baseUrlFrom: baseUrlFrom! }),
    // A gateway may need no key.
    ...(isElsewhere && entry.keyVariable === undefined && { key: "optional" as const }),
    source: of,
    overrides: "built-in",
  }
}

const partsOf = ({ id: _, protocol, keyVariable, ...rest }: HostProvider) => ({
  ...rest,
  ...(protocol && { protocol, protocolByModel: false }),
  ...(keyVariable !== undefined && { keyVariables: [keyVariable], tokenVariables: [] }),
})
