/** A server at an address may expect this of a client in the protocol of 2026-07-28. */
import os from "node:os"
import { describe, expect, test } from "vitest"
import { defaultMcpBounds } from "../../src/world/mcp/bounds.ts"
import { openServer } from "../../src/world/mcp/open-server.ts"
import { listTools } from "../../src/world/mcp/read-tools.ts"
import { type HttpCall, type HttpServer, mcpServer, reply } from "./http-server-kit.ts"

const place = { root: os.tmpdir(), cwd: os.tmpdir(), sandbox: "preferred" } as const
const signal = new AbortController().signal

/** Answers in the newest protocol, and keeps the requests. */
function newServer(tools: readonly object[], requests: HttpCall[], refused = 0): Promise<HttpServer> {
  return mcpServer((call) => {
    requests.push(call)
    const { response, method, id } = call
    const answer = (result: object): true => {
      reply(response, { jsonrpc: "2.0", id, result: { resultType: "complete", ...result } })
      return true
    }
    if (requests.length <= refused) {
      const data = { supported: ["2026-07-28"], requested: "2026-07-28" }
      reply(response, { jsonrpc: "2.0", id, error: { code: -32_022, message: "unsupported", data } }, 400)
      return true
    }
    if (method === "server/discover")
      return answer({ supportedVersions: ["2026-07-28"], capabilities: { tools: {} } })
    if (method === "tools/list") return answer({ tools, ttlMs: 0, cacheScope: "private" })
    return method === "tools/call" ? answer({ content: [{ type: "text", text: "done" }] }) : false
  })
}

const schemaOf = (mark: string) => ({
  type: "object",
  properties: { region: { type: "string", "x-mcp-header": mark }, other: { type: "string" } },
})

describe("a server of 2026-07-28 at an address", () => {
  test("has the arguments that it marks as headers, too", async () => {
    const requests: HttpCall[] = []
    const server = await newServer([{ name: "do", inputSchema: schemaOf("Region") }], requests)
    const connection = await openServer("at", { url: server.url }, place, defaultMcpBounds)
    const { tools, leftOut } = await listTools(connection, defaultMcpBounds)
    const { headers = [] } = tools[0]!
    await connection.call("do", { region: "größe", other: "x" }, { signal, headers })
    await connection.close()
    await server.close()
    const sent = requests.find(({ method }) => method === "tools/call")!.request.headers
    expect([leftOut, sent["mcp-param-region"]]).toEqual([[], "=?base64?Z3LDtsOfZQ==?="])
    expect(Object.keys(sent).filter((name) => name.startsWith("mcp-param-"))).toEqual(["mcp-param-region"])
  })

  test("loses the tool whose mark breaks the rules of the protocol, and no other", async () => {
    const tools = [
      { name: "bad", inputSchema: schemaOf("a b") },
      { name: "good", inputSchema: schemaOf("Region") },
    ]
    const server = await newServer(tools, [])
    const connection = await openServer("at", { url: server.url }, place, defaultMcpBounds)
    const list = await listTools(connection, defaultMcpBounds)
    await connection.close()
    await server.close()
    expect(list.tools.map(({ name }) => name)).toEqual(["good"])
    expect(list.leftOut).toEqual([{ name: "bad", why: expect.stringContaining("`x-mcp-header`") }])
  })

  test("is asked again in a version that it names when it refuses the first", async () => {
    const requests: HttpCall[] = []
    const server = await newServer([{ name: "do", inputSchema: { type: "object" } }], requests, 1)
    const connection = await openServer("at", { url: server.url }, place, defaultMcpBounds)
    const { about } = connection
    await connection.close()
    await server.close()
    expect(about.protocol).toBe("2026-07-28")
    expect(requests.map(({ method }) => method)).not.toContain("initialize")
  })
})
