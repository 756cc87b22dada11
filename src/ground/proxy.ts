import type { Dispatcher, Pool } from "undici"

/** A proxy that the environment names for an address. */
export interface NamedProxy {
  /** With its user name and password, if it has them: never shown. */
  readonly url: URL
  /** The proxy as it may be shown, with the variable that names it. */
  readonly shown: string
}

/** The problem with the variable that names a proxy. */
export interface ProxyProblem {
  readonly problem: string
}

/**
 * The proxy for an address: `https_proxy`, `http_proxy` or `all_proxy`, each also in capital letters. This
 * machine, and the hosts in `no_proxy`, are reached directly.
 */
export function findProxy(
  address: string | URL,
  environment: NodeJS.ProcessEnv = process.env,
): NamedProxy | ProxyProblem | undefined {
  const url = new URL(address)
  if (isThisMachine(url.hostname)) return undefined
  const scheme = url.protocol.slice(0, -1)
  const variable = [`${scheme}_proxy`, "all_proxy"]
    .flatMap((name) => [name, name.toUpperCase()])
    .find((name) => (environment[name] ?? "").trim() !== "")
  if (variable === undefined || isExempt(url, environment.no_proxy ?? environment.NO_PROXY ?? ""))
    return undefined
  const text = environment[variable]!.trim()
  const proxy = text.includes("://") ? text : `http://${text}`
  // The value is not shown, because it may contain a password.
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol) || new URL(proxy).hostname === "")
    return {
      problem: `${variable} is not the http or https address of a proxy, so ${url.host} cannot be reached. Correct it, or list ${url.hostname} in NO_PROXY.`,
    }
  const { username, password } = new URL(proxy)
  const wrong =
    decode(username) === undefined ? "user name" : decode(password) === undefined ? "password" : undefined
  if (wrong !== undefined)
    return {
      problem: `${variable} has a ${wrong} with a "%" that does not begin an encoded character, so ${url.host} cannot be reached through the proxy ${new URL(proxy).origin}. Write the "%" as "%25", and every other special character of the ${wrong} as "%" and two hexadecimal digits ("@" as "%40", ":" as "%3A").`,
    }
  return { url: new URL(proxy), shown: `${new URL(proxy).origin} (${variable})` }
}

/** The result is returned: a bundler would drop a call whose value is unused. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Connections through a proxy: a tunnel to https addresses, and plain requests for http ones. */
export async function connectThroughProxy(
  { url }: NamedProxy,
  options: Pool.Options = {},
): Promise<Dispatcher> {
  const { Pool, ProxyAgent } = await import("undici")
  const { username, password, origin } = url
  const credentials = `${decode(username)}:${decode(password)}`
  return new ProxyAgent({
    ...options,
    uri: origin,
    proxyTunnel: false,
    ...(username !== "" && { token: `Basic ${Buffer.from(credentials).toString("base64")}` }),
    factory: (to, factoryOptions) =>
      new Pool(to, endingFailedTunnels({ ...(factoryOptions as Pool.Options), ...options })),
  })
}

/**
 * If a proxy hangs up on `CONNECT`, undici treats that as a broken connection of its own. It does not report
 * it and tries again immediately, forever. With another error code the failure reaches the caller.
 */
function endingFailedTunnels(options: Pool.Options): Pool.Options {
  const { connect } = options
  if (typeof connect !== "function") return options
  return {
    ...options,
    connect: (to, done) =>
      connect(to, (...[error, socket]) => {
        if (error === null) return done(null, socket)
        const isOwn = (error as { code?: unknown }).code === "UND_ERR_SOCKET"
        done(isOwn ? hungUp() : error, null)
      }),
  }
}

const hungUp = (): Error => Object.assign(new Error("it closed the connection"), { code: "ECONNRESET" })

/** An error on the way through a proxy, with the proxy's name. `ERR_PROXY_REFUSED`: a retry is of no use. */
export function createProxyError(thrown: unknown, { shown }: NamedProxy): Error {
  const cause = thrown as { code?: unknown; message?: unknown; cause?: { code?: unknown; message?: unknown } }
  const inner = cause?.cause?.message === undefined ? cause : cause.cause
  const text = String(inner?.message || thrown)
  const [status] = /\b[45]\d\d\b/.exec(/^Proxy /.test(text) ? text : "") ?? []
  const isRefused = status !== undefined && status < "500"
  const words =
    status === undefined ? text : `it answered ${status}${isRefused ? (refusals[status] ?? "") : ""}`
  const code = isRefused ? "ERR_PROXY_REFUSED" : typeof inner?.code === "string" ? inner.code : undefined
  const error = new Error(`through the proxy ${shown}: ${words}`, { cause: thrown })
  return Object.assign(error, code !== undefined && { code })
}

const refusals: Readonly<Record<string, string>> = {
  "403": ", so it does not allow this address",
  "407": ", so it requires a user name and a password: http://USER:PASSWORD@HOST:PORT",
}

const isThisMachine = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host)

/**
 * A name, with or without a leading dot or `*.`, also covers its subdomains; a port must match; `*` is
 * everything.
 */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const usedPort = port || (protocol === "https:" ? "443" : "80")
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      const [, name = entry, onlyPort] = /^(.+?):(\d+)$/.exec(entry) ?? []
      if (onlyPort !== undefined && onlyPort !== usedPort) return false
      const plain = name.replace(/^\*?\./, "")
      return name === "*" || hostname === plain || hostname.endsWith(`.${plain}`)
    })
}
