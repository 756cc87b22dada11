import { type ChildProcess, spawn } from "node:child_process"
import http from "node:http"
import type { AddressInfo } from "node:net"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { McpAddress } from "../../agent/mcp-server.ts"
import { defaultMcpBounds, type McpBounds } from "./bounds.ts"
import type { McpConnection } from "./connection.ts"
import { openServer } from "./open-server.ts"
import { listTools } from "./read-tools.ts"

const place = { root: os.tmpdir(), cwd: os.tmpdir(), sandbox: "preferred" } as const
const open = (settings: McpAddress, bounds: Partial<McpBounds> = {}): Promise<McpConnection> =>
  openServer("at", settings, place, { ...defaultMcpBounds, ...bounds })
const forever = new AbortController().signal
const failing = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => `answered ${JSON.stringify(value)}`,
    (error) => `${error.type}: ${error.message}`,
  )

describe.each<["http" | "sse", string, string]>([
  ["http", "streamableHttp", "/mcp"],
  ["sse", "sse", "/sse"],
])("a server that nobody here wrote, over %s", (type, transport, way) => {
  let child: ChildProcess
  let url = ""
  beforeAll(async () => {
    const port = await freePort()
    const manifest = fileURLToPath(
      import.meta.resolve("@modelcontextprotocol/server-everything/package.json"),
    )
    child = spawn(process.execPath, [path.join(path.dirname(manifest), "dist/index.js"), transport], {
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    })
    await new Promise<void>((resolve) => {
      child.stderr!.on("data", (chunk: Buffer) => {
        if (chunk.toString().includes(String(port))) resolve()
      })
    })
    url = `http://127.0.0.1:${port}${way}`
  })
  afterAll(() => child.kill("SIGKILL"))

  test("is listed, called and left", async () => {
    const connection = await open({ url, type })
    expect((await listTools(connection, defaultMcpBounds)).tools).toHaveLength(15)
    expect(await connection.call("echo", { message: "hello" }, { signal: forever })).toMatchObject({
      content: [{ type: "text", text: "Echo: hello" }],
    })
    await connection.close()
    expect(connection.hasEnded()).toBe(true)
  })
})

async function freePort(): Promise<number> {
  const server = http.createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A server over HTTP that does one thing wrong. */
async function against<Value>(
  answer: (
    method: string,
    id: unknown,
    response: http.ServerResponse,
    request: http.IncomingMessage,
  ) => boolean,
  work: (url: string) => Promise<Value>,
): Promise<Value> {
  const server = http.createServer((request, response) => {
    let text = ""
    request.on("data", (chunk) => {
      text += chunk
    })
    request.on("end", () => {
      const { method = "", id, params } = text === "" ? {} : JSON.parse(text)
      if (answer(method, id, response, request)) return
      const result =
        method === "initialize"
          ? {
              protocolVersion: params.protocolVersion,
              capabilities: { tools: {} },
              serverInfo: { name: "h", version: "1" },
            }
          : method === "tools/list"
            ? { tools: [{ name: "do", inputSchema: { type: "object" } }] }
            : { content: [{ type: "text", text: "done" }] }
      if (request.method !== "POST") response.writeHead(405).end()
      else if (id === undefined) response.writeHead(202).end()
      else if (method === "server/discover") reply(response, { id, error: { code: -32_601, message: "no" } })
      else reply(response, { id, result })
    })
  })
  server.listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const reply = (response: http.ServerResponse, message: object): void =>
  void response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", ...message }))

const calling = async (url: string, bounds: Partial<McpBounds> = {}, timeout = 5_000): Promise<string> => {
  const connection = await open({ url }, bounds)
  try {
    return await failing(connection.call("do", {}, { signal: forever, timeout }))
  } finally {
    await connection.close()
  }
}

describe("a server at an address that misbehaves", () => {
  test("answers, where nothing is wrong with it", async () => {
    expect(
      await against(
        () => false,
        (url) => calling(url),
      ),
    ).toMatch(/^answered .*done/)
  })

  test("gets the headers of its entry, filled in, and no redirect is followed with them", async () => {
    const seen: unknown[] = []
    const outcome = await against(
      (_, __, response, request) => {
        seen.push([request.url, request.headers.authorization])
        if (request.url !== "/mcp") return false
        response.writeHead(307, { location: "/elsewhere" }).end()
        return true
      },
      (url) =>
        failing(
          openServer(
            "at",
            // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what is expanded
            { url, headers: { Authorization: "Bearer ${TOKEN}" } },
            { ...place, environment: { TOKEN: "t0ken" } },
            defaultMcpBounds,
          ),
        ),
    )
    expect(outcome).toMatch(/redirect/)
    expect(new Set(seen.map((one) => JSON.stringify(one)))).toEqual(new Set(['["/mcp","Bearer t0ken"]']))
  })

  test.each<[string, (response: http.ServerResponse, id: unknown) => void, RegExp]>([
    [
      "a message of 10 MB",
      (response, id) =>
        reply(response, { id, result: { content: [{ type: "text", text: "x".repeat(10 * 2 ** 20) }] } }),
      /^ended: it sent a message .* 4194304 bytes/,
    ],
    [
      "an event without end",
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).write("data: ")
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
          if (!response.destroyed) response.once("drain", more)
        }
        more()
      },
      /^ended: it sent a message .* 4194304 bytes/,
    ],
    [
      "notifications without end",
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        const one = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } })}\n\n`
        const more = () => {
          while (!response.destroyed && response.write(one.repeat(100)));
          if (!response.destroyed) response.once("drain", more)
        }
        more()
      },
      /^ended: it sent more than 1000 unrequested messages/,
    ],
    ["nothing", () => {}, /^deadline: it did not answer the call of do within 500 ms/],
    ["an error of HTTP", (response) => void response.writeHead(500).end("out of order"), /^answer: .*500/],
    [
      "what is no JSON",
      (response) => void response.writeHead(200, { "content-type": "application/json" }).end("{"),
      /^answer: /,
    ],
  ])("%s fails its call", async (_, answer, expected) => {
    const outcome = await against(
      (method, id, response) => {
        if (method !== "tools/call") return false
        answer(response, id)
        return true
      },
      (url) => calling(url, {}, expected.source.includes("500 ms") ? 500 : 20_000),
    )
    expect(outcome).toMatch(expected)
  })

  test("one that is not there cannot be reached", async () => {
    const port = await freePort()
    expect(await failing(open({ url: `http://127.0.0.1:${port}/mcp` }))).toMatch(/ECONNREFUSED/)
  })

  test("one that wants to know who asks says so", async () => {
    const outcome = await against(
      (_, __, response) => {
        response.writeHead(401).end("who are you?")
        return true
      },
      (url) => failing(open({ url })),
    )
    expect(outcome).toMatch(/401|[Uu]nauthorized/)
  })
})
