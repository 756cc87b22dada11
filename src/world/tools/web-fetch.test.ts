import http from "node:http"
import type { AddressInfo, LookupFunction } from "node:net"
import zlib from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { testRun } from "../../../test/file-kit.ts"
import { naming } from "../../../test/naming.ts"
import { processorTime } from "../../../test/processor-time.ts"
import { isPublic } from "./web/address.ts"
import { convertHtmlToText } from "./web/html-text.ts"
import { createWebFetchTool, type WebFetchOptions } from "./web-fetch.ts"

let origin = ""
let port = 0
const asked: string[] = []
const server = http.createServer((request, response) => {
  asked.push(`${request.headers.host} ${request.url}`)
  const answer = answers[new URL(request.url!, "http://x").pathname]
  if (answer) answer(response, request)
  else response.writeHead(404, { "content-type": "text/plain" }).end("nothing here")
})
type Respond = (response: http.ServerResponse, request: http.IncomingMessage) => void
const typed =
  (type: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Respond =>
  (response) =>
    response.writeHead(200, { "content-type": type, ...headers }).end(body)
const redirect =
  (to: string): Respond =>
  (response) =>
    response.writeHead(302, { location: to }).end()

const answers: Readonly<Record<string, Respond>> = {
  "/text": typed("text/plain; charset=utf-8", "hello \u00fc"),
  "/latin": typed("text/plain; charset=iso-8859-1", Buffer.from([0x68, 0xfc])),
  "/meta": typed("text/html", Buffer.from('<meta charset="koi8-r"><p>\xc1\xc2</p>', "latin1")),
  "/json": typed("application/json", '{"a":1}'),
  "/html": typed("text/html", "<title>T</title><h1>Head</h1><p>A <a href='/x'>link</a> &amp; more</p>"),
  "/picture": typed("image/png", Buffer.from([0x89, 0x50])),
  "/gzip": typed("text/plain", zlib.gzipSync("packed"), { "content-encoding": "gzip" }),
  "/brotli": typed("text/plain", zlib.brotliCompressSync("packed"), { "content-encoding": "br" }),
  "/odd": typed("text/plain", "x", { "content-encoding": "zip" }),
  "/broken": typed("text/plain", "no gzip", { "content-encoding": "gzip" }),
  "/bomb": typed("text/plain", zlib.gzipSync(Buffer.alloc(200 * 1024 * 1024)), {
    "content-encoding": "gzip",
  }),
  "/endless": (response) => {
    response.writeHead(200, { "content-type": "text/plain" })
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    }
    response.on("drain", more)
    more()
  },
  "/slow": (response) => {
    response.writeHead(200, { "content-type": "text/plain" })
    response.write("begin")
  },
  "/again": redirect("/text"),
  "/loop": redirect("/loop"),
  "/away": redirect("http://169.254.169.254/latest/meta-data"),
  "/other": redirect("https://example.com/page"),
  "/file": redirect("file:///etc/passwd"),
  "/user": redirect("http://user@127.0.0.1/"),
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  port = (server.address() as AddressInfo).port
  origin = `http://127.0.0.1:${port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const fetching = (options: WebFetchOptions) => {
  const run = testRun([createWebFetchTool(options)], "/")
  return {
    fetch: (url: string, context: object = {}) => run.call("WebFetch", { url }, context),
    accesses: (url: string) => run.accesses("WebFetch", { url }),
  }
}
const granted = fetching({ hosts: ["127.0.0.1"] })
const plain = fetching({})
const failing = (text: RegExp) => ({ text: expect.stringMatching(text), isError: true })

describe("a page of a host that was granted", () => {
  test.each([
    ["/text", "text/plain", "hello \u00fc"],
    ["/latin", "text/plain", "h\u00fc"],
    ["/meta", "text/html", "аб"],
    ["/json", "application/json", '{"a":1}'],
    ["/html", "text/html", "T\n\n# Head\n\nA [link](/x) & more"],
    ["/gzip", "text/plain", "packed"],
    ["/brotli", "text/plain", "packed"],
  ])("%s", async (name, type, body) => {
    expect(await granted.fetch(origin + name)).toEqual({
      text: `${origin}${name} (status 200, ${type})\n\n${body}`,
    })
  })

  test("what is no text, and what is not there", async () => {
    expect((await granted.fetch(`${origin}/picture`)).text).toEqual(
      naming(`${origin}/picture (status 200, image/png)`, "2", "data", "shown"),
    )
    expect(await granted.fetch(`${origin}/missing`)).toEqual({
      text: `${origin}/missing (status 404, text/plain)\n\nnothing here`,
      isError: true,
    })
  })

  test("a redirect on the same host is followed; what comes behind # is not sent", async () => {
    expect((await granted.fetch(`${origin}/again#part`)).text).toMatch(/\/text \(status 200/)
    expect(asked.slice(-2)).toEqual([`127.0.0.1:${port} /again`, `127.0.0.1:${port} /text`])
  })
})

describe("190: private places are refused unless granted", () => {
  test.each([
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/",
    "http://0.0.0.0/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://017700000001/",
    "http://localhost/",
    "http://localhost./",
    "http://LOCALHOST/",
    "http://a.localhost/",
    "http://metadata.google.internal/",
    "http://metadata/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[fd00::1]/",
    "http://[fe80::1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://10.0.0.1/",
    "http://192.168.1.1/",
    "http://172.16.0.1/",
    "http://100.100.100.200/",
    "http://printer.local/",
    "http://\u2460\u2461\u2466.0.0.1/",
  ])("%s", async (url) => {
    expect(await plain.fetch(url)).toEqual(failing(/was not requested: /))
  })

  test("a grant is for its host alone", async () => {
    expect(await granted.fetch(`http://localhost:${port}/text`)).toEqual(failing(/was not requested/))
    expect(await plain.fetch(`${origin}/text`)).toEqual(failing(/was not requested/))
    const named = fetching({ hosts: ["LocalHost."] })
    expect((await named.fetch(`http://localhost:${port}/text`)).isError).toBeUndefined()
  })

  test("addresses of the public web are public", async () => {
    const addresses = [
      "8.8.8.8",
      "93.184.216.34",
      "2606:2800:220:1::1",
      "172.32.0.1",
      "::1",
      "::ffff:8.8.8.8",
      "not one",
    ]
    expect(await Promise.all(addresses.map(isPublic))).toEqual([true, true, true, true, false, false, false])
  })
})

describe("191: every hop and the address that is connected to", () => {
  const resolving = (...found: readonly string[]) => {
    const lookups: string[] = []
    const lookup: LookupFunction = (host, _options, callback) => {
      lookups.push(host)
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      )
    }
    return { lookup, lookups }
  }

  test.each([[["127.0.0.1"]], [["93.184.216.34", "10.0.0.1"]], [["::ffff:127.0.0.1"]], [["::1"]], [[]]])(
    "a public name with the addresses %j",
    async (addresses) => {
      const before = asked.length
      const { lookup } = resolving(...addresses)
      expect(await fetching({ lookup }).fetch(`http://public.example.com:${port}/text`)).toEqual(
        failing(/private.*network/),
      )
      expect(asked.length).toBe(before)
    },
  )

  test("a name is looked up once for a connection: the address that was checked is the one that is used", async () => {
    const { lookup, lookups } = resolving("127.0.0.1")
    const { fetch } = fetching({ lookup, hosts: ["public.example.com"] })
    expect((await fetch(`http://public.example.com:${port}/text`)).isError).toBeUndefined()
    expect(lookups).toEqual(["public.example.com"])
  })

  test.each([
    ["/away", /redirects to another host: http:\/\/169\.254\.169\.254\/latest\/meta-data\nCall WebFetch/],
    ["/other", /redirects to another host: https:\/\/example\.com\/page\nCall WebFetch/],
  ])("%s is told and not followed, so that rules judge it", async (name, text) => {
    expect((await granted.fetch(origin + name)).text).toMatch(text)
  })

  test.each([
    ["/file", /http and https .* not file:/],
    ["/user", /user.*host/],
  ])("%s is refused", async (name, why) => {
    expect(await granted.fetch(origin + name)).toEqual(failing(why))
  })
})

test.each([
  ["https://docs.python.org/3/", "docs.python.org"],
  ["https://DOCS.PYTHON.ORG./3/", "docs.python.org"],
  ["https://docs.python.org.evil.com/", "docs.python.org.evil.com"],
  ["https://evil.com/docs.python.org", "evil.com"],
  ["https://evil.com#docs.python.org", "evil.com"],
  ["https://evil.com?docs.python.org", "evil.com"],
  ["https://docs.p\u0443thon.org/", "docs.xn--pthon-eze.org"],
  ["http://[::1]:80/", "::1"],
])("192: what a rule judges of %s is %s", async (url, host) => {
  expect(await plain.accesses(url)).toEqual([{ type: "host", host }])
})

test.each([
  "https://docs.python.org@evil.com/",
  "https://a\u0000.docs.python.org/",
  "https://evil.com\\@docs.python.org/",
  "https://docs.python.org\n.evil.com/",
  "file:///etc/passwd",
  "gopher://example.com/",
  "data:text/plain,x",
  "javascript:alert(1)",
  "ftp://example.com/",
  "example.com",
  "",
])("192, 193: %j is refused, and unclear to rules", async (url) => {
  expect(await plain.fetch(url)).toMatchObject({ isError: true })
  expect(await plain.accesses(url)).toEqual([{ type: "unclear", reason: expect.any(String) }])
})

describe("193: bounds", () => {
  test.each(["/bomb", "/endless"])("%s is cut", async (name) => {
    const memory = process.memoryUsage().rss
    const { text } = await granted.fetch(origin + name)
    expect(text.length).toBeLessThan(41_000)
    expect(text).toMatch(/rest.*left/)
    expect(process.memoryUsage().rss - memory).toBeLessThan(150 * 1024 * 1024)
  })

  test("a circle of redirects ends", async () => {
    const before = asked.length
    expect(await granted.fetch(`${origin}/loop`)).toEqual(failing(/redirects more than 5 times/))
    expect(asked.length - before).toBe(6)
  })

  test.each([
    ["/odd", /zip, which is not supported/],
    ["/broken", /could not be read/],
  ])("%s is refused", async (name, why) => {
    expect(await granted.fetch(origin + name)).toEqual(failing(why))
  })

  test("a body that does not come ends with the call", async () => {
    await expect(granted.fetch(`${origin}/slow`, { signal: AbortSignal.timeout(200) })).rejects.toThrow()
  })

  test("nobody listens", async () => {
    expect(await granted.fetch("http://127.0.0.1:1/")).toEqual(failing(/could not be read: .*ECONNREFUSED/))
  })
})

test.each([
  ["<p>a<p>b", "a\n\nb"],
  ["<ul><li>a</li><li>b <b>c</b></li></ul>", "- a\n- b c"],
  ["a<script>var x = '<p>no</p>'</script>b<style>c</style>", "ab"],
  ["<pre>a\n  b</pre>", "a\n  b"],
  ["a   b\n c", "a b c"],
  ["<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>", "1 | 2 |\n\n3 |"],
  ["&lt;b&gt; &#65;&#x42; &#xD800; &unknown; &nbsp;x", "<b> AB \ufffd &unknown; x"],
  [
    "<a href=\"javascript:alert(1)\">x</a> <a href='http://e.com/?a=1&amp;b=2'>y</a>",
    "x [y](http://e.com/?a=1&b=2)",
  ],
  ['<img alt="a>b">c <!-- <p>no</p> -->d', "c d"],
  ["1 < 2 <3", "1 < 2 <3"],
  ["<script>never closed", ""],
  ["<p title='open", ""],
])("HTML %j", (html, text) => {
  expect(convertHtmlToText(html)).toBe(text)
})

test("HTML that is made to take long does not", () => {
  const before = processorTime()
  for (const part of ["<", "<a ", '<a ="', "<!--", "&#", "<p>", "<a href=x>", "<script>", "</"])
    convertHtmlToText(part.repeat(200_000))
  expect(processorTime() - before).toBeLessThan(5000)
})
