import { afterEach, expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import type { Model } from "../../src/agent/model.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import {
  type ModelServer,
  type ScriptedAnswer,
  startModelServer,
} from "../../src/faces/testing/model-server.ts"
import type { Json } from "../../src/ground/message.ts"
import { anthropicModel } from "../../src/world/models/wire/anthropic.ts"
import { openaiModel } from "../../src/world/models/wire/openai.ts"
import { responsesModel } from "../../src/world/models/wire/responses.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { agentTool } from "../../src/world/tools/agent.ts"
import { tool } from "../kit.ts"

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const protocols = {
  chat: (baseUrl: string): Model => openaiModel({ model: "m", baseUrl, provider: "deepseek" }),
  messages: (baseUrl: string): Model =>
    anthropicModel({
      model: "m",
      baseUrl,
      parameters: { thinking: { type: "enabled", budget_tokens: 2000 } },
    }),
  responses: (baseUrl: string): Model => responsesModel({ model: "gpt-6-sol", baseUrl }),
}
type Name = keyof typeof protocols

async function serve(script: readonly ScriptedAnswer[]): Promise<ModelServer> {
  const server = await startModelServer({ script })
  servers.push(server)
  return server
}

const names = Object.keys(protocols) as readonly Name[]
const pairs = names.flatMap((from) => names.filter((to) => to !== from).map((to) => [from, to] as const))

test.each(pairs)("what %s thought goes to %s never, and back to itself as it was", async (from, to) => {
  const own = await serve([
    { reasoning: "own thought 1", calls: [{ tool: "look", arguments: {}, id: "abcdefgh1" }] },
    { reasoning: "own thought 2", text: "One." },
    { text: "Three." },
  ])
  const other = await serve([
    { reasoning: "other thought", calls: [{ tool: "look", arguments: {}, id: "abcdefgh2" }] },
    { text: "Two." },
  ])
  const runtime = createRuntime({
    agents: [defineAgent({ name: "a", instructions: "x" })],
    tools: [tool("look")],
    models: { own: protocols[from](own.url), other: protocols[to](other.url) },
    store: memoryStore(),
  })
  const first = runtime.run("a", "go", { model: "own" })
  const outcomes = [(await first.done).outcome]
  const second = runtime.run("a", "go on", { model: "other", continues: first.id })
  outcomes.push((await second.done).outcome)
  const third = runtime.run("a", "and on", { model: "own", continues: second.id })
  outcomes.push((await third.done).outcome)
  await runtime.close()
  expect(outcomes).toEqual([{ type: "completed" }, { type: "completed" }, { type: "completed" }])
  expect([...own.requests, ...other.requests].map(({ problem }) => problem)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  )
  expect(other.requests.map(({ text }) => text.includes("own thought"))).toEqual([false, false])
  const last = own.requests.at(-1)!.text
  expect([last.includes("own thought 1"), last.includes("other thought")]).toEqual([true, false])
})

test("a tree falls back from one provider to another, and each run of it keeps to its own", async () => {
  const refuse: ScriptedAnswer = {
    fault: {
      type: "status",
      status: 404,
      error: { message: "The model `m` does not exist.", code: "model_not_found" },
    },
  }
  const gone = await serve([refuse, refuse, refuse])
  const delegate = { tool: "Agent", arguments: { agent: "child", prompt: "help" } as Json, id: "abcdefgh1" }
  const chat = await serve([
    { reasoning: "child's thought", calls: [{ tool: "look", arguments: {}, id: "abcdefgh2" }] },
    { text: "Helped." },
  ])
  const messages = await serve([{ reasoning: "lead's thought", calls: [delegate] }, { text: "Done." }])
  const runtime = createRuntime({
    agents: [
      defineAgent({ name: "lead", instructions: "x", model: ["gone", "messages"] }),
      defineAgent({ name: "child", instructions: "x", model: ["gone", "chat"] }),
    ],
    tools: [tool("look"), agentTool()],
    models: {
      gone: protocols.responses(gone.url),
      chat: protocols.chat(chat.url),
      messages: protocols.messages(messages.url),
    },
    store: memoryStore(),
  })
  const { outcome, output } = await runtime.run("lead", "go").done
  await runtime.close()
  expect([outcome, output]).toEqual([{ type: "completed" }, "Done."])
  const asked = [gone, chat, messages].map(({ requests }) => requests.map(({ problem }) => problem))
  expect(asked).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
  ])
  expect(chat.requests[1]!.text).toContain("child's thought")
  expect(messages.requests[1]!.text).toContain("lead's thought")
  expect(messages.requests[1]!.text).not.toContain("child's thought")
})
