import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { FunctionTool, ToolContext, ToolOutput } from "../../agent/tool.ts"
import { type WebSearchOptions, webSearchTool } from "./web-search.ts"

interface Seen {
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

let server: Server
let address: string
let seen: Seen[]
let answer: { status?: number; body: string; headers?: Record<string, string> }

beforeEach(async () => {
  seen = []
  answer = { body: "{}" }
  server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    seen.push({ url: request.url!, headers: request.headers, body })
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const tool = (options: WebSearchOptions) => webSearchTool(options) as FunctionTool

async function search(
  options: WebSearchOptions,
  input: object = { query: "cats & dogs" },
): Promise<ToolOutput> {
  const context = { signal: AbortSignal.timeout(10_000) } as unknown as ToolContext
  return (await tool(options).execute(input, context)) as ToolOutput
}

const results = [
  { title: "Cats", url: "https://cats.example/", content: "All <b>about</b>\ncats." },
  { title: "No address" },
  { title: "Not the web", url: "file:///etc/passwd" },
  { title: "Dogs", url: "https://dogs.example/", content: "x".repeat(2_000) },
]

test("brave: the key goes in a header, and titles, addresses and snippets come back", async () => {
  answer.body = JSON.stringify({
    web: {
      results: [{ title: "Cats", url: "https://cats.example/", description: "About <strong>cats</strong>." }],
    },
  })
  expect(await search({ provider: "brave", url: `${address}/search`, apiKey: "brave-key-123" })).toEqual({
    text: "1. Cats\n   https://cats.example/\n   About cats.",
  })
  expect(seen[0]).toMatchObject({
    url: "/search?q=cats+%26+dogs&count=10",
    headers: { "x-subscription-token": "brave-key-123" },
  })
})

test("tavily: the query goes in the body", async () => {
  answer.body = JSON.stringify({ results })
  const { text } = await search(
    { provider: "tavily", url: address, apiKey: "tvly" },
    { query: "q", count: 3 },
  )
  expect(text.split("\n").filter((line) => /^\d+\. /.test(line))).toEqual(["1. Cats", "2. Dogs"])
  expect(text.length).toBeLessThan(700)
  expect(seen[0]).toMatchObject({ headers: { authorization: "Bearer tvly" } })
  expect(JSON.parse(seen[0]!.body)).toEqual({ query: "q", max_results: 3 })
})

test("searxng: needs no key, and no more is shown than was asked for", async () => {
  answer.body = JSON.stringify({ results })
  const { text } = await search({ provider: "searxng", url: `${address}/search` }, { query: "q", count: 1 })
  expect(text).toBe("1. Cats\n   https://cats.example/\n   All about cats.")
  expect(seen[0]!.url).toBe("/search?q=q&format=json")
  expect(seen[0]!.headers.authorization).toBeUndefined()
})

test.each([
  ["a refusal", () => ({ status: 401, body: "bad key" }), /status 401: bad key/],
  ["no JSON", () => ({ body: "<html>" }), /valid JSON/],
  ["JSON of another shape", () => ({ body: '{"web": 1}' }), /list of results: \{"web":1\}/],
  ["an empty object", () => ({ body: "{}" }), /list of results: \{\}\. /],
  ["a list of something else", () => ({ body: '{"web": {"results": [{"a": 1}]}}' }), /list of results/],
  ["null", () => ({ body: "null" }), /list of results: null/],
  ["an empty list", () => ({ body: '{"web": {"results": []}}' }), /Nothing was found for "cats & dogs"/],
  ["an answer without pages", () => ({ body: '{"type": "search"}' }), /Nothing was found for "cats & dogs"/],
  ["too much", () => ({ body: " ".repeat(2_000_000) }), /too long/],
  ["a redirect", () => ({ status: 302, body: "", headers: { location: `${address}/other` } }), /status 302/],
])("%s is told as text", async (_, given, expected) => {
  answer = given()
  const { text } = await search({ provider: "brave", url: address, apiKey: "secret-key" })
  expect(text).toMatch(expected)
  expect(text).not.toContain("secret-key")
  expect(seen).toHaveLength(1)
})

test("a server that is not there, and an address that is none, are told as text", async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect(await search({ provider: "searxng", url: address })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/The request to .* failed/),
  })
  expect(await search({ provider: "searxng" })).toMatchObject({ isError: true })
  expect(await search({ provider: "searxng", url: "file:///x" })).toMatchObject({ isError: true })
})

test("rules judge the host that is asked", async () => {
  const accesses = (options: WebSearchOptions) => tool(options).accesses!({ query: "q" }, { cwd: "/" })
  expect(accesses({ provider: "brave", apiKey: "k" })).toEqual([
    { type: "host", host: "api.search.brave.com" },
  ])
  expect(accesses({ provider: "searxng", url: "https://Search.Example.:8080/x" })).toEqual([
    { type: "host", host: "search.example" },
  ])
  expect(accesses({ provider: "searxng" })).toMatchObject([{ type: "unclear" }])
})
