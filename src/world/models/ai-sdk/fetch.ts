import type { Dispatcher } from "undici"
import { connectThroughProxy, createProxyError, findProxy } from "../../../ground/proxy.ts"
import { createEmptyFailure, createNoAnswerFailure, createTooLargeFailure } from "../wire/failure.ts"
import { detectBodyKind } from "../wire/http.ts"
import { Watch } from "./watch.ts"

/**
 * A fetch for AI SDK packages that informs the request's watch. It reports each byte, an endless answer, and a page in
 * place of an answer. It follows no redirect, because a request carries a key.
 */
export function createWatchedFetch(
  maxResponseBytes: number,
  host: string,
  onHeaders: (headers: Readonly<Record<string, string>>) => void,
): typeof fetch {
  return async (input, init) => {
    const watch = Watch.current()
    const headers = new Headers(init?.headers)
    onHeaders(Object.fromEntries(headers))
    const response = await routedFetch(input, { ...init, headers, redirect: "manual" })
    watch?.noteActivity()
    if (!watch || !response.body) return response
    const type = response.headers.get("content-type") ?? ""
    if (response.ok && !detectBodyKind(type, {}, "sse")) {
      watch.giveUp(createNoAnswerFailure(host, response.status, await sizeOf(response.body), type))
      return response
    }
    let size = 0
    const countingStream = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        watch.noteActivity()
        size += chunk.byteLength
        if (size <= maxResponseBytes) controller.enqueue(chunk)
        else watch.giveUp(createTooLargeFailure(host, maxResponseBytes))
      },
      flush() {
        if (size === 0 && response.ok) watch.giveUp(createEmptyFailure(host, type))
      },
    })
    const { status, statusText, headers: responseHeaders } = response
    return new Response(response.body.pipeThrough(countingStream), {
      status,
      statusText,
      headers: responseHeaders,
    })
  }
}

/** Uses the proxy of the environment, which Node's own fetch ignores. */
async function routedFetch(input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input)
  const proxy = findProxy(url)
  if (proxy === undefined) return fetch(input, init)
  if ("problem" in proxy) throw Object.assign(new Error(proxy.problem), { code: "ERR_PROXY_REFUSED" })
  const { fetch: fetchBy } = await import("undici")
  const dispatcher = dispatchers.get(url.origin) ?? (await connectThroughProxy(proxy))
  dispatchers.set(url.origin, dispatcher)
  try {
    const options = { ...init, dispatcher } as unknown as Parameters<typeof fetchBy>[1]
    return (await fetchBy(url, options)) as unknown as Response
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw createProxyError(error, proxy)
  }
}

const dispatchers = new Map<string, Dispatcher>()

/** Counts the bytes of a page, up to a limit. */
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
