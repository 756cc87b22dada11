import http from "node:http"
import type { AddressInfo } from "node:net"

/** One request to a server, and the way to answer it. */
export interface HttpCall {
  readonly request: http.IncomingMessage
  readonly response: http.ServerResponse
  readonly method: string
  readonly id: unknown
  readonly params: { readonly [name: string]: never }
}

export interface HttpServer {
  readonly origin: string
  /** The address of the protocol. */
  readonly url: string
  close(): Promise<void>
}

/** Listens on the loopback interface. */
export async function listening(answer: http.RequestListener): Promise<HttpServer> {
  const server = http.createServer(answer)
  server.listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    url: `${origin}/mcp`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const reply = (response: http.ServerResponse, value: object, status = 200): void => {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value))
}

/**
 * A server of the protocol of 2025 over HTTP. `before` answers a request itself and returns true, or leaves it to the
 * plain answers. `call` gives the text of a tool's result.
 */
export function mcpServer(
  before: (call: HttpCall) => boolean | Promise<boolean>,
  call: (name: string, input: Record<string, unknown>) => string | Promise<string> = () => "done",
  tools: readonly object[] = [{ name: "do", inputSchema: { type: "object" } }],
): Promise<HttpServer> {
  return listening(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const isMessage = (request.headers["content-type"] ?? "").includes("json")
    const { method = "", id, params = {} } = text === "" || !isMessage ? {} : JSON.parse(text)
    if (await before({ request, response, method, id, params })) return
    if (request.method !== "POST") return void response.writeHead(405).end()
    if (id === undefined) return void response.writeHead(202).end()
    const answer = (result: object) => reply(response, { jsonrpc: "2.0", id, result })
    if (method === "initialize")
      answer({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "http", version: "1" },
      })
    else if (method === "tools/list") answer({ tools })
    else if (method === "tools/call")
      answer({ content: [{ type: "text", text: await call(params.name, params.arguments ?? {}) }] })
    else reply(response, { jsonrpc: "2.0", id, error: { code: -32_601, message: "no such method" } })
  })
}
