import { describe, expect, test } from "vitest"
import type { Model, ModelReply } from "../../src/agent/model.ts"
import type { Json, Message } from "../../src/ground/message.ts"
import { createModelSource } from "../../src/world/models/source.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { stateOf, tool, world } from "../kit.ts"

const usage = { inputTokens: 1, outputTokens: 1 }
const sealed = (text: string): Json => ({ from: "host", chat: { reasoning_content: text } })

/** A model that leaves data of its own with every reply, and what it was handed in each request. */
function keeper(replies: readonly Partial<ModelReply>[], id = "m") {
  const handed: (readonly (Json | undefined)[])[] = []
  const model: Model = {
    id,
    async stream({ messages }) {
      handed.push(
        [...messages].flatMap((message) => (message.role === "assistant" ? [message.provider] : [])),
      )
      return { text: "", calls: [], usage, stop: "end", ...replies[handed.length - 1] }
    },
  }
  return { model, handed }
}

const asks = (provider: Json): Partial<ModelReply> => ({
  calls: [{ wire: "w1", tool: "look", arguments: "{}" }],
  stop: "calls",
  provider,
})

function running({ model }: { readonly model: Model }, store = memoryStore()) {
  const models = createModelSource({
    models: { m: model },
    defaultModel: "m",
    environment: { OPENAI_API_KEY: "sk-very-secret-key" },
  })
  return world({
    script: {},
    agents: [{ name: "a", instructions: "x" }],
    tools: [tool("look")],
    store,
    runtime: { models },
  })
}

describe("what a reply leaves for its provider", () => {
  test("is handed back as it was, and no event holds it", async () => {
    const kept = keeper([asks(sealed("thought 🙂")), { text: "done", provider: sealed("last") }])
    const { runtime, store } = running(kept)
    const handle = runtime.run("a", "go")
    expect((await handle.done).outcome).toEqual({ type: "completed" })
    expect(kept.handed).toEqual([[], [sealed("thought 🙂")]])
    const events: unknown[] = []
    for await (const event of store.read(handle.id)) events.push(event)
    expect(JSON.stringify(events)).not.toMatch(/thought|last/)
    expect(events).toContainEqual(
      expect.objectContaining({
        provider: { blob: expect.stringMatching(/^[0-9a-f]{64}$/), size: expect.any(Number) },
      }),
    )
  })

  test("goes on with a run that continues another one, and with one that continues that", async () => {
    const kept = keeper([
      asks(sealed("1")),
      { text: "one", provider: sealed("2") },
      { text: "two" },
      { text: "three" },
    ])
    const { runtime } = running(kept)
    const first = runtime.run("a", "go")
    await first.done
    const second = runtime.run("a", "again", { continues: first.id })
    await second.done
    await runtime.run("a", "and again", { continues: second.id }).done
    const both = [sealed("1"), sealed("2")]
    expect(kept.handed).toEqual([[], [sealed("1")], both, [...both, undefined]])
  })

  test("goes along with a run that is forked", async () => {
    const fork = { wire: "w2", tool: "Agent", arguments: JSON.stringify({ agent: "twin", prompt: "Go on." }) }
    const kept = keeper([
      asks(sealed("1")),
      { calls: [fork], stop: "calls", provider: sealed("2") },
      { text: "twin" },
      { text: "done" },
    ])
    const { runtime } = world({
      script: {},
      agents: [
        { name: "a", instructions: "x" },
        { name: "twin", instructions: "x", context: "fork" },
      ],
      tools: [tool("look")],
      runtime: {
        models: createModelSource({ models: { m: kept.model }, defaultModel: "m", environment: {} }),
      },
    })
    expect((await runtime.run("a", "go").done).outcome).toEqual({ type: "completed" })
    expect(kept.handed).toEqual([[], [sealed("1")], [sealed("1")], [sealed("1"), sealed("2")]])
  })

  test("is read back by another process, byte for byte", async () => {
    const store = memoryStore()
    const before = keeper([
      asks(sealed("1")),
      { error: { kind: "network", message: "gone", retryable: false } },
    ])
    const { runtime } = running(before, store)
    const { run } = await runtime.run("a", "go").done
    const after = keeper([{ text: "done" }])
    const next = running(after, store)
    await next.runtime.run("a", "again", { continues: run }).done
    expect(after.handed).toEqual([[sealed("1")]])
  })

  test("is not kept where it holds a secret in the clear", async () => {
    const kept = keeper([asks(sealed("the key is sk-very-secret-key")), { text: "done" }])
    const { runtime, store } = running(kept)
    const handle = runtime.run("a", "go")
    expect((await handle.done).outcome).toEqual({ type: "completed" })
    expect(kept.handed).toEqual([[], [undefined]])
    const messages: readonly Message[] = [...(await stateOf(store, handle.id)).messages]
    expect(messages.filter((message) => "provider" in message)).toEqual([])
  })
})
