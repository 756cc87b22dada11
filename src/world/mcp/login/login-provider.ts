import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client"
import { requireSafeAddress } from "./addresses.ts"
import type { BrowserAnswer } from "./browser-answer.ts"

/** A client that the user registered at the authorisation server. */
export interface RegisteredClient {
  readonly id: string
  readonly secret?: string
}

export interface ProviderOptions {
  readonly redirect: Pick<BrowserAnswer, "address" | "state">
  readonly discovery: OAuthDiscoveryState
  /** Absent: cadre registers itself. */
  readonly client?: RegisteredClient
  /** The address of a document that describes the client, for authorisation servers that read such documents. */
  readonly clientDocument?: string
}

/** Holds the parts of one login while it lasts. Nothing is written before the server has accepted the tokens. */
export class LoginProvider implements OAuthClientProvider {
  readonly #options: ProviderOptions
  #client: StoredOAuthClientInformation | undefined
  #tokens: StoredOAuthTokens | undefined
  #verifier = ""
  #discovery: OAuthDiscoveryState
  #resource: string | undefined
  /** The address that the person has to open. It is https, or http on this machine. */
  authorisation: string | undefined

  constructor(options: ProviderOptions) {
    this.#options = options
    this.#discovery = options.discovery
    const { client } = options
    if (client)
      this.#client = {
        client_id: client.id,
        ...(client.secret !== undefined && { client_secret: client.secret }),
      }
  }

  get redirectUrl(): string {
    return this.#options.redirect.address
  }

  get clientMetadataUrl(): string | undefined {
    return this.#options.clientDocument
  }

  get clientMetadata(): OAuthClientMetadata {
    const methods = this.#discovery.authorizationServerMetadata?.token_endpoint_auth_methods_supported
    const method = methods && preferredMethods.find((one) => methods.includes(one))
    return {
      client_name: "cadre",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...(method !== undefined && { token_endpoint_auth_method: method }),
    }
  }

  get resource(): string | undefined {
    return this.#resource
  }

  state(): string {
    return this.#options.redirect.state
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#client
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens
  }

  redirectToAuthorization(url: URL): void {
    requireSafeAddress("authorisation address", url.href)
    this.authorisation = url.href
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  discoveryState(): OAuthDiscoveryState {
    return this.#discovery
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state
  }

  saveResourceUrl(resource: string): void {
    this.#resource = resource
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    if (scope === "all" || scope === "tokens") this.#tokens = undefined
    if ((scope === "all" || scope === "client") && !this.#options.client) this.#client = undefined
  }
}

/** A program on the user's machine can keep no secret from the user, so it asks for none where it can. */
const preferredMethods = ["none", "client_secret_basic", "client_secret_post"]
