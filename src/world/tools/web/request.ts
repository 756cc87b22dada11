import type { LookupFunction } from "node:net"
import type { Readable } from "node:stream"
import type { Dispatcher } from "undici"
import { describeThrown } from "../../../ground/errors.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { connectThroughProxy, createProxyError, findProxy } from "../../../ground/proxy.ts"
import { isPublic } from "./address.ts"

export interface PageRequest {
  readonly url: URL
  /** `any`: the user has granted this host, even if it is private. */
  readonly addresses: "public" | "any"
  readonly signal: AbortSignal
  readonly mostBytes: number
  /** The function that turns names into addresses; default: the system's. */
  readonly lookup?: LookupFunction
}

export interface Page {
  readonly status: number
  readonly location?: string
  readonly contentType: string
  readonly body: Buffer
  readonly cut: boolean
}

const timeToConnect = 10_000
const timeOfSilence = 15_000

/** Requests a page. The connection goes to the very address that was checked. Throws a Refusal. */
export async function requestPage(request: PageRequest): Promise<Page> {
  const undici = await import("undici")
  const proxy = findProxy(request.url)
  if (proxy && "problem" in proxy) throw new PathRefusal(`${proxy.problem} Tell the user.`)
  const times = { headersTimeout: timeOfSilence, bodyTimeout: timeOfSilence }
  if (proxy) await refusePrivate(request)
  const agent = proxy
    ? await connectThroughProxy(proxy, times)
    : new undici.Agent({ connect: await connector(request), ...times, pipelining: 0 })
  try {
    const answer = await undici.request(request.url, { dispatcher: agent, signal: request.signal, headers })
    return await readPage(answer, request)
  } catch (error) {
    throw explainError(proxy ? createProxyError(error, proxy) : error, request)
  } finally {
    // The rest of the body is not waited for.
    void agent.destroy().catch(() => {})
  }
}

const headers = {
  "user-agent": "cadre",
  accept: "text/html, text/markdown, text/plain, application/json, */*;q=0.5",
  "accept-encoding": "gzip, deflate, br",
}

/**
 * A proxy connects by itself, so the name is looked up here first. A name that only the proxy can find is
 * left to the proxy.
 */
async function refusePrivate({ url, addresses, lookup: customLookup }: PageRequest): Promise<void> {
  if (addresses === "any") return
  const dns = await import("node:dns")
  const resolve: LookupFunction = customLookup ?? dns.lookup
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const allAddresses = await new Promise<readonly string[]>((done) =>
    resolve(host, { all: true }, (error, list) =>
      done(error ? [] : [list].flat().map((one) => (typeof one === "string" ? one : one.address))),
    ),
  )
  const verdicts = await Promise.all(allAddresses.map((address) => isPublic(address)))
  if (verdicts.includes(false))
    throw new PathRefusal(`${host} has an address in a private network. Give a public page.`)
}

async function connector({ addresses, lookup: customLookup }: PageRequest) {
  const { buildConnector } = await import("undici")
  const dns = await import("node:dns")
  const resolve: LookupFunction = customLookup ?? dns.lookup
  const lookup: LookupFunction = (host, options, callback) =>
    resolve(host, { ...options, all: true }, (error, result) => {
      if (error) return callback(error, "")
      const all = Array.isArray(result) ? result : [{ address: result, family: 4 }]
      // One private address among them is enough for a refusal: the network decides which one is taken.
      const judge = async () => {
        const verdicts = await Promise.all(all.map(({ address }) => addresses === "any" || isPublic(address)))
        if (all.length === 0 || verdicts.includes(false))
          callback(new PathRefusal(`${host} has an address in a private network. Give a public page.`), "")
        else if (options.all) callback(null, all)
        else callback(null, all[0]!.address, all[0]!.family)
      }
      void judge()
    })
  const connect = buildConnector({ lookup, timeout: timeToConnect, allowH2: false })
  const checkedConnect: typeof connect = (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result
      if (error || addresses === "any") return callback(...result)
      void isPublic(socket!.remoteAddress ?? "").then((isFine) => {
        if (isFine) return callback(null, socket!)
        socket!.destroy()
        callback(new PathRefusal("The connection led into a private network. Give a public page."), null)
      })
    })
  return checkedConnect
}

async function readPage(answer: Dispatcher.ResponseData, { mostBytes, signal }: PageRequest): Promise<Page> {
  const one = (name: string) => [answer.headers[name] ?? ""].flat()[0] ?? ""
  const location = one("location")
  const head = { status: answer.statusCode, contentType: one("content-type") }
  if (head.status >= 300 && head.status < 400 && location !== "")
    return { ...head, location, body: Buffer.alloc(0), cut: false }
  const stream = await decodeBody(answer.body, one("content-encoding"))
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      chunks.push(chunk.subarray(0, mostBytes - size))
      size += chunk.length
      if (size > mostBytes) break
    }
  } finally {
    stream.destroy()
    // Destroying the stream aborts the request, which is then an error of the body.
    answer.body.on("error", () => {})
    answer.body.destroy()
  }
  return { ...head, body: Buffer.concat(chunks), cut: size > mostBytes }
}

/** Unpacks piece by piece, so that a body that grows without end is noticed. */
async function decodeBody(body: Readable, encoding: string): Promise<Readable> {
  const zlib = await import("node:zlib")
  const unpack = {
    "": undefined,
    identity: undefined,
    gzip: () => zlib.createGunzip(),
    "x-gzip": () => zlib.createGunzip(),
    deflate: () => zlib.createInflate(),
    br: () => zlib.createBrotliDecompress(),
  }
  const name = encoding.trim().toLowerCase()
  if (!Object.hasOwn(unpack, name))
    throw new PathRefusal(`The page is compressed as ${encoding.slice(0, 40)}, which is not supported.`)
  const make = unpack[name as keyof typeof unpack]
  if (!make) return body
  const { pipeline } = await import("node:stream")
  return pipeline(body, make(), () => {})
}

function explainError(error: unknown, { url, signal }: PageRequest): unknown {
  if (signal.aborted) return error
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof PathRefusal) return cause
  return new PathRefusal(
    `${url.host} could not be read: ${describeThrown(error)}. Try again later, or another page.`,
  )
}
