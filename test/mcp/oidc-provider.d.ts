/** The parts of `oidc-provider` that the tests use. The package ships no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  interface StoredToken {
    readonly aud?: string | readonly string[]
    readonly scope?: string
    readonly isExpired: boolean
  }
  export interface StoredGrant {
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }
  export default class Provider {
    constructor(issuer: string, configuration: object)
    readonly AccessToken: { find(token: string): Promise<StoredToken | undefined> }
    readonly RefreshToken: { find(token: string): Promise<StoredToken | undefined> }
    readonly Grant: new (of: {
      accountId: string
      clientId: string
    }) => StoredGrant
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    on(event: string, listener: (...values: unknown[]) => void): void
  }
}
