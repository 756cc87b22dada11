import net from "node:net"
import { expect, test } from "vitest"
import { naming } from "../../test/naming.ts"
import { connectThroughProxy, createProxyError, findProxy, type NamedProxy } from "./proxy.ts"

const via = (shown: string) => expect.objectContaining({ shown })

test.each<[string, string, NodeJS.ProcessEnv, unknown]>([
  ["nothing is set", "https://api.x.ai", {}, undefined],
  ["blank", "https://api.x.ai", { HTTPS_PROXY: "  " }, undefined],
  ["https", "https://api.x.ai", { HTTPS_PROXY: "http://p:3128" }, via("http://p:3128 (HTTPS_PROXY)")],
  ["https is not http", "http://api.x.ai", { HTTPS_PROXY: "http://p:3128" }, undefined],
  ["http", "http://api.x.ai", { HTTP_PROXY: "http://p:3128" }, via("http://p:3128 (HTTP_PROXY)")],
  [
    "small letters win",
    "https://api.x.ai",
    { https_proxy: "http://a", HTTPS_PROXY: "http://b" },
    via("http://a (https_proxy)"),
  ],
  ["all", "https://api.x.ai", { ALL_PROXY: "http://p" }, via("http://p (ALL_PROXY)")],
  ["without a scheme", "https://api.x.ai", { HTTPS_PROXY: "p:3128" }, via("http://p:3128 (HTTPS_PROXY)")],
  [
    "credentials are not shown",
    "https://api.x.ai",
    { HTTPS_PROXY: "https://me:secret@p:3128" },
    via("https://p:3128 (HTTPS_PROXY)"),
  ],
  [
    "no address",
    "https://api.x.ai",
    { HTTPS_PROXY: "socks5://p" },
    {
      problem: expect.stringMatching(/^HTTPS_PROXY.*proxy.*api\.x\.ai.*api\.x\.ai/),
    },
  ],
  ...["user name", "password"].map((part): [string, string, NodeJS.ProcessEnv, unknown] => [
    `a ${part} that cannot be decoded`,
    "https://api.x.ai",
    { https_proxy: part === "password" ? "http://me:100%@p:3128" : "http://m%zz:x@p:3128" },
    {
      problem: naming("https_proxy", `${part}`, "api.x.ai", "http://p:3128", "special", `${part}`),
    },
  ]),
  ["this machine", "http://localhost:11434", { HTTP_PROXY: "http://p" }, undefined],
  ["this machine by its number", "http://127.0.0.1:11434", { HTTP_PROXY: "http://p" }, undefined],
  ["this machine by its longer number", "http://[::1]:11434", { HTTP_PROXY: "http://p" }, undefined],
])("%s", (_, address, environment, expected) => {
  expect(findProxy(address, environment)).toEqual(expected)
})

test.each([
  ["*", "https://api.x.ai", "direct"],
  ["x.ai", "https://api.x.ai", "direct"],
  [".x.ai", "https://api.x.ai", "direct"],
  ["*.x.ai", "https://api.x.ai", "direct"],
  ["X.AI", "https://api.x.ai", "direct"],
  ["a.test other.test,api.x.ai", "https://api.x.ai", "direct"],
  ["api.x.ai:443", "https://api.x.ai", "direct"],
  ["api.x.ai:8443", "https://api.x.ai", "proxy"],
  ["10.0.0.7", "https://10.0.0.7", "direct"],
  ["i", "https://api.x.ai", "proxy"],
  ["pi.x.ai", "https://api.x.ai", "proxy"],
  ["", "https://api.x.ai", "proxy"],
])("NO_PROXY=%j: %s is asked %s", (list, address, expected) => {
  const proxy = findProxy(address, { HTTPS_PROXY: "http://p", NO_PROXY: list })
  expect(proxy ? "proxy" : "direct").toBe(expected)
})

test.each([
  ["Proxy response (407) !== 200 when HTTP Tunneling", "ERR_PROXY_REFUSED"],
  ["Proxy response (403) !== 200 when HTTP Tunneling", "ERR_PROXY_REFUSED"],
  ["Proxy response (502) !== 200 when HTTP Tunneling", "UND_ERR_ABORTED"],
  ["read ECONNRESET 443", "UND_ERR_ABORTED"],
])("asking again is of no use only where the proxy refuses: %s", (message, code) => {
  const thrown = Object.assign(new Error(message), { code: "UND_ERR_ABORTED" })
  const proxy = findProxy("https://api.x.ai", { HTTPS_PROXY: "http://p" }) as Parameters<
    typeof createProxyError
  >[1]
  expect(createProxyError(thrown, proxy)).toMatchObject({
    code,
    message: expect.stringMatching(/^through the proxy http:\/\/p \(HTTPS_PROXY\): /),
  })
})

test("a proxy that hangs up on a tunnel fails the request, and is not asked again by itself", async () => {
  const asked: string[] = []
  const server = net.createServer((socket) =>
    socket.on("data", (bytes) => {
      asked.push(bytes.toString().split("\r\n")[0]!)
      socket.destroy()
    }),
  )
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as net.AddressInfo
  const proxy = findProxy("https://api.x.ai", { HTTPS_PROXY: `http://127.0.0.1:${port}` }) as NamedProxy
  const dispatcher = await connectThroughProxy(proxy)
  const thrown = await dispatcher
    .request({ origin: "https://api.x.ai", path: "/", method: "GET" })
    .then(String, (error: unknown) => createProxyError(error, proxy))
  expect(thrown).toMatchObject({
    code: "ECONNRESET",
    message: `through the proxy http://127.0.0.1:${port} (HTTPS_PROXY): it closed the connection`,
  })
  expect(asked).toEqual(["CONNECT api.x.ai:443 HTTP/1.1"])
  await dispatcher.destroy()
  server.close()
})
