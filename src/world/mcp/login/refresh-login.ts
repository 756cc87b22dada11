import { describeThrown } from "../../../ground/errors.ts"
import { createServerFetch } from "../server-fetch.ts"
import { requireSafeAddress } from "./addresses.ts"
import { listLoginSecrets, type SavedLogin } from "./login-file.ts"
import { withoutValues } from "./without-values.ts"

export type RefreshResult =
  | { readonly type: "refreshed"; readonly login: SavedLogin }
  /** The issuer refuses the login for good. */
  | { readonly type: "refused"; readonly why: string }
  | { readonly type: "unreachable"; readonly why: string }

/** Asks the issuer for new tokens. The refresh token goes to the address that the issuer had at the login. */
export async function refreshLogin(login: SavedLogin, maxBytes: number): Promise<RefreshResult> {
  const { refreshAuthorization, OAuthError } = await import("@modelcontextprotocol/client")
  const { issuer, endpoints, client, resource, refreshToken } = login
  try {
    requireSafeAddress("`token_endpoint`", endpoints.token)
    const fetch = await createServerFetch(maxBytes)
    const tokens = await refreshAuthorization(issuer, {
      metadata: {
        issuer,
        authorization_endpoint: issuer,
        token_endpoint: endpoints.token,
        response_types_supported: ["code"],
        ...(endpoints.methods && { token_endpoint_auth_methods_supported: [...endpoints.methods] }),
      },
      clientInformation: {
        client_id: client.id,
        ...(client.secret !== undefined && { client_secret: client.secret }),
        ...(client.method !== undefined && { token_endpoint_auth_method: client.method }),
      },
      refreshToken: refreshToken!,
      ...(resource !== undefined && { resource: new URL(resource) }),
      fetchFn: (address, init) => fetch(address, { ...init, signal: AbortSignal.timeout(longestRequest) }),
    })
    return { type: "refreshed", login: withTokens(login, tokens) }
  } catch (error) {
    const why = withoutValues(describeThrown(error), listLoginSecrets(login))
    const isFinal = error instanceof OAuthError && finalCodes.has(error.code)
    return { type: isFinal ? "refused" : "unreachable", why }
  }
}

/** The longest time for one request to an issuer, in milliseconds. */
const longestRequest = 30_000

/** Error codes of RFC 6749 after which the same refresh token can only fail again. */
const finalCodes: ReadonlySet<string> = new Set(["invalid_grant", "invalid_client", "unauthorized_client"])

interface NewTokens {
  readonly access_token: string
  readonly refresh_token?: string | undefined
  readonly expires_in?: number | undefined
  readonly scope?: string | undefined
}

/** A login with new tokens. An issuer that sends no new refresh token lets the old one stand. */
export function withTokens(
  login: Omit<SavedLogin, "accessToken">,
  { access_token, refresh_token, expires_in, scope }: NewTokens,
): SavedLogin {
  const { expires: _, ...rest } = login
  return {
    ...rest,
    accessToken: access_token,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(scope !== undefined && { scope }),
    ...(expires_in !== undefined && { expires: Date.now() + expires_in * 1_000 }),
  }
}
