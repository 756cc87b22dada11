/** The address as a URL: http or https, and nobody's name or password in it. Undefined: it is none. */
export function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
  return url.username === "" && url.password === "" && url.hostname !== "" ? url : undefined
}

/** Whether it is this machine, so that nothing sent there leaves it. */
export function isLoopback(address: string): boolean {
  const host = httpUrl(address)?.hostname
  if (host === undefined) return false
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** Scheme, host and port. */
export const originOf = (address: string): string | undefined => httpUrl(address)?.origin

/** An address as it may be shown: without the query, in which some servers want a key. */
export function shownAddress(address: string): string {
  const url = httpUrl(address)
  return url === undefined ? "(not an http address)" : url.origin + url.pathname.replace(/\/+$/, "")
}

/** What `OLLAMA_HOST` means: with or without a scheme and a port, and `0.0.0.0` for a server that hears everywhere. */
export function ollamaAddress(host: string): string {
  const text = host.trim()
  const withScheme = /^https?:\/\//.test(text) ? text : `http://${text.replace(/^:/, "127.0.0.1:")}`
  const url = httpUrl(withScheme)
  if (url === undefined) return text
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1"
  // A URL does not keep a port that is its scheme's own, so the text is asked.
  const hasPort = /:\d+\/?$/.test(withScheme.replace(/^https?:\/\/\[[^\]]*\]/, "")) || url.port !== ""
  if (!hasPort && !/^https?:\/\//.test(text)) url.port = "11434"
  const path = url.pathname.replace(/\/+$/, "")
  return `${url.origin}${path === "" ? "/v1" : path}`
}

/** OpenAI's own, also in a region, such as `eu.api.openai.com` (developers.openai.com/api/docs/guides/data-residency). */
export const isOpenAiHost = (host: string | undefined): boolean =>
  /^(?:[a-z]+\.)?api\.openai\.com$/.test(host ?? "")
