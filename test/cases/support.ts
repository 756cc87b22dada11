import { expect } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { Model, ModelReply, ModelRequest } from "../../src/agent/model.ts"
import type { Tool } from "../../src/agent/tool.ts"
import { checkHistory } from "../../src/faces/testing/history.ts"
import {
  type ModelServer,
  type ScriptedAnswer,
  startModelServer,
} from "../../src/faces/testing/model-server.ts"
import type { Message } from "../../src/ground/message.ts"
import type { Runtime, RuntimeParts } from "../../src/run/face/runtime.ts"
import type { Store, StoredEvent } from "../../src/run/log/store.ts"
import { createModelSource } from "../../src/world/models/source.ts"
import type { AnthropicOptions } from "../../src/world/models/wire/anthropic/options.ts"
import { anthropicModel } from "../../src/world/models/wire/anthropic.ts"
import type { OpenAiOptions } from "../../src/world/models/wire/openai/options.ts"
import { openaiModel } from "../../src/world/models/wire/openai.ts"
import { world } from "../kit.ts"

export const protocols = ["openai", "anthropic"] as const
export type ProtocolName = (typeof protocols)[number]

type ClientOptions = Partial<OpenAiOptions & AnthropicOptions>
type Answers = readonly ScriptedAnswer[] | ((request: ModelServer["requests"][number]) => ScriptedAnswer)

export interface Served {
  readonly runtime: Runtime
  readonly store: Store
  readonly server: ModelServer
  /** What the strict server refused, in order. */
  problems(): readonly string[]
}

/** A runtime whose one model is a real client, on a strict server that answers from a script. */
export async function served(
  protocol: ProtocolName,
  script: Answers,
  parts: {
    agents?: readonly AgentInput[]
    tools?: readonly Tool[]
    runtime?: Partial<RuntimeParts>
    client?: ClientOptions
    store?: Store
  } = {},
): Promise<Served> {
  const server = await startModelServer({ script })
  servers.push(server)
  return {
    ...worldOn({ model: client(protocol, server, parts.client) }, parts),
    server,
    problems: () => problemsOf(server),
  }
}

export const client = (protocol: ProtocolName, server: ModelServer, options: ClientOptions = {}): Model =>
  protocol === "openai"
    ? openaiModel({ model: "m", baseUrl: server.url, ...options })
    : anthropicModel({ model: "m", baseUrl: server.url, ...options })

const problemsOf = (server: ModelServer): readonly string[] =>
  server.requests.flatMap(({ problem }) => problem ?? [])

/** A runtime on models of any kind; the first is the default. */
export function worldOn(
  models: { readonly [name: string]: Model },
  parts: {
    agents?: readonly AgentInput[]
    tools?: readonly Tool[]
    runtime?: Partial<RuntimeParts>
    store?: Store
  } = {},
): { runtime: Runtime; store: Store } {
  const { agents = [plain("a")], runtime, ...rest } = parts
  return world({
    script: {},
    agents,
    ...rest,
    runtime: {
      models: createModelSource({ models, defaultModel: Object.keys(models)[0]!, environment: {} }),
      ...runtime,
    },
  })
}

const servers: ModelServer[] = []

/** For `afterEach`. */
export async function closeServers(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.close()))
}

export const plain = (name: string, more: Partial<AgentInput> = {}): AgentInput => ({
  name,
  instructions: `You are ${name}.`,
  ...more,
})

/** A model in one function. */
export const modelOf = (
  reply: (request: ModelRequest) => Partial<ModelReply> | Promise<Partial<ModelReply>>,
  more: Partial<Model> = {},
): Model => ({
  id: "m",
  stream: async (request) => ({
    text: "",
    calls: [],
    usage: { inputTokens: 1, outputTokens: 1 },
    stop: "end",
    ...(await reply(request)),
  }),
  ...more,
})

/** The events of a whole tree in the order they were recorded. */
export async function orderedLog(store: Store, root: string): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  const stop = new AbortController()
  for await (const event of store.follow(root, {}, stop.signal)) {
    events.push(event)
    if (event.run === root && event.type === "run-end") break
  }
  return events
}

/** Histories no provider takes, by case: results that lack, and results that nobody asked for. */
export function brokenHistories(): readonly (readonly [
  number: string,
  what: string,
  histories: readonly (readonly Message[])[],
])[] {
  const whole = historyOf(3, 2)
  const places = whole.flatMap((message, index) => (message.role === "tool" ? [index] : []))
  const lacking = Array.from({ length: 2 ** places.length - 1 }, (_, chosen) => {
    const left = new Set(places.filter((_, bit) => (chosen + 1) & (1 << bit)))
    return whole.filter((_, index) => !left.has(index))
  })
  const orphan: Message = {
    role: "tool",
    call: "c9",
    wire: "orphan",
    tool: "work",
    text: "an orphan's words",
  }
  const orphaned = whole.map((_, index) => [...whole.slice(0, index + 1), orphan, ...whole.slice(index + 1)])
  const doubled = places.map((index) =>
    whole.flatMap((message, at) => (at === index ? [message, message] : [message])),
  )
  return [
    ["47", "calls that lack their results, at every position", lacking],
    ["48", "a result that belongs to no call, at every position", orphaned],
    ["48", "a result that is there twice, at every position", doubled],
  ]
}

/** Turns of several calls each, all answered. */
function historyOf(turns: number, width: number): readonly Message[] {
  const messages: Message[] = [{ role: "user", text: "go" }]
  for (let turn = 0; turn < turns; turn++) {
    const calls = Array.from({ length: width }, (_, place) => ({
      id: `c${turn * width + place + 1}`,
      wire: `w${turn}_${place}`,
      tool: "work",
      arguments: "{}",
    }))
    messages.push({ role: "assistant", text: `turn ${turn}`, calls })
    for (const { id, wire } of calls)
      messages.push({ role: "tool", call: id, wire, tool: "work", text: `result ${wire}` })
  }
  messages.push({ role: "user", text: "and now?" })
  expect(checkHistory(messages)).toEqual([])
  return messages
}

export const requestOf = (messages: readonly Message[]): ModelRequest => ({
  run: "r",
  agent: "a",
  turn: 1,
  attempt: 1,
  system: "You are a.",
  messages,
  tools: [{ name: "work", description: "work", input: { type: "object" } }],
  signal: new AbortController().signal,
})
