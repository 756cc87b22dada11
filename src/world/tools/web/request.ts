import type { LookupFunction } from "node:net"
import type { Readable } from "node:stream"
import type { Dispatcher } from "undici"
import { messageOf } from "../../../ground/errors.ts"
import { Refusal } from "../../../ground/paths/refusal.ts"
import { proxyError, proxyFor, throughProxy } from "../../../ground/proxy.ts"
import { isPublic } from "./address.ts"

export interface PageRequest {
  readonly url: URL
  /** `any`: the user has granted this host, also where it is private. */
  readonly addresses: "public" | "any"
  readonly signal: AbortSignal
  readonly mostBytes: number
  /** How names become addresses; default: the system's way. */
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

/** Asks for a page. The address that is connected to is the one that was checked. Throws a Refusal. */
export async function requestPage(request: PageRequest): Promise<Page> {
  const undici = await import("undici")
  const proxy = proxyFor(request.url)
  if (proxy && "problem" in proxy) throw new Refusal(`${proxy.problem} Tell the user.`)
  const times = { headersTimeout: timeOfSilence, bodyTimeout: timeOfSilence }
  if (proxy) await refusePrivate(request)
  const agent = proxy
    ? await throughProxy(proxy, times)
    : new undici.Agent({ connect: await connector(request), ...times, pipelining: 0 })
  try {
    const answer = await undici.request(request.url, { dispatcher: agent, signal: request.signal, headers })
    return await readPage(answer, request)
  } catch (error) {
    throw explained(proxy ? proxyError(error, proxy) : error, request)
  } finally {
    // Whatever is left of the body is not waited for.
    void agent.destroy().catch(() => {})
  }
}

const headers = {
  "user-agent": "cadre",
  accept: "text/html, text/markdown, text/plain, application/json, */*;q=0.5",
  "accept-encoding": "gzip, deflate, br",
}

/** A proxy connects by itself, so the name is looked up here first. One that only the proxy can find is its to judge. */
async function refusePrivate({ url, addresses, lookup: given }: PageRequest): Promise<void> {
  if (addresses === "any") return
  const dns = await import("node:dns")
  const resolve: LookupFunction = given ?? dns.lookup
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const found = await new Promise<readonly string[]>((done) =>
    resolve(host, { all: true }, (error, list) =>
      done(error ? [] : [list].flat().map((one) => (typeof one === "string" ? one : one.address))),
    ),
  )
  const verdicts = await Promise.all(found.map((address) => isPublic(address)))
  if (verdicts.includes(false))
    throw new Refusal(`${host} has an address in a private network. Give a public page.`)
}

async function connector({ addresses, lookup: given }: PageRequest) {
  const { buildConnector } = await import("undici")
  const dns = await import("node:dns")
  const resolve: LookupFunction = given ?? dns.lookup
  const lookup: LookupFunction = (host, options, callback) =>
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, "")
      const all = Array.isArray(found) ? found : [{ address: found, family: 4 }]
      // One private address among them is enough: which one is taken is up to the network.
      const judge = async () => {
        const verdicts = await Promise.all(all.map(({ address }) => addresses === "any" || isPublic(address)))
        if (all.length === 0 || verdicts.includes(false))
          callback(new Refusal(`${host} has an address in a private network. Give a public page.`), "")
        else if (options.all) callback(null, all)
        else callback(null, all[0]!.address, all[0]!.family)
      }
      void judge()
    })
  const connect = buildConnector({ lookup, timeout: timeToConnect, allowH2: false })
  const checked: typeof connect = (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result
      if (error || addresses === "any") return callback(...result)
      void isPublic(socket!.remoteAddress ?? "").then((isFine) => {
        if (isFine) return callback(null, socket!)
        socket!.destroy()
        callback(new Refusal("The connection led into a private network. Give a public page."), null)
      })
    })
  return checked
}

async function readPage(answer: Dispatcher.ResponseData, { mostBytes, signal }: PageRequest): Promise<Page> {
  const one = (name: string) => [answer.headers[name] ?? ""].flat()[0] ?? ""
  const location = one("location")
  const head = { status: answer.statusCode, contentType: one("content-type") }
  if (head.status >= 300 && head.status < 400 && location !== "")
    return { ...head, location, body: Buffer.alloc(0), cut: false }
  const stream = await decoded(answer.body, one("content-encoding"))
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
    // Destroying it aborts the request, which is then an error of the body.
    answer.body.on("error", () => {})
    answer.body.destroy()
  }
  return { ...head, body: Buffer.concat(chunks), cut: size > mostBytes }
}

/** Unpacked piece by piece, so that what grows without end is noticed. */
async function decoded(body: Readable, encoding: string): Promise<Readable> {
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
    throw new Refusal(`The page comes packed as ${encoding.slice(0, 40)}, which is not known.`)
  const make = unpack[name as keyof typeof unpack]
  if (!make) return body
  const { pipeline } = await import("node:stream")
  return pipeline(body, make(), () => {})
}

function explained(error: unknown, { url, signal }: PageRequest): unknown {
  if (signal.aborted) return error
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof Refusal) return cause
  return new Refusal(`${url.host} could not be read: ${messageOf(error)}. Try again later, or another page.`)
}
