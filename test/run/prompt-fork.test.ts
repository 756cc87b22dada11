import path from "node:path"
import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { Model } from "../../src/agent/model.ts"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { temporaryFolder } from "../file-kit.ts"
import { collect, expectSound, stateOf, tool, withoutEnvelope, world } from "../kit.ts"
import { spying } from "./prompt-kit.ts"

describe("1.15: context: fork", () => {
  const delegate = (agent: string, prompt: string) => ({
    calls: [{ tool: "Agent", input: { agent, prompt } }],
  })
  const agents: readonly AgentInput[] = [
    { name: "lead", instructions: "Lead." },
    { name: "twin", instructions: "You go on.", context: "fork" },
  ]
  const script = {
    lead: [{ text: "I look.", calls: [{ tool: "look" }] }, delegate("twin", "Finish it."), { text: "done" }],
    twin: [{ calls: [{ tool: "look" }] }, { text: "finished" }],
  }
  const tools = [tool("look", () => "seen")]

  /** What a forked run is sent first. */
  const forked = (lead: string) => [
    { role: "user", text: "go" },
    {
      role: "assistant",
      text: "I look.",
      calls: [{ id: `${lead}:c1`, wire: "call_0", tool: "look", arguments: "{}" }],
    },
    { role: "tool", call: `${lead}:c1`, wire: "call_0", tool: "look", text: "seen" },
    { role: "user", text: "Finish it." },
  ]

  test.each([
    ["memory", () => memoryStore()],
    ["files", () => jsonlStore({ directory: path.join(temporaryFolder(), "runs") })],
  ])(
    "starts with the caller's history without the turn that calls it, and the caller sees none of its own: %s",
    async (_, open) => {
      const { sent, layers } = spying()
      const { runtime, store } = world({ script, agents, tools, store: open(), runtime: { layers } })
      const handle = runtime.run("lead", "go")
      expect((await handle.done).output).toBe("done")
      const [first] = sent.filter(({ run }) => run === `${handle.id}.1`)
      expect(first).toEqual({ run: `${handle.id}.1`, system: "You go on.", messages: forked(handle.id) })
      expect((await stateOf(store, `${handle.id}.1`)).start!.forks).toEqual({ run: handle.id, turn: 2 })
      const { messages } = await stateOf(store, handle.id)
      expect([...messages].map(({ text }) => withoutEnvelope(text))).toEqual([
        "go",
        "I look.",
        "seen",
        "",
        "finished",
        "done",
      ])
      await expectSound(store, handle.id)
      await runtime.close()
    },
  )

  test("gives the same history wherever the process dies, and ends", async () => {
    const whole = world({ script, agents, tools })
    const events = await collect(whole.runtime.run("lead", "go"))
    const appends = events.filter(({ type }) => type !== "text-delta").length
    let forks = 0
    for (let dieAfter = 1; dieAfter < appends; dieAfter++) {
      const store = memoryStore()
      const first = world({ script, agents, tools, store: faultyStore(store, { dieAfter }) }).runtime.run(
        "lead",
        "go",
      )
      await first.done.catch(() => {})
      const { sent, layers } = spying()
      const { runtime } = world({ script, agents, tools, store, runtime: { layers } })
      const result = await runtime.resume(first.id, { force: true }).done
      expect({ dieAfter, output: result.output }).toEqual({ dieAfter, output: "done" })
      for (const { run, messages } of sent)
        if (run !== first.id) {
          forks++
          expect({ dieAfter, messages: messages.slice(0, 4) }).toEqual({
            dieAfter,
            messages: forked(first.id),
          })
        }
      await expectSound(store, first.id)
    }
    expect(forks).toBeGreaterThan(5)
  })

  test("of a fork has both histories", async () => {
    const { sent, layers } = spying()
    const { runtime, store } = world({
      script: {
        lead: [delegate("twin", "One."), { text: "done" }],
        twin: [{ calls: [{ tool: "look" }] }, delegate("third", "Two."), { text: "finished" }],
        third: [{ text: "third" }],
      },
      agents: [...agents, { name: "third", instructions: "Third.", context: { fork: true } }],
      tools,
      runtime: { layers },
    })
    const handle = runtime.run("lead", "go")
    await handle.done
    const [first] = sent.filter(({ run }) => run === `${handle.id}.1.1`)
    expect(first!.messages.map(({ role, text }) => [role, text])).toEqual([
      ["user", "go"],
      ["user", "One."],
      ["assistant", ""],
      ["tool", "seen"],
      ["user", "Two."],
    ])
    await expectSound(store, handle.id)
  })

  test("of a run that nobody calls starts empty, and says so", async () => {
    const { runtime, store } = world({ script: { twin: [{ text: "alone" }] }, agents })
    const handle = runtime.run("twin", "go")
    await handle.done
    const { start, messages } = await stateOf(store, handle.id)
    expect([start!.forks, start!.warnings, [...messages].length]).toEqual([
      undefined,
      [expect.stringContaining("fork")],
      2,
    ])
  })

  test("has calls that are not taken for its own where a history is made shorter", async () => {
    let isTooLong = true
    const model = scriptedModel(script)
    const stream: Model["stream"] = async (request, onDelta) => {
      if (!isTooLong || request.agent !== "twin" || request.turn !== 2) return model.stream(request, onDelta)
      isTooLong = false
      const error = { kind: "overflow", message: "too long", retryable: false } as const
      return { text: "", calls: [], usage: { inputTokens: 0, outputTokens: 0 }, stop: "other", error }
    }
    let looks = 0
    const { runtime, store } = world({
      script,
      agents,
      tools: [tool("look", () => (looks++ === 0 ? "x".repeat(4_000) : "short"))],
      runtime: { resolveModel: async () => ({ ...model, stream }) },
    })
    const handle = runtime.run("lead", "go")
    expect((await handle.done).output).toBe("done")
    const results = [...(await stateOf(store, `${handle.id}.1`)).messages].filter(
      ({ role }) => role === "tool",
    )
    expect(results.map(({ text }) => text)).toEqual([expect.stringMatching(/^\[This result, 4000/), "short"])
  })

  test("counts for what fits the model", async () => {
    const small = { ...scriptedModel(script), window: 400 }
    const { runtime, store } = world({
      script,
      agents: [agents[0]!, { ...agents[1]!, tools: [], model: "small" }],
      tools: [tool("look", () => "x".repeat(4_000))],
      runtime: { resolveModel: async (name) => (name === "small" ? small : scriptedModel(script)) },
    })
    const handle = runtime.run("lead", "go")
    await handle.done
    const texts = [...(await stateOf(store, handle.id)).messages].map(({ text }) => text)
    expect(texts[4]).toMatch(/^Cannot spawn 'twin': Agent "twin" cannot fit its model/)
  })
})
