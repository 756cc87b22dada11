import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { defineAgent } from "../../src/agent/agent.ts"
import { defineTool, type Tool } from "../../src/agent/tool.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { isMap, type Json, type JsonMap, mapOf } from "../../src/ground/message.ts"
import type { RunOutcome } from "../../src/run/log/event-outcome.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import type { Exchange, RecordedProtocol } from "./recordings-kit.ts"

export interface WholeRun {
  readonly outcomes: readonly RunOutcome[]
  readonly sent: readonly JsonMap[]
}

/**
 * A recorded conversation as runs: each user's message is the task of one, which goes on with the one before; tools answer
 * as they did then. Where the recording ends in a call, one plain answer more ends the run.
 */
export async function runWhole(
  protocol: RecordedProtocol,
  exchanges: readonly Exchange[],
): Promise<WholeRun> {
  const sent: JsonMap[] = []
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part)
    const exchange = exchanges[sent.length]
    sent.push(JSON.parse(Buffer.concat(parts).toString()))
    response.writeHead(exchange?.status ?? 200, {
      "content-type": exchange?.contentType ?? "application/json",
    })
    response.end(exchange?.response ?? lastWords[protocol.name])
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const [first] = exchanges as [Exchange]
  const model = protocol.open({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    model: String(first.request.model),
    stream: first.stream ? "sse" : "json",
    host: first.host,
  })
  const runtime = createRuntime({
    agents: [defineAgent({ name: "replayed", instructions: "Go on." })],
    tools: toolsOf(protocol, exchanges),
    models: { recorded: model },
    store: memoryStore(),
  })
  const outcomes: RunOutcome[] = []
  try {
    let before: string | undefined
    for (const task of tasksOf(protocol, exchanges)) {
      if (before !== undefined && sent.length >= exchanges.length) break
      const run = runtime.run("replayed", task, before === undefined ? {} : { continues: before })
      outcomes.push((await run.done).outcome!)
      before = run.id
    }
  } finally {
    await runtime.close()
    server.close()
    server.closeAllConnections()
  }
  return { outcomes, sent }
}

const lastWords = {
  chat: JSON.stringify({ choices: [{ message: { content: "So far." }, finish_reason: "stop" }] }),
  messages: JSON.stringify({ content: [{ type: "text", text: "So far." }], stop_reason: "end_turn" }),
  responses: JSON.stringify({
    object: "response",
    status: "completed",
    output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "So far." }] }],
  }),
}

/** What the user said: at the start, and after each answer that asked for nothing. */
function tasksOf({ history }: RecordedProtocol, exchanges: readonly Exchange[]): readonly string[] {
  const messages = history(exchanges.at(-1)!.request)
  const said = messages.flatMap((message, index) => {
    if (message.role !== "user") return []
    const before = messages[index - 1]
    const isNew = before === undefined || (before.role === "assistant" && before.calls.length === 0)
    return isNew ? [message.text || "Go on."] : []
  })
  return said.length > 0 ? said : ["Go on."]
}

/** Tools of the same names, which answer what was answered then, one after the other. */
function toolsOf({ history }: RecordedProtocol, exchanges: readonly Exchange[]): readonly Tool[] {
  const results = history(exchanges.at(-1)!.request).flatMap((message) =>
    message.role === "tool" ? [message.text] : [],
  )
  let next = 0
  const names = new Map<string, JsonMap>()
  for (const { request } of exchanges)
    for (const offered of Array.isArray(request.tools) ? (request.tools as readonly Json[]) : []) {
      const { name, schema } = offerOf(mapOf(offered))
      if (name !== undefined) names.set(name, schema)
    }
  return [...names].map(([name]) =>
    defineTool<Record<string, unknown>>({
      name,
      description: name,
      input: { type: "object" },
      effect: "read",
      execute: () => results[next++] ?? "nothing more was recorded",
    }),
  )
}

function offerOf(offered: JsonMap): { readonly name: string | undefined; readonly schema: JsonMap } {
  const inner = isMap(offered.function) ? offered.function : offered
  const isOurs = offered.type === undefined || offered.type === "function" || isMap(offered.input_schema)
  return { name: isOurs && typeof inner.name === "string" ? inner.name : undefined, schema: {} }
}
