import type { FetchLike } from "@modelcontextprotocol/client"
import { connectThroughProxy, findProxy, type NamedProxy } from "../../ground/proxy.ts"
import { boundBody } from "./bounded-body.ts"
import { ServerFailure } from "./failure.ts"

/**
 * Returns a fetch that uses the proxy of the environment, follows no redirect and refuses messages that are too long.
 * `exceeded` is called with the reason when one is.
 */
export async function createServerFetch(
  maxBytes: number,
  exceeded: (why: string) => void = () => {},
): Promise<FetchLike> {
  const { fetch } = await import("undici")
  const dispatchers = new Map<string, ReturnType<typeof connectThroughProxy>>()
  const through = (proxy: NamedProxy) => {
    const dispatcher = dispatchers.get(proxy.url.href) ?? connectThroughProxy(proxy)
    dispatchers.set(proxy.url.href, dispatcher)
    return dispatcher
  }
  return async (address, init) => {
    const proxy = findProxy(address)
    if (proxy && "problem" in proxy) throw new ServerFailure("refused", proxy.problem)
    const dispatcher = proxy && (await through(proxy))
    const request = { ...init, redirect: "error" as const, ...(dispatcher && { dispatcher }) }
    const response = await fetch(address, request as Parameters<typeof fetch>[1])
    const body = boundBody(response.body, response.headers.get("content-type") ?? "", maxBytes, () =>
      exceeded(`it sent a message that is larger than the limit of ${maxBytes} bytes`),
    )
    const { status, statusText, headers } = response
    // The package reads only these parts of a response.
    return new Response(body as ReadableStream | null, { status, statusText, headers: [...headers] })
  }
}
