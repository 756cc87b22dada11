import type { AuthProvider, FetchLike, OAuthDiscoveryState } from "@modelcontextprotocol/client"
import type { McpAddress } from "../../../agent/mcp-server.ts"
import { describeThrown } from "../../../ground/errors.ts"
import type { Json } from "../../../ground/message.ts"
import { AddressWire, type ServerTokens } from "../address-wire.ts"
import type { McpBounds } from "../bounds.ts"
import { connectToServer } from "../connection.ts"
import { ServerFailure } from "../failure.ts"
import { listTools } from "../read-tools.ts"
import { createServerFetch } from "../server-fetch.ts"
import { requireSafeDescription } from "./addresses.ts"
import { type BrowserAnswer, listenForRedirect } from "./browser-answer.ts"
import { revokeTokens } from "./log-out.ts"
import { type LoginPlace, readLogin, type SavedLogin, writeLogin } from "./login-file.ts"
import { LoginProvider, type RegisteredClient } from "./login-provider.ts"
import { withTokens } from "./refresh-login.ts"
import { withoutValues } from "./without-values.ts"

export interface LoginOptions {
  readonly logins: LoginPlace
  readonly bounds: McpBounds
  /** Shows the address that the person has to open, or opens it. */
  show(address: string): void
  /** Further rights to ask for, separated by spaces, besides those that the server asks for. */
  readonly scope?: string
  /** A client that the user registered. Absent: cadre registers itself. */
  readonly client?: RegisteredClient
  /** The address of a document that describes the client. */
  readonly clientDocument?: string
  /** The port that the browser comes back to. Default: a random one. */
  readonly port?: number
  /** Ends the wait for the person. */
  readonly signal: AbortSignal
}

export type LoginResult =
  | { readonly type: "logged-in"; readonly login: SavedLogin; readonly tools: number }
  /** The server answers without a login, and names no authorisation server. */
  | { readonly type: "not-needed"; readonly tools: number }

/**
 * Logs the user in at a server: finds its authorisation server, registers, sends the person there, exchanges the code,
 * and tries the tokens. They are written only if the server accepts them. Throws a ServerFailure.
 */
export async function logIn(name: string, settings: McpAddress, options: LoginOptions): Promise<LoginResult> {
  const { logins, bounds, signal } = options
  const { fetch, requireSafe } = await checkedFetch(bounds.message)
  const challenge = await findChallenge(settings, bounds)
  const discovery = await discover(settings.url, challenge, fetch)
  requireSafe()
  if (challenge.type === "open" && !discovery.resourceMetadata)
    return { type: "not-needed", tools: challenge.tools }
  const redirect = await listenForRedirect(options.port).catch((error) => {
    throw new ServerFailure("refused", `the login cannot listen for the browser: ${describeThrown(error)}`)
  })
  try {
    const previous = readLoginOf(logins, name)
    const scope = joinScopes(challenge.scope, options.scope, options.scope && previous?.scope)
    const provider = new LoginProvider({
      redirect,
      discovery,
      ...(options.client && { client: options.client }),
      ...(options.clientDocument !== undefined && { clientDocument: options.clientDocument }),
    })
    await authorise(provider, settings.url, { fetch, scope, signal, redirect, show: options.show })
    const login = loginOf(settings.url, discovery, provider)
    for (const secret of [login.accessToken, login.refreshToken, login.client.secret])
      if (secret !== undefined) logins.keepSecret(secret)
    const tools = await tryTokens(settings, bounds, login).catch(async (error) => {
      await revokeTokens(login, bounds.message)
      throw error
    })
    await writeLogin(logins, name, login)
    return { type: "logged-in", login, tools }
  } finally {
    await redirect.close()
  }
}

/** A file that cannot be understood is replaced by the new login. */
function readLoginOf(logins: LoginPlace, name: string): SavedLogin | undefined {
  try {
    return readLogin(logins, name)
  } catch (error) {
    if (error instanceof ServerFailure) return undefined
    throw error
  }
}

type Challenge =
  | { readonly type: "login"; readonly scope?: string; readonly description?: URL }
  | { readonly type: "open"; readonly tools: number; readonly scope?: never; readonly description?: never }

/** Asks the server without tokens, to learn which login it wants. */
async function findChallenge(settings: McpAddress, bounds: McpBounds): Promise<Challenge> {
  const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client")
  let challenge: Challenge | undefined
  const tokens: AuthProvider = {
    token: async () => undefined,
    async onUnauthorized({ response }) {
      const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response)
      challenge = {
        type: "login",
        ...(scope !== undefined && { scope }),
        ...(resourceMetadataUrl && { description: resourceMetadataUrl }),
      }
      throw new ServerFailure("refused", "it asks for a login")
    },
  }
  try {
    return { type: "open", tools: await countTools(settings, bounds, tokens) }
  } catch (error) {
    if (challenge) return challenge
    throw error
  }
}

async function countTools(settings: McpAddress, bounds: McpBounds, tokens: ServerTokens): Promise<number> {
  const connection = await connectToServer(new AddressWire(settings, bounds, tokens), bounds)
  try {
    return (await listTools(connection, bounds)).tools.length
  } finally {
    await connection.close()
  }
}

async function discover(
  url: string,
  { description }: Challenge,
  fetchFn: FetchLike,
): Promise<OAuthDiscoveryState> {
  const { discoverOAuthServerInfo } = await import("@modelcontextprotocol/client")
  try {
    const state = await discoverOAuthServerInfo(url, {
      fetchFn,
      ...(description && { resourceMetadataUrl: description }),
    })
    return { ...state, ...(description && { resourceMetadataUrl: description.href }) }
  } catch (error) {
    throw loginFailure("its authorisation server cannot be found", error, [])
  }
}

interface Authorising {
  readonly fetch: FetchLike
  readonly scope: string | undefined
  readonly signal: AbortSignal
  readonly redirect: BrowserAnswer
  show(address: string): void
}

async function authorise(
  provider: LoginProvider,
  url: string,
  { fetch, scope, signal, redirect, show }: Authorising,
): Promise<void> {
  const { auth, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client")
  const secrets: string[] = []
  try {
    const request = { serverUrl: url, fetchFn: fetch, forceReauthorization: true }
    await auth(provider, { ...request, ...(scope !== undefined && { scope }) })
    show(provider.authorisation!)
    const answer = await Promise.race([redirect.answer, untilAborted(signal)])
    const { client_secret: secret } = provider.clientInformation() ?? {}
    secrets.push(
      ...[answer.get("code"), secret, provider.codeVerifier()].filter((one) => typeof one === "string"),
    )
    // The transport checks the issuer in the answer. It sends nothing else here.
    await new StreamableHTTPClientTransport(new URL(url), { authProvider: provider, fetch }).finishAuth(
      answer,
    )
  } catch (error) {
    throw loginFailure("the login failed", error, secrets)
  }
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const abort = () => reject(new ServerFailure("deadline", "the login was not finished in the browser"))
    if (signal.aborted) abort()
    signal.addEventListener("abort", abort, { once: true })
  })

function loginFailure(what: string, error: unknown, secrets: readonly string[]): ServerFailure {
  if (error instanceof ServerFailure) return error
  const { cause } = error as { readonly cause?: unknown }
  const why =
    cause === undefined ? describeThrown(error) : `${describeThrown(error)} (${describeThrown(cause)})`
  return new ServerFailure("refused", `${what}: ${withoutValues(why.slice(0, 1_000), secrets)}`)
}

function loginOf(url: string, discovery: OAuthDiscoveryState, provider: LoginProvider): SavedLogin {
  const { authorizationServerMetadata: metadata, authorizationServerUrl } = discovery
  const { revocation_endpoint: revocation } = (metadata ?? {}) as { readonly revocation_endpoint?: unknown }
  const tokens = provider.tokens()!
  const client = provider.clientInformation()!
  const method = "token_endpoint_auth_method" in client ? client.token_endpoint_auth_method : undefined
  const { resource } = provider
  return withTokens(
    {
      server: url,
      issuer: metadata?.issuer ?? authorizationServerUrl,
      endpoints: {
        token: metadata?.token_endpoint ?? new URL("/token", authorizationServerUrl).href,
        ...(revocation !== undefined && { revocation: String(revocation) }),
        ...(metadata?.token_endpoint_auth_methods_supported && {
          methods: metadata.token_endpoint_auth_methods_supported,
        }),
      },
      ...(resource !== undefined && { resource }),
      client: {
        id: client.client_id,
        ...(client.client_secret !== undefined && { secret: client.client_secret }),
        ...(typeof method === "string" && { method }),
      },
      at: new Date().toISOString(),
    },
    tokens,
  )
}

/** Uses the tokens once, so that tokens for another server are found now and not in a run. */
async function tryTokens(settings: McpAddress, bounds: McpBounds, login: SavedLogin): Promise<number> {
  const tokens: AuthProvider = {
    token: async () => login.accessToken,
    async onUnauthorized() {
      throw new ServerFailure(
        "refused",
        `it refuses the token that ${login.issuer} gave for it. The token may be meant for another server. Nothing was kept`,
      )
    },
  }
  return countTools(settings, bounds, tokens)
}

const joinScopes = (...scopes: readonly (string | undefined)[]): string | undefined => {
  const all = new Set(scopes.flatMap((scope) => (scope ?? "").split(/\s+/).filter((one) => one !== "")))
  return all.size === 0 ? undefined : [...all].join(" ")
}

/** A fetch that checks every description of an authorisation server before the package reads it. */
async function checkedFetch(
  maxBytes: number,
): Promise<{ readonly fetch: FetchLike; readonly requireSafe: () => void }> {
  const fetch = await createServerFetch(maxBytes)
  let problem: unknown
  return {
    // The package passes over some problems with a description, but a dangerous address ends the login.
    requireSafe() {
      if (problem !== undefined) throw problem
    },
    async fetch(address, init) {
      const signal = AbortSignal.timeout(longestRequest)
      const response = await fetch(address, { ...init, signal })
      if (!String(address).includes("/.well-known/")) return response
      const text = await response.text()
      try {
        requireSafeDescription(jsonOf(text))
      } catch (error) {
        problem ??= error
        throw error
      }
      const { status, statusText, headers } = response
      return new Response(text, { status, statusText, headers })
    },
  }
}

const longestRequest = 30_000

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}
