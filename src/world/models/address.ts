/** Parses an address: http or https, without a user name or password. Undefined: it is not one. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
  return url.username === "" && url.password === "" && url.hostname !== "" ? url : undefined
}

/** True if the address is this machine, so that requests do not leave it. */
export function isLoopback(address: string): boolean {
  const host = parseHttpUrl(address)?.hostname
  if (host === undefined) return false
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** The scheme, host and port of an address. */
export const parseOrigin = (address: string): string | undefined => parseHttpUrl(address)?.origin

/** Shortens an address for messages: without the query, which may contain a key. */
export function displayAddress(address: string): string {
  const url = parseHttpUrl(address)
  return url === undefined ? "(not an http address)" : url.origin + url.pathname.replace(/\/+$/, "")
}

/**
 * Turns a value of `OLLAMA_HOST` into an address. It may lack a scheme and a port; `0.0.0.0` means that the server
 * listens everywhere.
 */
export function readOllamaAddress(host: string): string {
  const text = host.trim()
  const withScheme = /^https?:\/\//.test(text) ? text : `http://${text.replace(/^:/, "127.0.0.1:")}`
  const url = parseHttpUrl(withScheme)
  if (url === undefined) return text
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1"
  // A URL drops the default port of its scheme, so the text is checked.
  const hasPort = /:\d+\/?$/.test(withScheme.replace(/^https?:\/\/\[[^\]]*\]/, "")) || url.port !== ""
  if (!hasPort && !/^https?:\/\//.test(text)) url.port = "11434"
  const path = url.pathname.replace(/\/+$/, "")
  return `${url.origin}${path === "" ? "/v1" : path}`
}

/**
 * True for OpenAI's own hosts, including regional ones such as `eu.api.openai.com`
 * (developers.openai.com/api/docs/guides/data-residency).
 */
export const isOpenAiHost = (host: string | undefined): boolean =>
  /^(?:[a-z]+\.)?api\.openai\.com$/.test(host ?? "")
