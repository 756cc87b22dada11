import { readFile, realpath, stat } from "node:fs/promises"
import path from "node:path"
import { CadreError, describeThrown } from "../../ground/errors.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"
import { isLoopback, parseHttpUrl, parseOrigin } from "./address.ts"
import type { Provider } from "./provider.ts"
import type { Secrets } from "./secrets.ts"

export interface ProviderKey {
  readonly value: string
  /** How the key is sent: as the protocol's key, or as a bearer token. */
  readonly as: "key" | "token"
  /** The source of the key: a variable or a file. */
  readonly from: { readonly variable: string } | { readonly file: string }
  readonly warning?: string
}

export interface KeyStore {
  /**
   * Finds the key of a provider. Undefined: there is none. Throws MODEL_KEY_MISSING if a configured key file is
   * forbidden or unreadable.
   */
  find(provider: Provider): Promise<ProviderKey | undefined>
  /** Advice on how to add a key. */
  remedy(provider: Provider): string
}

export interface KeyPlaces {
  readonly environment: NodeJS.ProcessEnv
  readonly home: string
  readonly workspace?: string
  readonly userFolder?: string
}

/** Finds keys of providers in environment variables and in the user's files. Definitions never contain keys. */
export function createKeyStore(places: KeyPlaces, secrets: Secrets): KeyStore {
  const { environment, userFolder } = places
  const usualFile = ({ id }: Provider) =>
    userFolder === undefined ? undefined : path.join(userFolder, "keys", id)

  async function find(provider: Provider): Promise<ProviderKey | undefined> {
    const key = fromEnvironment(provider, environment) ?? (await fromFile(provider))
    secrets.add(key?.value)
    return key
  }

  async function fromFile(provider: Provider): Promise<ProviderKey | undefined> {
    const { keyFile } = provider
    if (keyFile !== undefined) return readKeyFile(provider, expandPath(keyFile, places), places, "named")
    const file = usualFile(provider)
    return file === undefined ? undefined : readKeyFile(provider, file, places, "usual")
  }

  return {
    find,
    remedy(provider) {
      const variables = [...provider.keyVariables, ...provider.tokenVariables]
      const file = provider.keyFile === undefined ? usualFile(provider) : expandPath(provider.keyFile, places)
      const ways = [
        variables.length > 0 && `set ${variables.join(" or ")}`,
        file !== undefined && `write the key to ${file}`,
      ].filter((way) => way !== false)
      const text = ways.length > 0 ? ways.join(", or ") : `name its variable as providers.${provider.id}.key`
      return `${text[0]!.toUpperCase()}${text.slice(1)}.`
    },
  }
}

/**
 * True if the user's key may go to an endpoint that a file names. Allowed are this machine, the provider's own server,
 * and addresses that the user listed. Anywhere else the author of the file could collect the key.
 */
export function mayHaveKey({ baseUrl, endpoints }: Provider, endpoint: string | undefined): boolean {
  if (endpoint === undefined) return true
  const origin = parseOrigin(endpoint)
  if (origin === undefined) return false
  if (isLoopback(endpoint) || origin === parseOrigin(baseUrl ?? "")) return true
  return endpoints.some((listed) => parseOrigin(listed) === origin)
}

/** True if a request needs a key. A user's own server, or an endpoint that a file names, often needs none. */
export function mustHaveKey({ key, baseUrl }: Provider, endpoint: string | undefined): boolean {
  if (key === "optional") return false
  if (endpoint !== undefined)
    return parseOrigin(endpoint) === parseOrigin(baseUrl ?? "") && !isLoopback(endpoint)
  return baseUrl === undefined || !isLoopback(baseUrl)
}

/** The headers of the provider, including those with values from the environment. */
export function collectHeaders(
  { headers, headerVariables }: Provider,
  environment: NodeJS.ProcessEnv,
  secrets: Secrets,
): Readonly<Record<string, string>> {
  const allHeaders: Record<string, string> = { ...headers }
  for (const [name, variable] of Object.entries(headerVariables)) {
    const value = environment[variable]?.trim()
    if (!value) continue
    secrets.add(value)
    allHeaders[name] = value
  }
  return allHeaders
}

/** Adds all keys in the environment to the secrets, used or not. */
export function collectSecrets(
  providers: readonly Provider[],
  environment: NodeJS.ProcessEnv,
  secrets: Secrets,
): void {
  for (const { keyVariables, tokenVariables, headerVariables, headers } of providers) {
    for (const variable of [...keyVariables, ...tokenVariables, ...Object.values(headerVariables)])
      secrets.add(environment[variable])
    for (const [name, value] of Object.entries(headers))
      if (/auth|key|token|secret|cookie|credential/i.test(name)) secrets.add(value.replace(/^Bearer\s+/i, ""))
  }
}

function fromEnvironment(
  { keyVariables, tokenVariables }: Provider,
  environment: NodeJS.ProcessEnv,
): ProviderKey | undefined {
  for (const [variables, as] of [
    [keyVariables, "key"],
    [tokenVariables, "token"],
  ] as const)
    for (const variable of variables) {
      const value = environment[variable]?.trim()
      if (value) return { value, as, from: { variable } }
    }
  return undefined
}

async function readKeyFile(
  { id }: Provider,
  file: string,
  { workspace }: KeyPlaces,
  kind: "named" | "usual",
): Promise<ProviderKey | undefined> {
  const keyError = (problem: string) =>
    new CadreError("MODEL_KEY_MISSING", `The key file ${file} of the provider ${id} ${problem}`)
  try {
    const real = await realpath(file)
    if (workspace !== undefined && isInside(withoutLinks(workspace), real))
      throw keyError("is in the workspace, where an agent or a commit could leak it. Move it elsewhere.")
    const [text, { mode }] = await Promise.all([readFile(real, "utf8"), stat(real)])
    const value = text.trim()
    if (value === "" || /[\s\p{Cc}]/u.test(value))
      throw keyError("does not contain a key: write the key into it, and nothing else.")
    const isReadableByOthers = process.platform !== "win32" && (mode & 0o077) !== 0
    return {
      value,
      as: "key",
      from: { file },
      ...(isReadableByOthers && {
        warning: `The key file ${file} can be read by other users of this machine. Run: chmod 600 ${file}`,
      }),
    }
  } catch (error) {
    if (error instanceof CadreError) throw error
    if (kind === "usual") return undefined
    throw keyError(`cannot be read: ${describeThrown(error)}`)
  }
}

function expandPath(file: string, { home, userFolder }: KeyPlaces): string {
  return /^~(?=$|[/\\])/.test(file) ? path.join(home, file.slice(1)) : path.resolve(userFolder ?? home, file)
}

/** Describes a problem with the address of a provider. Undefined: there is none. */
export function findAddressProblem({ id, baseUrl, baseUrlFrom }: Provider): string | undefined {
  if (baseUrl === undefined || parseHttpUrl(baseUrl)) return undefined
  return `the address of the provider ${id} (${baseUrlFrom ?? "built in"}) must be an http or https URL without a user name. Correct it there.`
}
