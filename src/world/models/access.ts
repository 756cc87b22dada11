import { CadreError } from "../../ground/errors.ts"
import { httpUrl, shownAddress } from "./address.ts"
import { addressProblem, type FoundKey, headersOf, type Keys, mayHaveKey, mustHaveKey } from "./keys.ts"
import type { Provider } from "./provider.ts"
import type { Secrets } from "./secrets.ts"

/** What may be sent along to an address. */
export interface Access {
  readonly key?: FoundKey
  readonly headers: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}

export interface KeyRing {
  readonly keys: Keys
  readonly environment: NodeJS.ProcessEnv
  readonly secrets: Secrets
  /** Addresses that a person has seen in a file, and lets have keys. */
  readonly endpoints: readonly string[]
}

/** How a model of a provider may be asked. Throws MODEL_KEY_MISSING where that takes a key and there is none. */
export async function accessTo(
  model: string,
  provider: Provider,
  endpoint: string | undefined,
  { keys, environment, secrets, endpoints }: KeyRing,
): Promise<Access> {
  const listed = { ...provider, endpoints: [...provider.endpoints, ...endpoints] }
  const problem = addressProblem(provider) ?? endpointProblem(provider, endpoint)
  if (problem !== undefined) throw new CadreError("MODEL_UNKNOWN", `${provider.id}/${model}: ${problem}`)
  if (!mayHaveKey(listed, endpoint)) {
    if (findsItsOwn(provider))
      throw new CadreError(
        "MODEL_UNKNOWN",
        `${provider.id}/${model}: the package ${provider.package} finds credentials by itself, and would send them to ${shownAddress(endpoint!)}, which only a file names. If the server may have them, add ${new URL(endpoint!).origin} to \`providers.${provider.id}.endpoints\` in your own configuration.`,
      )
    const kept = await keys.find(provider).catch(() => undefined)
    const hasHeaders = Object.keys({ ...provider.headers, ...provider.headerVariables }).length > 0
    return { headers: {}, warnings: kept || hasHeaders ? [withheld(provider, endpoint!)] : [] }
  }
  const headers = headersOf(provider, environment, secrets)
  const key = await keys.find(provider)
  if (key === undefined && mustHaveKey(provider, endpoint))
    throw new CadreError(
      "MODEL_KEY_MISSING",
      `There is no key for the provider ${provider.id}, so ${provider.id}/${model} cannot be asked. ${keys.remedy(provider)}`,
    )
  return { ...(key && { key }), headers, warnings: key?.warning ? [key.warning] : [] }
}

/** A package that we give no key takes what it finds, such as credentials of a cloud. */
const findsItsOwn = ({ protocol, keyVariables, tokenVariables, keyFile }: Provider): boolean =>
  protocol === "ai-sdk" && keyVariables.length + tokenVariables.length === 0 && keyFile === undefined

function withheld({ id }: Provider, endpoint: string): string {
  const { origin } = new URL(endpoint)
  return `${shownAddress(endpoint)} is asked without your key for ${id}: only a file names that address, and whoever wrote it would have the key. If the server may have it, add ${origin} to \`providers.${id}.endpoints\` in your own configuration.`
}

function endpointProblem(
  { id, baseUrl, protocol }: Provider,
  endpoint: string | undefined,
): string | undefined {
  if (endpoint !== undefined)
    return httpUrl(endpoint)
      ? undefined
      : "its endpoint is not an http or https URL without a user name in it."
  return baseUrl === undefined && protocol !== "ai-sdk"
    ? `the provider ${id} has no address. Add \`providers.${id}.baseUrl\` to the configuration.`
    : undefined
}
