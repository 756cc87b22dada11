import { describeThrown } from "../../../ground/errors.ts"
import { createServerFetch } from "../server-fetch.ts"
import { requireSafeAddress } from "./addresses.ts"
import { type LoginPlace, listLoginSecrets, readLogin, removeLogin, type SavedLogin } from "./login-file.ts"
import { withoutValues } from "./without-values.ts"

/** `why`: the tokens stay valid at the issuer until they expire. */
export type Revocation = { readonly type: "revoked" } | { readonly type: "kept"; readonly why: string }

export type LogoutResult =
  | { readonly type: "none" }
  | { readonly type: "removed"; readonly issuer?: string; readonly revocation: Revocation }

/** Ends a login: revokes its tokens at the issuer, and removes its file in any case. */
export async function logOut(name: string, logins: LoginPlace, maxBytes: number): Promise<LogoutResult> {
  const login = readOrProblem(logins, name)
  const revocation: Revocation =
    login === undefined
      ? { type: "revoked" }
      : "problem" in login
        ? { type: "kept", why: login.problem }
        : await revokeTokens(login, maxBytes)
  const existed = await removeLogin(logins, name)
  if (!existed || login === undefined) return { type: "none" }
  return { type: "removed", revocation, ...("issuer" in login && { issuer: login.issuer }) }
}

function readOrProblem(
  logins: LoginPlace,
  name: string,
): SavedLogin | { readonly problem: string } | undefined {
  try {
    return readLogin(logins, name)
  } catch (error) {
    return { problem: describeThrown(error) }
  }
}

/** Revokes the refresh token, then the access token (RFC 7009). */
export async function revokeTokens(login: SavedLogin, maxBytes: number): Promise<Revocation> {
  const { endpoints, issuer, refreshToken, accessToken } = login
  if (endpoints.revocation === undefined)
    return { type: "kept", why: `${issuer} has no address for revoking tokens` }
  try {
    requireSafeAddress("`revocation_endpoint`", endpoints.revocation)
    if (refreshToken !== undefined) await revoke(login, refreshToken, "refresh_token", maxBytes)
    await revoke(login, accessToken, "access_token", maxBytes)
    return { type: "revoked" }
  } catch (error) {
    return { type: "kept", why: withoutValues(describeThrown(error), listLoginSecrets(login)) }
  }
}

async function revoke(
  { endpoints, client, issuer }: SavedLogin,
  token: string,
  hint: "refresh_token" | "access_token",
  maxBytes: number,
): Promise<void> {
  const fetch = await createServerFetch(maxBytes)
  const body = new URLSearchParams({ token, token_type_hint: hint })
  const headers = new Headers({ "Content-Type": "application/x-www-form-urlencoded" })
  if (client.secret !== undefined && client.method !== "client_secret_post")
    headers.set("Authorization", `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString("base64")}`)
  else {
    body.set("client_id", client.id)
    if (client.secret !== undefined) body.set("client_secret", client.secret)
  }
  const { status } = await fetch(endpoints.revocation!, {
    method: "POST",
    headers: [...headers],
    body: body.toString(),
    signal: AbortSignal.timeout(30_000),
  })
  if (status < 200 || status > 299) throw new Error(`${issuer} answered with HTTP ${status}`)
}
