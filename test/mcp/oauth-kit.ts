import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import Provider from "oidc-provider"
import type { LoginPlace } from "../../src/world/mcp/login/login-file.ts"
import { type HttpServer, listening, mcpServer, reply } from "./http-server-kit.ts"

export interface IssuerOptions {
  /** The audience of the tokens, in place of the resource that was asked for. */
  readonly audience?: string
  /** Seconds for which an access token counts. */
  readonly seconds?: number
  /** Changes the description of the issuer that the server's clients read. */
  readonly describe?: (description: Record<string, unknown>) => Record<string, unknown>
}

export interface Issuer extends HttpServer {
  readonly provider: Provider
  /** The paths that were asked for, with their method. */
  readonly asked: string[]
  /** The bodies of the requests for tokens. */
  readonly tokenRequests: URLSearchParams[]
}

/** A real authorisation server. Its person is called ada, and agrees to everything. */
export async function startIssuer({
  audience,
  seconds = 600,
  describe,
}: IssuerOptions = {}): Promise<Issuer> {
  const asked: string[] = []
  const tokenRequests: URLSearchParams[] = []
  let answer!: (request: Parameters<Parameters<typeof listening>[0]>[0], response: Response) => Promise<void>
  const server = await listening((request, response) => answer(request, response))
  const provider = new Provider(server.origin, {
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: "read write",
          audience: audience ?? resource,
          accessTokenTTL: seconds,
          accessTokenFormat: "opaque",
        }),
      },
    },
    clientDefaults: { grant_types: ["authorization_code", "refresh_token"] },
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    scopes: ["openid", "offline_access", "read", "write"],
    ttl: { AccessToken: seconds, Interaction: 60, Session: 600, Grant: 600, RefreshToken: 600 },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }: GrantContext) {
      const grant = new provider.Grant({
        accountId: oidc.session.accountId,
        clientId: oidc.client.clientId,
      })
      grant.addOIDCScope("openid offline_access read write")
      for (const resource of Object.keys(oidc.resourceServers ?? {}))
        grant.addResourceScope(resource, "read write")
      await grant.save()
      return grant
    },
  })
  const plain = provider.callback()
  answer = async (request, response) => {
    asked.push(`${request.method} ${request.url!.split("?")[0]}`)
    if (request.url!.startsWith("/interaction/"))
      return provider.interactionFinished(request, response, {
        login: { accountId: "ada" },
        consent: {},
      })
    if (request.url!.startsWith("/.well-known/") && describe) {
      const metadata = await fetch(`${server.origin}/hidden${request.url}`).then((got) => got.json())
      return reply(response, describe(metadata as Record<string, unknown>))
    }
    if (request.url!.startsWith("/hidden/")) request.url = request.url!.slice("/hidden".length)
    if (request.url === "/token")
      request.prependOnceListener("data", (chunk) => tokenRequests.push(new URLSearchParams(String(chunk))))
    return plain(request, response)
  }
  return Object.assign(server, { provider, asked, tokenRequests })
}

type Response = Parameters<Parameters<typeof listening>[0]>[1]

interface GrantContext {
  readonly oidc: {
    readonly session: { readonly accountId: string }
    readonly client: { readonly clientId: string }
    readonly resourceServers?: object
  }
}

export interface ProtectedOptions {
  /** Changes the description of the resource. */
  readonly describe?: (description: Record<string, unknown>) => Record<string, unknown>
  /** The scope that calls need. */
  readonly needs?: string
}

/** A server that takes only tokens of the issuer that are meant for it. `tokens` are those that it was sent. */
export async function startProtected(
  issuer: Pick<Issuer, "origin" | "provider">,
  { describe = (same) => same, needs }: ProtectedOptions = {},
): Promise<HttpServer & { readonly tokens: (string | undefined)[] }> {
  const tokens: (string | undefined)[] = []
  const server: HttpServer = await mcpServer(async ({ request, response, method }) => {
    if (request.url!.startsWith("/.well-known/oauth-protected-resource")) {
      reply(response, describe({ resource: server.url, authorization_servers: [issuer.origin] }))
      return true
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1]
    tokens.push(token)
    const stored = token === undefined ? undefined : await issuer.provider.AccessToken.find(token)
    const isMeant = stored && !stored.isExpired && [stored.aud].flat().includes(server.url)
    const description = `resource_metadata="${server.origin}/.well-known/oauth-protected-resource/mcp"`
    if (!isMeant) {
      response.writeHead(401, { "WWW-Authenticate": `Bearer ${description}, scope="read"` }).end()
      return true
    }
    if (method === "tools/call" && needs !== undefined && !stored.scope?.split(" ").includes(needs)) {
      const challenge = `Bearer error="insufficient_scope", scope="${needs}", ${description}`
      response.writeHead(403, { "WWW-Authenticate": challenge }).end()
      return true
    }
    return false
  })
  return Object.assign(server, { tokens })
}

/** What a person and a browser do: follow every redirect, with cookies, until the address of the caller. */
export async function browse(address: string): Promise<void> {
  const cookies = new Map<string, string>()
  let next = address
  for (let count = 0; count < 20; count++) {
    const response = await fetch(next, {
      redirect: "manual",
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get("location")
    if (location === null) {
      if (!response.ok) throw new Error(`${next} answered ${response.status}: ${await response.text()}`)
      return
    }
    next = new URL(location, next).href
  }
  throw new Error(`${address} leads in a circle`)
}

/** A folder for keys, and the secrets that were reported. */
export function loginPlace(): LoginPlace & { readonly secrets: Set<string> } {
  const secrets = new Set<string>()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-keys-"))
  return { folder, secrets, keepSecret: (value) => secrets.add(value) }
}
