import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { type BodyKind, detectBodyKind, type HttpAnswer, type HttpEndpoint, postRequest } from "./http.ts"

let server: Server | undefined
let requests: string[] = []
beforeEach(() => {
  requests = []
})
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

async function served(listener: RequestListener): Promise<string> {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    request.resume()
    listener(request, response)
  })
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server!.address() as AddressInfo).port}`
}

/** An answer that notes what it is told, and whose reader says `state` for each chunk. */
function noting(
  state: (text: string) => "more" | "done" | "broken" = () => "more",
  more: Partial<HttpAnswer> = {},
) {
  const told: unknown[] = []
  const answer: HttpAnswer = {
    nothingUsed: () => told.push("nothing used"),
    open: (kind, contentType) => {
      told.push([kind, contentType])
      return {
        push: (chunk) => {
          told.push(String(chunk))
          return state(String(chunk))
        },
        end: () => {
          told.push("end")
          return undefined
        },
      }
    },
    ...more,
  }
  return { told, answer }
}

const endpoint = (origin: string, more: Partial<HttpEndpoint> = {}): HttpEndpoint => ({
  origin,
  host: "models.test",
  path: "/v1/chat",
  headers: ["content-type", "application/json"],
  idleTimeout: 20_000,
  totalTimeout: 30_000,
  maxResponseBytes: 1_000,
  expect: "sse",
  ...more,
})

const never = new AbortController().signal
async function asked(
  listener: RequestListener,
  { told, answer } = noting(),
  more: Partial<HttpEndpoint> = {},
  signal: AbortSignal = never,
) {
  const error = await postRequest(endpoint(await served(listener), more), Buffer.from("{}"), signal, answer)
  return { error, told }
}
const json = { "content-type": "application/json" }

describe("an answer", () => {
  test("is read as it comes, to its end", async () => {
    const { error, told } = await asked((_, response) => {
      response.writeHead(200, json)
      response.write("one")
      setTimeout(() => response.end("two"), 5)
    })
    expect([error, told, requests]).toEqual([
      undefined,
      [["json", "application/json"], "one", "two", "end"],
      ["POST /v1/chat"],
    ])
  })

  test("comes after hints, which are none", async () => {
    const { error, told } = await asked((_, response) => {
      response.writeEarlyHints({ link: "</style.css>; rel=preload" })
      response.writeHead(200, json)
      response.end("one")
    })
    expect([error, told]).toEqual([undefined, [["json", "application/json"], "one", "end"]])
  })

  test.each([1_000, 1_001])("of %d bytes, where 1000 are allowed", async (size) => {
    const { error } = await asked((_, response) => {
      response.writeHead(200, json)
      response.end("x".repeat(size))
    })
    if (size === 1_000) expect(error).toBeUndefined()
    else
      expect(error).toMatchObject({
        kind: "protocol",
        retryable: false,
        message: naming("models.test", "1000"),
      })
  })

  test("that is complete needs no end of its body", async () => {
    const { error, told } = await asked(
      (_, response) => {
        response.writeHead(200, json)
        response.write("last")
      },
      noting(() => "done"),
    )
    expect([error, told]).toEqual([undefined, [["json", "application/json"], "last", "end"]])
  })

  test("that is complete is whole, though its connection breaks", async () => {
    const { error, told } = await asked(
      (_, response) => {
        response.writeHead(200, json)
        response.write("last")
        setTimeout(() => response.destroy(), 5)
      },
      noting(() => "done"),
    )
    expect([error, told.at(-1)]).toEqual([undefined, "end"])
  })

  test("that is broken is given up at once", async () => {
    const { error, told } = await asked(
      (_, response) => {
        response.writeHead(200, json)
        response.write("wrong")
      },
      noting(() => "broken"),
    )
    expect([error, told]).toEqual([undefined, [["json", "application/json"], "wrong", "end"]])
  })

  test("that its reader cannot take is a failure, and the reader hears no more", async () => {
    const throwing = noting(() => {
      throw new Error("no room")
    })
    const { error, told } = await asked((_, response) => {
      response.writeHead(200, json)
      response.write("one")
    }, throwing)
    expect(error).toMatchObject({ kind: "protocol", retryable: false, message: naming("no room") })
    expect(told).toEqual([["json", "application/json"], "one"])
  })

  test("that was aborted by its last part stays aborted", async () => {
    const abort = new AbortController()
    const aborting = noting(() => {
      abort.abort()
      return "done"
    })
    const { error, told } = await asked(
      (_, response) => {
        response.writeHead(200, json)
        response.write("one")
      },
      aborting,
      {},
      abort.signal,
    )
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect([error?.kind, told]).toEqual(["aborted", [["json", "application/json"], "one"]])
  })

  test("whose connection breaks is a failure of the network", async () => {
    const { error, told } = await asked((_, response) => {
      response.writeHead(200, json)
      response.write("one")
      setTimeout(() => response.destroy(), 5)
    })
    expect(error).toMatchObject({ kind: "network", retryable: true })
    expect(told).not.toContain("nothing used")
  })

  test("that is no model's may still be billed", async () => {
    const { error, told } = await asked((_, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
      response.end("<html>")
    })
    expect(error).toMatchObject({
      kind: "protocol",
      message: naming("models.test", "200", "6 bytes", "text/html encoded as gzip"),
    })
    expect(told).toEqual([])
  })

  test("that is no model's, and long, is told with how much of it came", async () => {
    const { error } = await asked((_, response) => {
      response.writeHead(200, { "content-type": "text/html" })
      response.write("x".repeat(70_000))
    })
    expect(error?.message).toMatch(/\d{5,} or more bytes of text\/html/)
  })
})

describe("a refusal", () => {
  const refused = { error: { message: "in two parts" } }
  const [before, after] = [JSON.stringify(refused).slice(0, 20), JSON.stringify(refused).slice(20)]

  test("is read to its end, and used nothing", async () => {
    const { error, told } = await asked((_, response) => {
      response.writeHead(400, json)
      response.write(before)
      setTimeout(() => response.end(after), 5)
    })
    expect(error).toMatchObject({ kind: "rejected", message: naming("models.test", "400", "in two parts") })
    expect(told).toEqual(["nothing used"])
  })

  test("of 300 is a redirect, with its address", async () => {
    const { error, told } = await asked((_, response) => {
      response.writeHead(300, { location: "https://other.test" })
      response.end()
    })
    expect([error, told]).toEqual([
      expect.objectContaining({ kind: "rejected", message: naming("300", "https://other.test") }),
      ["nothing used"],
    ])
  })

  test("that stops in its middle is what it said so far", async () => {
    const { error } = await asked(
      (_, response) => {
        response.writeHead(429, { ...json, "retry-after": "7" })
        response.write(JSON.stringify(refused))
      },
      noting(),
      { idleTimeout: 60 },
    )
    expect(error).toMatchObject({ kind: "rate-limit", retryAfter: 7_000, message: naming("in two parts") })
  })

  test("whose connection breaks is what it said so far", async () => {
    const { error } = await asked((_, response) => {
      response.writeHead(429, json)
      response.write(JSON.stringify(refused))
      setTimeout(() => response.destroy(), 5)
    })
    expect(error).toMatchObject({ kind: "rate-limit", message: naming("in two parts") })
  })

  test("that never ends is read up to a bound", async () => {
    const { error } = await asked((_, response) => {
      response.writeHead(500, { "content-type": "text/plain" })
      response.write("x".repeat(70_000))
    })
    expect(error).toMatchObject({ kind: "overloaded" })
  })

  test.each([true, false])("may be turned into an answer: %s", async (recovers) => {
    const seen: unknown[] = []
    const recover = (error: unknown) => {
      seen.push(error)
      return recovers ? ("recovered" as const) : undefined
    }
    const { error, told } = await asked(
      (_, response) => {
        response.writeHead(400, json)
        response.end(JSON.stringify(refused))
      },
      noting(undefined, { recover }),
    )
    expect([error?.kind, told, seen]).toEqual(
      recovers ? [undefined, [], [refused.error]] : ["rejected", ["nothing used"], [refused.error]],
    )
  })
})

describe("a request", () => {
  test("that was aborted before is not made, and used nothing", async () => {
    const { error, told } = await asked((_, response) => response.end(), noting(), {}, AbortSignal.abort())
    expect([error?.kind, told, requests]).toEqual(["aborted", ["nothing used"], []])
  })

  test("whose proxy cannot be understood is not made, and used nothing", async () => {
    const before = process.env.http_proxy
    process.env.http_proxy = "socks5://proxy.test"
    const { told, answer } = noting()
    try {
      const error = await postRequest(endpoint("http://far.test"), Buffer.from("{}"), never, answer)
      expect(error).toMatchObject({
        kind: "rejected",
        retryable: false,
        message: naming("http_proxy", "far.test"),
      })
      expect(told).toEqual(["nothing used"])
    } finally {
      if (before === undefined) delete process.env.http_proxy
      else process.env.http_proxy = before
    }
  })

  test.each([
    ["idle", { idleTimeout: 60 }, "60 ms"],
    ["whole", { totalTimeout: 60 }, "60 ms"],
  ])("that nobody answers ends with its %s time", async (_, more, words) => {
    const { error, told } = await asked(() => {}, noting(), more)
    expect(error).toMatchObject({ kind: "timeout", retryable: true, message: naming("models.test", words) })
    expect(told).toEqual([])
  })

  test("that comes to no server is a failure of the network, and used nothing", async () => {
    const origin = await served(() => {})
    server!.close()
    server!.closeAllConnections()
    await new Promise((resolve) => setTimeout(resolve, 5))
    const { told, answer } = noting()
    const error = await postRequest(endpoint(origin), Buffer.from("{}"), never, answer)
    expect([error?.kind, told]).toEqual(["network", ["nothing used"]])
  })
})

test.each<[string, Record<string, string>, BodyKind, BodyKind | undefined]>([
  ["application/json", {}, "sse", "json"],
  ["application/json; charset=utf-8", {}, "sse", "json"],
  ["text/event-stream", {}, "json", "sse"],
  ["TEXT/EVENT-STREAM", {}, "json", "sse"],
  ["", {}, "sse", "sse"],
  ["text/plain", {}, "json", "json"],
  ["application/octet-stream", {}, "json", "json"],
  ["text/html", {}, "json", undefined],
  ["application/xml, text/plain", {}, "json", undefined],
  ["application/json", { "content-encoding": "identity" }, "sse", "json"],
  ["application/json", { "content-encoding": "gzip" }, "sse", undefined],
  ["application/json", { "content-encoding": "x-identity" }, "sse", undefined],
])("a body of %j with %j, where %s is expected, is %s", (contentType, headers, expected, kind) => {
  expect(detectBodyKind(contentType, headers, expected)).toBe(kind)
})
