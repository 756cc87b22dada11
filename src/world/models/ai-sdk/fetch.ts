import type { Dispatcher } from "undici"
import { proxyError, proxyFor, throughProxy } from "../../../ground/proxy.ts"
import { emptyFailure, noAnswerFailure, tooLargeFailure } from "../wire/failure.ts"
import { bodyKind } from "../wire/http.ts"
import { Watch } from "./watch.ts"

/**
 * A fetch for AI SDK packages that tells the request's watch what only the connection knows: every byte that
 * came, an answer without an end, and a page where an answer should be. It follows no redirect, because a request
 * carries a key.
 */
export function watchedFetch(
  maxResponseBytes: number,
  host: string,
  onHeaders: (headers: Readonly<Record<string, string>>) => void,
): typeof fetch {
  return async (input, init) => {
    const watch = Watch.current()
    const headers = new Headers(init?.headers)
    onHeaders(Object.fromEntries(headers))
    const response = await routedFetch(input, { ...init, headers, redirect: "manual" })
    watch?.heard()
    if (!watch || !response.body) return response
    const type = response.headers.get("content-type") ?? ""
    if (response.ok && !bodyKind(type, {}, "sse")) {
      watch.giveUp(noAnswerFailure(host, response.status, await sizeOf(response.body), type))
      return response
    }
    let size = 0
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        watch.heard()
        size += chunk.byteLength
        if (size <= maxResponseBytes) controller.enqueue(chunk)
        else watch.giveUp(tooLargeFailure(host, maxResponseBytes))
      },
      flush() {
        if (size === 0 && response.ok) watch.giveUp(emptyFailure(host, type))
      },
    })
    const { status, statusText, headers: received } = response
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers: received })
  }
}

/** Through the proxy that the environment names, which Node's own fetch does not ask. */
async function routedFetch(input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input)
  const proxy = proxyFor(url)
  if (proxy === undefined) return fetch(input, init)
  if ("problem" in proxy) throw Object.assign(new Error(proxy.problem), { code: "ERR_PROXY_REFUSED" })
  const { fetch: fetchBy } = await import("undici")
  const dispatcher = dispatchers.get(url.origin) ?? (await throughProxy(proxy))
  dispatchers.set(url.origin, dispatcher)
  try {
    const options = { ...init, dispatcher } as unknown as Parameters<typeof fetchBy>[1]
    return (await fetchBy(url, options)) as unknown as Response
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw proxyError(error, proxy)
  }
}

const dispatchers = new Map<string, Dispatcher>()

/** How much a page has, as far as it is worth counting. */
async function sizeOf(body: ReadableStream<Uint8Array>): Promise<number | string> {
  const reader = body.getReader()
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return size
    size += value.byteLength
    if (size <= longestPage) continue
    reader.cancel().catch(() => {})
    return `${size} or more`
  }
}

const longestPage = 64 * 1024
