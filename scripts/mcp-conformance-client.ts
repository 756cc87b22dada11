/**
 * The client that the conformance suite tests: `node client.mjs URL`, with the scenario in its environment. It logs in
 * where the server asks for that, lists all tools, and calls each of them once, or those that the scenario names. Questions
 * of the server are answered as at cadre's terminal, by a person who takes every default.
 */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  type OAuthClientProvider,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
} from "@modelcontextprotocol/client"
import { askQuestion } from "../src/faces/cli/run/question-text.ts"
import { describeThrown } from "../src/ground/errors.ts"
import type { JsonMap } from "../src/ground/message.ts"
import { AddressWire } from "../src/world/mcp/address-wire.ts"
import { defaultMcpBounds } from "../src/world/mcp/bounds.ts"
import { connectToServer, type McpConnection } from "../src/world/mcp/connection.ts"
import { logIn } from "../src/world/mcp/login/log-in.ts"
import { OpenCalls } from "../src/world/mcp/open-calls.ts"
import { openServer } from "../src/world/mcp/open-server.ts"
import { listTools, type ServerListedTool } from "../src/world/mcp/read-tools.ts"

const url = process.argv.at(-1)!
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ""
const { toolCalls, ...context } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}") as {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonMap }[]
} & Readonly<Record<string, string | undefined>>
const logins = { folder: fs.mkdtempSync(path.join(os.tmpdir(), "cadre-keys-")), keepSecret() {} }
const provider = findProvider()
try {
  await work()
} finally {
  fs.rmSync(logins.folder, { recursive: true, force: true })
}

async function work(): Promise<void> {
  let scope: string | undefined
  for (let round = 0; round < 3; round++)
    try {
      return await useServer()
    } catch (error) {
      const wanted = /cadre mcp login at(?: --scope "([^"]*)")?/.exec(describeThrown(error))
      if (!wanted || round === 2) throw error
      scope = wanted[1]
      // A server may move to another authorisation server meanwhile: a person would log in once more.
      await login(scope).catch(() => login(scope))
    }
}

async function useServer(): Promise<void> {
  const connection = provider ? await openAsProgram(provider) : await open()
  try {
    const { tools } = await listTools(connection, defaultMcpBounds)
    const calls =
      toolCalls ?? tools.map(({ name, input }) => ({ name, arguments: exampleOf(name, input, tools) }))
    for (const { name, arguments: input } of calls) {
      const { headers = [] } = tools.find((tool) => tool.name === name) ?? {}
      await answerUntilResult(connection, { name, input, headers })
    }
  } finally {
    await connection.close()
  }
}

interface ToolCall {
  readonly name: string
  readonly input: JsonMap
  readonly headers: NonNullable<ServerListedTool["headers"]>
}

/** Makes a call as a run does: its server may ask the person before it answers. */
async function answerUntilResult(
  connection: McpConnection,
  { name, input, headers }: ToolCall,
): Promise<void> {
  const calls = new OpenCalls()
  const one: Parameters<OpenCalls["call"]>[0] = {
    server: "at",
    effect: "opaque",
    grants: {},
    send: (options) => connection.call(name, input, { ...options, headers }),
  }
  const context = { run: "conformance", call: name, signal: AbortSignal.timeout(20_000) }
  let step = await calls.call(one, context)
  while (step.type === "asks") {
    const { question } = step
    const answer = await askQuestion({ ...question, number: 1 }, "The suite", typeAnswer)
    if (!answer) throw new Error("the person typed no answer")
    step = await calls.call(one, { ...context, answered: { question, answer } })
  }
}

/** A person who says yes, takes every default, and types something where there is none. */
async function typeAnswer(text: string): Promise<string> {
  if (!text.endsWith("> ")) return "y"
  if (/, (?:default |may be left out)/.test(text)) return ""
  return /: (?:number|integer)/.test(text) ? "1" : /: boolean/.test(text) ? "yes" : "word"
}

function open(): Promise<McpConnection> {
  return openServer("at", { url }, { root: "/", cwd: "/", sandbox: "off", logins }, defaultMcpBounds)
}

/** A program that logs in for itself is nothing that cadre offers: its connection takes the package's own providers. */
function openAsProgram(provider: OAuthClientProvider): Promise<McpConnection> {
  return connectToServer(new AddressWire({ url }, defaultMcpBounds, provider), defaultMcpBounds)
}

function findProvider(): OAuthClientProvider | undefined {
  const { client_id: clientId = "", client_secret: clientSecret, private_key_pem: privateKey = "" } = context
  if (context.idp_id_token !== undefined)
    return new CrossAppAccessProvider({
      clientId,
      clientSecret: clientSecret ?? "",
      assertion: assertAtProvider,
    })
  if (!scenario.startsWith("auth/client-credentials-")) return undefined
  const algorithm = context.signing_algorithm ?? "ES256"
  return clientSecret === undefined
    ? new PrivateKeyJwtProvider({ clientId, privateKey, algorithm })
    : new ClientCredentialsProvider({ clientId, clientSecret })
}

/** The company's own login, whose token is exchanged for one of the server. */
async function assertAtProvider({
  authorizationServerUrl: audience,
  resourceUrl: resource,
}: {
  readonly authorizationServerUrl: string
  readonly resourceUrl: string
}): Promise<string> {
  const {
    idp_token_endpoint: tokenEndpoint = "",
    idp_id_token: idToken = "",
    idp_client_id: clientId = "",
  } = context
  const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
    tokenEndpoint,
    audience,
    resource,
    idToken,
    clientId,
  })
  return jwtAuthGrant
}

async function login(scope: string | undefined): Promise<void> {
  const { client_id: id, client_secret: secret } = context
  const over = new AbortController()
  await logIn(
    "at",
    { url },
    {
      logins,
      bounds: defaultMcpBounds,
      ...(scope !== undefined && { scope }),
      ...(id !== undefined && { client: { id, ...(secret !== undefined && { secret }) } }),
      ...(scenario === "auth/basic-cimd" && {
        clientDocument: "https://conformance-test.local/client-metadata.json",
      }),
      signal: over.signal,
      // The suite's authorisation server sends the browser straight back.
      show: (address) => void fetch(address).catch(() => over.abort()),
    },
  )
}

/** The least arguments that a schema accepts. One tool wants to see how a schema of another one arrived. */
function exampleOf(name: string, schema: JsonMap, tools: readonly ServerListedTool[]): JsonMap {
  if (name === "json_schema_echo")
    return { schema: tools.find((tool) => tool.name === "json_schema_2020_12_tool")?.input ?? {} }
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, { type?: string }>
    required?: readonly string[]
  }
  return Object.fromEntries(
    required.map((name) => {
      const type = properties[name]?.type
      return [name, type === "number" || type === "integer" ? 1 : type === "boolean" ? true : "word"]
    }),
  )
}
