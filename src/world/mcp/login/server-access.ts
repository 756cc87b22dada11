import type { AuthProvider } from "@modelcontextprotocol/client"
import { ServerFailure } from "../failure.ts"
import { isSameServer } from "./addresses.ts"
import { type LoginPlace, readLogin, type SavedLogin, workUnderLoginLock, writeLogin } from "./login-file.ts"
import { refreshLogin } from "./refresh-login.ts"

export interface AccessOptions {
  /** The name of the server. */
  readonly name: string
  readonly url: string
  readonly logins: LoginPlace
  readonly maxBytes: number
}

/**
 * The tokens of a run for one server: those of the user's login file, refreshed when they expire. It never opens a
 * browser: without a login, the server's refusal says how to log in.
 */
export class ServerAccess implements AuthProvider {
  readonly #options: AccessOptions
  #login: SavedLogin | undefined
  #refreshing: Promise<SavedLogin> | undefined

  constructor(options: AccessOptions) {
    this.#options = options
  }

  explain(error: unknown): unknown {
    return explainScope(this.#options.name, error)
  }

  async token(): Promise<string | undefined> {
    this.#login ??= this.#read()
    if (this.#login && isExpiring(this.#login)) await this.#refresh(this.#login.accessToken)
    return this.#login?.accessToken
  }

  /** The server refused the token. Another process may have refreshed it by now. */
  async onUnauthorized(): Promise<void> {
    const { name } = this.#options
    const refused = this.#login
    if (!refused) throw needsLogin(name, "it asks for a login")
    const saved = this.#read()
    if (!saved) throw needsLogin(name, "it asks for a login")
    if (saved.accessToken === refused.accessToken) await this.#refresh(refused.accessToken)
    else this.#login = saved
  }

  /** The login for exactly this address. A login at another address is not one. */
  #read(): SavedLogin | undefined {
    const { name, url, logins } = this.#options
    const login = readLogin(logins, name)
    return login && isSameServer(login.server, url) ? login : undefined
  }

  /** All calls that need a new token wait for the same request. */
  async #refresh(oldToken: string): Promise<void> {
    this.#refreshing ??= this.#refreshOnce(oldToken).finally(() => {
      this.#refreshing = undefined
    })
    this.#login = await this.#refreshing
  }

  /** Two processes with the same refresh token would end the login: issuers take a second use for theft. */
  #refreshOnce(oldToken: string): Promise<SavedLogin> {
    const { name, logins, maxBytes } = this.#options
    return workUnderLoginLock(logins, name, async () => {
      const saved = this.#read()
      if (!saved) throw needsLogin(name, "it asks for a login")
      if (saved.accessToken !== oldToken && !isExpiring(saved)) return saved
      if (saved.refreshToken === undefined) throw needsLogin(name, "its login has expired")
      const result = await refreshLogin(saved, maxBytes)
      if (result.type === "refreshed") {
        await writeLogin(logins, name, result.login)
        return result.login
      }
      if (result.type === "unreachable")
        throw new ServerFailure("answer", `its login could not be renewed at ${saved.issuer}: ${result.why}`)
      // The issuer will not take this refresh token again.
      const { refreshToken: _, ...ended } = saved
      await writeLogin(logins, name, { ...ended, expires: 0 })
      throw needsLogin(name, `${saved.issuer} has ended its login (${result.why})`)
    })
  }
}

/** The failure of a call that needs further rights, with the command that asks for them. Otherwise the same error. */
function explainScope(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== "InsufficientScopeError") return error
  const { requiredScope: scope = "" } = error as { readonly requiredScope?: string }
  // The words come from the server, and stand in a command that a person may copy.
  const isPlain = /^[\w:./-]+(?: [\w:./-]+)*$/.test(scope) && !scope.startsWith("-")
  const option = isPlain ? ` --scope "${scope}"` : " --scope SCOPE"
  return needsLogin(name, `its login lacks rights that this call needs: ${JSON.stringify(scope)}`, option)
}

/** The failure of a server that needs a login, with the command for it. */
const needsLogin = (name: string, why: string, option = ""): ServerFailure =>
  new ServerFailure("refused", `${why}. Run \`cadre mcp login ${name}${option}\``)

/** Tokens are renewed a little early, so that they do not expire on their way. */
const isExpiring = ({ expires }: SavedLogin): boolean =>
  expires !== undefined && expires - Date.now() < expiryMargin

const expiryMargin = 10_000
