import { CadreError } from "../../ground/errors.ts"
import { displayAddress, parseHttpUrl } from "./address.ts"
import {
  collectHeaders,
  findAddressProblem,
  type KeyStore,
  mayHaveKey,
  mustHaveKey,
  type ProviderKey,
} from "./keys.ts"
import type { Provider } from "./provider.ts"
import type { Secrets } from "./secrets.ts"

/** The key and headers that may be sent to an address. */
export interface ModelAccess {
  readonly key?: ProviderKey
  readonly headers: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}

export interface KeyRing {
  readonly keys: KeyStore
  readonly environment: NodeJS.ProcessEnv
  readonly secrets: Secrets
  /** Addresses named by files that the user allows to get keys. */
  readonly endpoints: readonly string[]
}

/** Finds the key and headers for a model of a provider. Throws MODEL_KEY_MISSING if a needed key is missing. */
export async function findModelAccess(
  model: string,
  provider: Provider,
  endpoint: string | undefined,
  { keys, environment, secrets, endpoints }: KeyRing,
): Promise<ModelAccess> {
  const listedProvider = { ...provider, endpoints: [...provider.endpoints, ...endpoints] }
  const problem = findAddressProblem(provider) ?? endpointProblem(provider, endpoint)
  if (problem !== undefined) throw new CadreError("MODEL_UNKNOWN", `${provider.id}/${model}: ${problem}`)
  if (!mayHaveKey(listedProvider, endpoint)) {
    if (findsOwnCredentials(provider))
      throw new CadreError(
        "MODEL_UNKNOWN",
        `${provider.id}/${model}: the package ${provider.package} finds credentials by itself and would send them to ${displayAddress(endpoint!)}, an address that only a file names. If you trust that server, add ${new URL(endpoint!).origin} to \`providers.${provider.id}.endpoints\` in your own configuration.`,
      )
    const unusedKey = await keys.find(provider).catch(() => undefined)
    const hasHeaders = Object.keys({ ...provider.headers, ...provider.headerVariables }).length > 0
    return { headers: {}, warnings: unusedKey || hasHeaders ? [keyWithheldWarning(provider, endpoint!)] : [] }
  }
  const headers = collectHeaders(provider, environment, secrets)
  const key = await keys.find(provider)
  if (key === undefined && mustHaveKey(provider, endpoint))
    throw new CadreError(
      "MODEL_KEY_MISSING",
      `There is no key for the provider ${provider.id}, so ${provider.id}/${model} cannot be used. ${keys.remedy(provider)}`,
    )
  return { ...(key && { key }), headers, warnings: key?.warning ? [key.warning] : [] }
}

/** A package that gets no key from us uses credentials that it finds, such as those of a cloud. */
const findsOwnCredentials = ({ protocol, keyVariables, tokenVariables, keyFile }: Provider): boolean =>
  protocol === "ai-sdk" && keyVariables.length + tokenVariables.length === 0 && keyFile === undefined

function keyWithheldWarning({ id }: Provider, endpoint: string): string {
  const { origin } = new URL(endpoint)
  return `${displayAddress(endpoint)} gets requests without your key for ${id}: only a file names that address, and its author could collect the key. If you trust that server, add ${origin} to \`providers.${id}.endpoints\` in your own configuration.`
}

function endpointProblem(
  { id, baseUrl, protocol }: Provider,
  endpoint: string | undefined,
): string | undefined {
  if (endpoint !== undefined)
    return parseHttpUrl(endpoint)
      ? undefined
      : "its endpoint must be an http or https URL without a user name."
  return baseUrl === undefined && protocol !== "ai-sdk"
    ? `the provider ${id} has no address. Add \`providers.${id}.baseUrl\` to the configuration.`
    : undefined
}
