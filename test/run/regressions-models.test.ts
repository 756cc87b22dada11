import { expect, test } from "vitest"
import type { Model, ModelError, ModelReply, ModelRequest } from "../../src/agent/model.ts"
import { createModelSource } from "../../src/world/models/source.ts"
import { collect, expectSound, sleep, tool, world } from "../kit.ts"
import { naming } from "../naming.ts"

const overflow: ModelError = { kind: "overflow", message: "prompt is too long", retryable: false }
const usage = { inputTokens: 10, outputTokens: 5 }
const say = (text: string): ModelReply => ({ text, calls: [], usage, stop: "end" })
const fail = (error: ModelError): ModelReply => ({ text: "", calls: [], usage, stop: "other", error })
const talk = "x".repeat(3000)

const isSummary = ({ system }: Pick<ModelRequest, "system">): boolean =>
  system.startsWith("You are given the beginning")

let calls = 0
const use = (name: string, input: object = {}): ModelReply => ({
  text: talk,
  calls: [{ wire: `w${++calls}`, tool: name, arguments: JSON.stringify({ n: calls, ...input }) }],
  usage,
  stop: "calls",
})

/** One model that a function answers for. */
const answering = (
  answer: (request: ModelRequest) => ModelReply | Promise<ModelReply>,
  more: Partial<Model> = {},
): Model => ({ id: "m", stream: async (request) => answer(request), ...more })

test("a history is not made shorter over and over while others hold what that would take", async () => {
  let asked = 0
  let plans = 0
  let release!: () => void
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const model = answering(async (request) => {
    if (isSummary(request)) return say("It worked.")
    if (request.agent === "lead")
      return request.turn === 1
        ? {
            text: "",
            calls: ["long", "slow"].map((agent) => ({
              wire: agent,
              tool: "Agent",
              arguments: JSON.stringify({ agent, prompt: "go" }),
            })),
            usage,
            stop: "calls",
          }
        : say("done")
    if (request.agent === "slow") {
      await released
      return say("done")
    }
    if (request.messages.length < 6) return use("work")
    if ([...request.messages].some(({ text }) => text.includes("Their summary"))) return say("done")
    asked++
    setTimeout(release, 200)
    return fail(overflow)
  })
  const { runtime, store } = world({
    script: {},
    agents: [
      { name: "lead", instructions: "You lead." },
      { name: "long", instructions: "You work.", limits: { maxOutputTokens: 10 } },
      { name: "slow", instructions: "You work.", limits: { maxOutputTokens: 60_000 } },
    ],
    tools: [tool("work")],
    runtime: {
      models: {
        resolve: async () => ({ uses: [{ name: "m" }], warnings: [] }),
        open: async () => {
          plans++
          return model
        },
        register: () => "x",
        keepsSecrets: () => true,
        redact: (text) => text,
      },
      limits: { maxTokens: 66_000 },
    },
  })
  const { outcome, run } = await runtime.run("lead", "go").done
  expect(outcome).toEqual({ type: "completed" })
  expect(asked).toBe(1)
  expect(plans).toBeLessThan(20)
  await expectSound(store, run)
})

const one = [{ name: "a", instructions: "You are a." }]

/** Turns until one does not fit, before somebody sums up. */
function overflowing(summary: (number: number) => ModelReply) {
  let summaries = 0
  return (request: ModelRequest): ModelReply => {
    if (isSummary(request)) return summary(++summaries)
    if ([...request.messages].some(({ text }) => text.includes("Their summary"))) return say("done")
    return request.messages.length < 6 ? use("work") : fail(overflow)
  }
}

test("a summary that fails in a way that may pass is asked for again, also after its provider said later", async () => {
  const later: ModelError = { kind: "rate-limit", message: "slow down", retryable: true, retryAfter: 300 }
  const times: number[] = []
  const model = answering(
    overflowing((number) => {
      times.push(Date.now())
      return number === 1 ? fail(later) : say("It worked.")
    }),
    { rateLimitGroup: "key" },
  )
  const { runtime, store } = world({
    script: {},
    agents: one,
    tools: [tool("work")],
    runtime: { resolveModel: async () => model },
  })
  const { outcome, run } = await runtime.run("a", "go").done
  expect(outcome).toEqual({ type: "completed" })
  expect(times).toHaveLength(2)
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(300)
  await expectSound(store, run)
})

test("a summary waits where its provider told another run to", async () => {
  let summaries = 0
  let refused = 0
  let fits = true
  let closed!: () => void
  const closing = new Promise<void>((resolve) => {
    closed = resolve
  })
  const model = answering(
    async (request) => {
      if (request.agent === "b") {
        if (refused > 0) return say("done")
        refused = Date.now()
        closed()
        return fail({ kind: "rate-limit", message: "slow down", retryable: true, retryAfter: 400 })
      }
      if (isSummary(request)) {
        summaries = Date.now()
        return say("It worked.")
      }
      if (request.messages.length < 6) return use("work")
      if (fits) {
        // It does not fit, which is said while the other is told to wait.
        fits = false
        void runtime.run("b", "go").done.catch(() => {})
        await closing
        await sleep(20)
        return fail(overflow)
      }
      return say("done")
    },
    { rateLimitGroup: "key" },
  )
  const { runtime } = world({
    script: {},
    agents: [...one, { name: "b", instructions: "You are b." }],
    tools: [tool("work")],
    runtime: { resolveModel: async () => model },
  })
  expect((await runtime.run("a", "go").done).outcome).toEqual({ type: "completed" })
  expect(summaries - refused).toBeGreaterThanOrEqual(400)
  await runtime.close()
})

test("a summary that never comes ends the run after as many attempts as any reply", async () => {
  let asked = 0
  const model = answering(
    overflowing(() => {
      asked++
      return fail({ kind: "network", message: "reset", retryable: true })
    }),
  )
  const { runtime } = world({
    script: {},
    agents: one,
    tools: [tool("work")],
    runtime: { resolveModel: async () => model },
  })
  const { outcome } = await runtime.run("a", "go").done
  expect([asked, outcome]).toEqual([
    5,
    { type: "failed", reason: "prompt is too long. Shortening the history failed: reset" },
  ])
})

test("a key that a model lets out in parts is not in its live text either", async () => {
  const key = "sk-live-0123456789abcdef"
  const model: Model = {
    id: "m",
    stream: async (_, onDelta) => {
      for (const text of ["It is ", key.slice(0, 9), key.slice(9), ". It ends in sk-li"])
        onDelta({ type: "text", text })
      return say(`It is ${key}. It ends in sk-li`)
    },
  }
  const models = createModelSource({
    models: { m: model },
    defaultModel: "m",
    environment: { OPENAI_API_KEY: key },
  })
  const { runtime } = world({ script: {}, agents: one, runtime: { models } })
  const events = await collect(runtime.run("a", "go"))
  expect(events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []))).toEqual([
    "It is ",
    "[redacted]",
    ". It ends in ",
    "sk-li",
  ])
})

test("what is too long for the first model of a list is asked of the next", async () => {
  const requests: string[] = []
  const models = createModelSource({
    models: {
      small: answering(() => fail(overflow), { id: "small" }),
      large: answering((request) => {
        requests.push([...request.messages].map(({ text }) => text).join())
        return say("done")
      }),
    },
    environment: {},
  })
  const { runtime } = world({
    script: {},
    agents: [{ ...one[0]!, model: ["small", "large"] }],
    runtime: { models },
  })
  const { outcome, proof } = await runtime.run("a", "go").done
  expect([outcome, requests]).toEqual([{ type: "completed" }, ["go"]])
  expect(proof.warnings).toEqual([expect.stringMatching(/^small.*next.*long/)])
})

test("a run that goes on with another's history keeps its own task when that is summed up, also twice", async () => {
  const histories: (readonly string[])[] = []
  let summaries = 0
  const model = answering((request) => {
    const texts = [...request.messages].map(({ text }) => text)
    if (isSummary(request)) return say(`Summary ${++summaries}.`)
    if (texts.length > 6) return fail(overflow)
    histories.push(texts)
    return summaries === 2 || texts.at(-1) === "first" ? say("done") : use("work")
  })
  const { runtime, store } = world({
    script: {},
    agents: one,
    tools: [tool("work")],
    runtime: { resolveModel: async () => model },
  })
  const { run: before } = await runtime.run("a", "first").done
  const { run, outcome } = await runtime.run("a", "second", { continues: before }).done
  expect([outcome, summaries]).toEqual([{ type: "completed" }, 2])
  const note = ["older"]
  expect(histories.at(-1)!.slice(0, 2)).toEqual([
    "first",
    naming(...note, "\n\nSummary 2.\n\nYour current task:\n\nsecond"),
  ])
  await expectSound(store, run)
})

test("a key that is a name as well does not take the name away", async () => {
  const model: Model = {
    ...answering(() => say("done")),
    redact: (text) => text.replaceAll("my-server", "[redacted]"),
  }
  const models = createModelSource({
    models: { "my-server": model },
    environment: { OPENAI_API_KEY: "lm-studio" },
  })
  expect(models.redact("lm-studio")).toBe("lm-studio")
  const { runtime } = world({ script: {}, agents: [{ ...one[0]!, model: "my-server" }], runtime: { models } })
  expect((await runtime.run("a", "go").done).outcome).toEqual({ type: "completed" })
})

test("tools and models may be called what every object has", async () => {
  const model = answering(
    ({ messages }) => (messages.length < 5 ? { ...use("constructor"), text: "" } : say("done")),
    { id: "toString" },
  )
  const { runtime } = world({
    script: {},
    agents: one,
    tools: [tool("constructor")],
    runtime: { resolveModel: async () => model },
  })
  const { proof } = await runtime.run("a", "go").done
  expect(proof.evidence.calls).toEqual({ constructor: 2 })
  expect(proof.usage.own).toEqual({ toString: { inputTokens: 30, outputTokens: 15 } })
})

test("effort without a model is for the model that is inherited", async () => {
  const models = createModelSource({ environment: { OPENAI_API_KEY: "openai-secret" } })
  const parent = [{ provider: "openai", model: "gpt-6-sol", effort: "low" }]
  expect(
    await models.resolve({ owner: "a", choice: { effort: "high" } as never, policy: "lenient", parent }),
  ).toEqual({
    uses: [{ provider: "openai", model: "gpt-6-sol", effort: "high" }],
    warnings: [],
  })
})

test("a limit on cost counts on the highest price, so that a long or uncached prompt does not go beyond it", async () => {
  let asked = 0
  const model = answering(
    () => {
      asked++
      return { ...say("done"), usage: { inputTokens: 100, outputTokens: 1, cost: 100 } }
    },
    { price: { input: 0.01, output: 0.01 }, highestPrice: () => ({ input: 1, output: 0.01 }) },
  )
  const { runtime } = world({ script: {}, agents: one, runtime: { resolveModel: async () => model } })
  const { outcome } = await runtime.run("a", "x".repeat(100), { limits: { maxCost: 90 } }).done
  expect([outcome, asked]).toEqual([{ type: "limit", limit: "cost" }, 0])
})

test("models of the table say what their tokens may cost at most", async () => {
  const models = createModelSource({
    environment: { ANTHROPIC_API_KEY: "anthropic-secret", XAI_API_KEY: "xai-secret" },
  })
  const highest = async (provider: string, model: string, inputTokens: number) => {
    const { highestPrice } = await models.open({ provider, model })
    const { input, output } = highestPrice!(inputTokens)
    return [input * 1e6, output * 1e6].map((price) => Number(price.toFixed(3)))
  }
  expect(await highest("anthropic", "claude-opus-5-5", 1e6)).toEqual([5, 20])
  expect(await highest("anthropic", "claude-haiku-5-5", 100_000)).toEqual([0.125, 0.5])
  expect(await highest("anthropic", "claude-haiku-5-5", 100_001)).toEqual([0.625, 2.5])
  expect(await highest("xai", "grok-4.5", 200_001)).toEqual([4, 12])
})

test("all of many runs finish that share a provider which takes only some requests a second", async () => {
  const rate = 40
  let [left, last] = [rate, performance.now()]
  const model = answering(
    () => {
      const time = performance.now()
      left = Math.min(rate, left + ((time - last) / 1000) * rate)
      last = time
      if (left < 1) return fail({ kind: "rate-limit", message: "slow down", retryable: true })
      left--
      return say("done")
    },
    { rateLimitGroup: "key" },
  )
  const { runtime } = world({ script: {}, agents: one, runtime: { resolveModel: async () => model } })
  const results = await Promise.all(Array.from({ length: 200 }, () => runtime.run("a", "go").done))
  expect(results.filter(({ outcome }) => outcome?.type !== "completed")).toEqual([])
})
