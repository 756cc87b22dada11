/** Models behind a proxy and a private CA, asked by the built command. */
import fs from "node:fs"
import http from "node:http"
import https from "node:https"
import net from "node:net"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type ModelServer, startModelServer } from "../../src/faces/testing/model-server.ts"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"

const certificate = (name: string) => path.join(import.meta.dirname, "certificates", name)

let world: CommandWorld
let models: ModelServer
let secure: https.Server
let proxy: http.Server
let seen: string[]

beforeEach(async () => {
  world = new CommandWorld()
  world.agent("worker", ["model: far:m"])
  models = await startModelServer({ script: () => ({ text: "Done." }) })
  secure = https.createServer(
    { cert: fs.readFileSync(certificate("server.pem")), key: fs.readFileSync(certificate("server-key.pem")) },
    forward,
  )
  // It knows where api.model.test is, which nobody else does.
  proxy = http.createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    forward(request, response)
  })
  proxy.on("connect", (request, socket: net.Socket) => {
    seen.push(`CONNECT ${request.url} ${request.headers["proxy-authorization"] ?? "nobody"}`)
    if (request.headers["proxy-authorization"] === undefined) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
      return
    }
    const target = net.connect(portOf(secure), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
      target.pipe(socket).pipe(target)
    })
    for (const end of [target, socket]) end.on("error", () => {})
  })
  seen = []
  await Promise.all(
    [secure, proxy].map((server) => new Promise<void>((done) => server.listen(0, "127.0.0.1", done))),
  )
})

afterEach(async () => {
  for (const server of [secure, proxy]) {
    server.closeAllConnections()
    server.close()
  }
  await models.close()
  world.remove()
})

const portOf = (server: net.Server): number => (server.address() as net.AddressInfo).port

function forward(request: http.IncomingMessage, response: http.ServerResponse): void {
  const { pathname } = new URL(request.url!, "http://api.model.test")
  const to = http.request(
    new URL(pathname, models.url),
    { method: request.method!, headers: request.headers },
    (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    },
  )
  request.pipe(to)
}

/** A provider at an address that only the proxy can find. */
function provider(scheme: "http" | "https", environment: NodeJS.ProcessEnv, more = ""): void {
  const base = `${scheme}://api.model.test${new URL(models.url).pathname}`
  world.put("config/config.yaml", `providers: { far: { baseUrl: "${base}", key: FAR_KEY${more} } }\n`)
  Object.assign(world.environment, { FAR_KEY: "key", ...environment })
}

const at = (credentials = "") => `http://${credentials}127.0.0.1:${portOf(proxy)}`
const trusted = { NODE_EXTRA_CA_CERTS: certificate("ca.pem") }
const basic = `Basic ${Buffer.from("me:s3cret").toString("base64")}`

test.each([
  ["our own client", ""],
  ["a package of the AI SDK", ', protocol: ai-sdk, package: "@ai-sdk/openai"'],
])("an https model is asked through the proxy, by %s", async (_, more) => {
  provider("https", { ...trusted, HTTPS_PROXY: at("me:s3cret@") }, more)
  const { code, result } = await world.json("run", "worker", "Go.")
  expect([code, result.output, seen]).toEqual([0, "Done.", [`CONNECT api.model.test:443 ${basic}`]])
})

test("an http model is asked through the proxy without a tunnel", async () => {
  provider("http", { http_proxy: at() })
  const { code, result } = await world.json("run", "worker", "Go.")
  const base = new URL(models.url).pathname.replace(/\/$/, "")
  expect([code, result.output, seen]).toEqual([
    0,
    "Done.",
    [`POST http://api.model.test${base}/chat/completions`],
  ])
})

test("a proxy that refuses is an error that names it, without its password, and is not asked again", async () => {
  provider("https", { ...trusted, HTTPS_PROXY: at() })
  const { code, result } = await world.json("run", "worker", "Go.")
  expect([code, result.outcome, seen]).toEqual([
    1,
    {
      type: "failed",
      reason: naming(
        "api.model.test",
        `the proxy ${at()} (HTTPS_PROXY)`,
        "answered 407",
        "http://USER:PASSWORD@HOST:PORT",
      ),
    },
    ["CONNECT api.model.test:443 nobody"],
  ])
})

test("a password that cannot be decoded is told with its variable, and never shown", async () => {
  provider("https", { HTTPS_PROXY: `http://me:hush100%@127.0.0.1:${portOf(proxy)}` })
  const { stdout, stderr } = await world.cadre("run", "worker", "Go.")
  expect(stdout + stderr).toMatch(/HTTPS_PROXY has a password with a "%".* Write the "%" as "%25"/)
  expect(stdout + stderr).not.toContain("hush")
  expect(seen).toEqual([])
})

test.each<[string, () => NodeJS.ProcessEnv, RegExp, readonly string[]]>([
  [
    "it answers",
    () => ({ ...trusted, HTTPS_PROXY: at("me:s3cret@") }),
    /yes/,
    [`CONNECT api.model.test:443 ${basic}`],
  ],
  [
    "a proxy that is down is named",
    () => ({ HTTPS_PROXY: "http://me:s3cret@127.0.0.1:1" }),
    /through the proxy http:\/\/127\.0\.0\.1:1 \(HTTPS_PROXY\): .*ECONNREFUSED/,
    [],
  ],
  [
    "what NO_PROXY lists is asked directly",
    () => ({ HTTPS_PROXY: at(), NO_PROXY: "x.test, .model.test" }),
    /ENOTFOUND|EAI_AGAIN/,
    [],
  ],
  [
    "a certificate of a CA that nobody named is refused",
    () => ({ HTTPS_PROXY: at("me:s3cret@") }),
    /through the proxy .*certificate/,
    [`CONNECT api.model.test:443 ${basic}`],
  ],
  [
    "an address that is none is said",
    () => ({ HTTPS_PROXY: "socks5://me:s3cret@h" }),
    /HTTPS_PROXY is not .*address of a proxy/,
    [],
  ],
])("cadre models: %s", async (_, environment, said, requests) => {
  provider("https", environment())
  const { stdout } = await world.cadre("models", "far")
  expect(stdout).toMatch(said)
  expect([stdout.includes("s3cret"), seen]).toEqual([false, requests])
})
