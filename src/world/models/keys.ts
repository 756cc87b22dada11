import { readFile, realpath, stat } from "node:fs/promises"
import path from "node:path"
import { CadreError, messageOf } from "../../ground/errors.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"
import { httpUrl, isLoopback, originOf } from "./address.ts"
import type { Provider } from "./provider.ts"
import type { Secrets } from "./secrets.ts"

export interface FoundKey {
  readonly value: string
  /** How it is sent: as the protocol's key, or as a bearer token. */
  readonly as: "key" | "token"
  /** The variable's name, or the file's path. */
  readonly from: { readonly variable: string } | { readonly file: string }
  readonly warning?: string
}

export interface Keys {
  /** Undefined: there is none. Throws MODEL_KEY_MISSING where one was named that may not or cannot be read. */
  find(provider: Provider): Promise<FoundKey | undefined>
  /** What to do so that there is one. */
  remedy(provider: Provider): string
}

export interface KeyPlaces {
  readonly environment: NodeJS.ProcessEnv
  readonly home: string
  readonly workspace?: string
  readonly userFolder?: string
}

/** Where the keys of providers are: variables of the environment, and files of the person. Never in a definition. */
export function keyStore(places: KeyPlaces, secrets: Secrets): Keys {
  const { environment, userFolder } = places
  const usualFile = ({ id }: Provider) =>
    userFolder === undefined ? undefined : path.join(userFolder, "keys", id)

  async function find(provider: Provider): Promise<FoundKey | undefined> {
    const found = fromEnvironment(provider, environment) ?? (await fromFile(provider))
    secrets.add(found?.value)
    return found
  }

  async function fromFile(provider: Provider): Promise<FoundKey | undefined> {
    const { keyFile } = provider
    if (keyFile !== undefined) return readKeyFile(provider, expanded(keyFile, places), places, "named")
    const file = usualFile(provider)
    return file === undefined ? undefined : readKeyFile(provider, file, places, "usual")
  }

  return {
    find,
    remedy(provider) {
      const variables = [...provider.keyVariables, ...provider.tokenVariables]
      const file = provider.keyFile === undefined ? usualFile(provider) : expanded(provider.keyFile, places)
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
 * Whether the person's key may go to an endpoint that a file names: this machine, the provider's own server, or one
 * that the person listed. Anywhere else whoever wrote the file would have the key.
 */
export function mayHaveKey({ baseUrl, endpoints }: Provider, endpoint: string | undefined): boolean {
  if (endpoint === undefined) return true
  const origin = originOf(endpoint)
  if (origin === undefined) return false
  if (isLoopback(endpoint) || origin === originOf(baseUrl ?? "")) return true
  return endpoints.some((listed) => originOf(listed) === origin)
}

/** Servers of one's own and endpoints that a file names often want no key: only the provider itself must have one. */
export function mustHaveKey({ key, baseUrl }: Provider, endpoint: string | undefined): boolean {
  if (key === "optional") return false
  if (endpoint !== undefined) return originOf(endpoint) === originOf(baseUrl ?? "") && !isLoopback(endpoint)
  return baseUrl === undefined || !isLoopback(baseUrl)
}

/** Headers of the provider, with the values that are in the environment. */
export function headersOf(
  { headers, headerVariables }: Provider,
  environment: NodeJS.ProcessEnv,
  secrets: Secrets,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = { ...headers }
  for (const [name, variable] of Object.entries(headerVariables)) {
    const value = environment[variable]?.trim()
    if (!value) continue
    secrets.add(value)
    found[name] = value
  }
  return found
}

/** Everything in the environment that is a key of somebody, whether it is used or not. */
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
): FoundKey | undefined {
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
): Promise<FoundKey | undefined> {
  const missing = (problem: string) =>
    new CadreError("MODEL_KEY_MISSING", `The key file ${file} of the provider ${id} ${problem}`)
  try {
    const real = await realpath(file)
    if (workspace !== undefined && isInside(withoutLinks(workspace), real))
      throw missing(
        "lies in the workspace, where agents and commits can take it along. Move it out of there.",
      )
    const [text, { mode }] = await Promise.all([readFile(real, "utf8"), stat(real)])
    const value = text.trim()
    if (value === "" || /[\s\p{Cc}]/u.test(value))
      throw missing("does not hold a key: write the key into it, and nothing else.")
    const open = process.platform !== "win32" && (mode & 0o077) !== 0
    return {
      value,
      as: "key",
      from: { file },
      ...(open && {
        warning: `The key file ${file} can be read by others on this machine. Run: chmod 600 ${file}`,
      }),
    }
  } catch (error) {
    if (error instanceof CadreError) throw error
    if (kind === "usual") return undefined
    throw missing(`cannot be read: ${messageOf(error)}`)
  }
}

function expanded(file: string, { home, userFolder }: KeyPlaces): string {
  return /^~(?=$|[/\\])/.test(file) ? path.join(home, file.slice(1)) : path.resolve(userFolder ?? home, file)
}

/** What is wrong with the address a provider has, in words. */
export function addressProblem({ id, baseUrl, baseUrlFrom }: Provider): string | undefined {
  if (baseUrl === undefined || httpUrl(baseUrl)) return undefined
  return `the address of the provider ${id} (${baseUrlFrom ?? "built in"}) is not an http or https URL without a user name in it. Correct it there.`
}
