import { isMap, type Json } from "../../../ground/message.ts"
import { isLoopback, parseHttpUrl } from "../../models/address.ts"
import { ServerFailure } from "../failure.ts"

/** Throws if an address of an authorisation server is neither https nor http on this machine. The address is shown. */
export function requireSafeAddress(what: string, address: string): void {
  const url = parseHttpUrl(address)
  if (url && (url.protocol === "https:" || isLoopback(address))) return
  throw new ServerFailure(
    "refused",
    `its ${what} is ${JSON.stringify(address.slice(0, 500))}, which is neither an https address nor an http address of this machine. It was not opened, and nothing was sent there`,
  )
}

/**
 * Checks the addresses in the description of an authorisation server, before anything is done with them. The package
 * checks only some, and its error does not show the address.
 */
export function requireSafeDescription(description: Json): void {
  if (!isMap(description)) return
  for (const [key, value] of Object.entries(description))
    if (typeof value === "string" && (key.endsWith("_endpoint") || key === "issuer"))
      requireSafeAddress(`\`${key}\``, value)
  const { authorization_servers: servers } = description
  if (Array.isArray(servers))
    for (const server of servers)
      if (typeof server === "string") requireSafeAddress("authorisation server", server)
}

/** True for two addresses of the same server. */
export const isSameServer = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && withoutFragment(one) === withoutFragment(other)

function withoutFragment(address: string): string {
  const url = new URL(address)
  url.hash = ""
  return url.href
}
