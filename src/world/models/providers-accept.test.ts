import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Model, ModelReply, ModelRequest, ModelUse } from "../../agent/model.ts"
import { type ModelServer, type ScriptedAnswer, startModelServer } from "../../faces/testing/model-server.ts"
import { addTool, requestWith } from "../../faces/testing/plain-request.ts"
import type { JsonMap, Message, ToolCall } from "../../ground/message.ts"
import { builtInProviders } from "./providers.ts"
import { createModelSource } from "./source.ts"
import { anthropicModel } from "./wire/anthropic.ts"
import { openaiModel } from "./wire/openai.ts"
import { responsesModel } from "./wire/responses.ts"

const contents: Readonly<Record<string, string>> = {
  "image/png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
  "application/pdf": Buffer.from("%PDF-1.7\n%%EOF\n").toString("base64"),
}

/** Everything that cadre sends, to a server with the rules of each built-in provider: nothing may be refused. */

const models: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["claude-opus-4-7", "claude-sonnet-4-6", "claude-sonnet-4-5", "claude-haiku-4-5"],
  openai: ["gpt-4o", "gpt-5", "gpt-5.1", "o3"],
  "openai-responses": ["gpt-5.4", "gpt-5.6-sol", "gpt-4o"],
  azure: ["gpt-4o", "gpt-5"],
  google: ["gemini-3-flash-preview"],
  openrouter: ["anthropic/claude-sonnet-4.5", "openai/gpt-5"],
  groq: ["openai/gpt-oss-120b"],
  mistral: ["mistral-medium-latest", "magistral-medium-latest"],
  deepseek: ["deepseek-v4-pro", "deepseek-flash"],
  xai: ["grok-4.3"],
  moonshotai: ["kimi-k3", "kimi-k2.6"],
  zai: ["glm-5"],
  together: ["moonshotai/Kimi-K2.6"],
  fireworks: ["accounts/fireworks/models/kimi-k2p6"],
  cerebras: ["gpt-oss-120b"],
  ollama: ["qwen3"],
  oss: ["gpt-oss:20b"],
  "lm-studio": ["qwen3"],
  "llama-server": ["qwen3"],
  vllm: ["Qwen/Qwen3-32B"],
}

test("every built-in provider is here", () => {
  expect(builtInProviders.map(({ id }) => id).sort()).toEqual(Object.keys(models).sort())
})

const environment = Object.fromEntries(
  builtInProviders.flatMap(({ keyVariables = [] }) => keyVariables.map((name) => [name, "key"])),
)

/** Google's OpenAI endpoint is used only if the configuration says so. The default is Google's package. */
const ways = [
  ...Object.entries(models).flatMap(([provider, names]) =>
    names.map((model) => ({ provider, model, way: "as it is" as const })),
  ),
  { provider: "google", model: "gemini-3-flash-preview", way: "over chat completions" as const },
]

const hasKey = (provider: string) =>
  builtInProviders.find(({ id }) => id === provider)?.keyVariables !== undefined

type Ask = (request?: Partial<ModelRequest>) => Promise<ModelReply>

describe.each(ways)("$provider/$model, $way", ({ provider, model, way }) => {
  let server: ModelServer
  let answers: ScriptedAnswer[] = []
  beforeAll(async () => {
    server = await startModelServer({
      provider,
      ...(hasKey(provider) && { apiKey: "key" }),
      script: () => answers.shift() ?? { text: "ok" },
    })
  })
  afterAll(() => server.close())

  const source = () => {
    const base = provider === "azure" ? server.url.replace(/v1$/, "") : server.url
    const isPackage = provider === "google" && way === "as it is"
    const entry = {
      baseUrl: isPackage ? base.replace(/v1$/, "v1beta") : base,
      ...(way === "over chat completions" && { protocol: "openai" }),
    }
    return createModelSource({ environment, home: "/nowhere", providers: { [provider]: entry } })
  }

  const settled = async (wanted: Pick<ModelUse, "parameters" | "effort">): Promise<ModelUse> => {
    const { parameters = {}, effort } = wanted
    const { uses } = await source().resolve({
      owner: "The agent",
      choice: { provider, model, parameters },
      ...(effort !== undefined && { effort }),
      policy: "strict",
    })
    return uses[0]!
  }

  const withoutStream = (): Model | undefined => {
    const common = { model, stream: "json" as const, apiKey: "key" }
    if (provider === "anthropic")
      return anthropicModel({ ...common, baseUrl: server.url.replace(/\/v1$/, "") })
    if (provider === "openai-responses") return responsesModel({ ...common, baseUrl: server.url })
    return provider === "google" && way === "as it is"
      ? undefined
      : openaiModel({ ...common, provider, baseUrl: server.url })
  }

  describe.each(["sse", "json"] as const)("%s", (stream) => {
    /** Sends the parameters that a definition wants, after they are settled. */
    async function accepted(
      run: (ask: Ask) => Promise<unknown>,
      {
        script = [],
        ...wanted
      }: Pick<ModelUse, "parameters" | "effort"> & { script?: ScriptedAnswer[] } = {},
    ): Promise<void> {
      const use = await settled(wanted)
      const opened = stream === "sse" ? await source().open(use) : withoutStream()
      if (!opened) return
      const before = server.requests.length
      answers = [...script]
      const { parameters, effort } = use
      const ask: Ask = async (request) => {
        const reply = await opened.stream(
          requestWith({
            ...(parameters && { parameters }),
            ...(effort !== undefined && { effort }),
            ...request,
          }),
          () => undefined,
        )
        expect(reply.error).toBeUndefined()
        return reply
      }
      await run(ask)
      const problems = server.requests.slice(before).map(({ problem }) => problem)
      expect(problems).toEqual(problems.map(() => undefined))
      expect(problems.length).toBeGreaterThan(0)
    }

    test("a plain turn, without tools and without a system prompt", () =>
      accepted(async (ask) => {
        await ask()
        await ask({ tools: [] })
        await ask({ system: "", tools: [] })
      }))

    const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max", 500, 2000, 30_000]
    test.each([undefined, ...efforts])("reasoning of effort %s, with calls over three turns", (effort) =>
      accepted((ask) => turns(ask), {
        ...(effort !== undefined && { effort }),
        script: thinkingScript(),
      }),
    )

    test("parameters that some refuse, with every effort and with little left", async () => {
      const parameters = { temperature: 0.5, top_p: 0.9, max_tokens: 4000, ...penalties(provider) }
      for (const effort of [undefined, "high", 2000])
        await accepted(
          async (ask) => {
            await ask()
            await ask({ maxOutputTokens: 20 })
            await ask({ maxOutputTokens: 1100 })
          },
          { parameters, ...(effort !== undefined && { effort }) },
        )
    })

    test("settings of tools, and none at the closing turn", () =>
      accepted(
        async (ask) => {
          const messages = await turns(ask)
          await ask({ messages, tools: [] })
          await ask({ tools: [] })
        },
        { parameters: { tool_choice: toolChoice(provider) }, script: thinkingScript() },
      ))

    test("a message of the user right after a result", () =>
      accepted(
        async (ask) => {
          const messages: Message[] = [user("Go")]
          await turn(ask, messages)
          messages.push(user("And this?"), user("And that?"))
          await turn(ask, messages)
          await ask({ messages: [...messages, user("Now")] })
        },
        { script: thinkingScript() },
      ))

    test.each(["high", 2000])("a history that others began, with effort %s", (effort) =>
      accepted(
        async (ask) => {
          const messages = foreignHistory()
          await ask({ messages: [...messages, user("Go on")] })
          await ask({ messages: messages.slice(0, -1) })
          messages.push(user("Go on"))
          await turn(ask, messages)
          await ask({ messages })
        },
        { effort, script: [{ text: "ok" }, { text: "ok" }, ...thinkingScript()] },
      ),
    )

    test("empty texts and results, and calls without a result", () =>
      accepted(async (ask) => {
        const messages: Message[] = [
          user(""),
          { role: "assistant", text: "", calls: [] },
          user(" "),
          called(call("empty_one"), call("empty_two"), call("lost")),
          result("empty_one", ""),
          { ...result("empty_two", " \n"), isError: true },
        ]
        await ask({ messages })
      }))

    test("pictures and documents of the user and of results", () =>
      accepted(async (ask) => {
        const attachments = [
          { blob: "a", mediaType: "image/png" as const, size: 4, name: "a.png" },
          { blob: "b", mediaType: "application/pdf" as const, size: 4, name: "b.pdf" },
        ]
        const messages: Message[] = [
          { role: "user", text: "Look", attachments },
          called(call("seen")),
          { ...result("seen", "Here"), attachments },
          user("And?"),
        ]
        await ask({ messages, contentOf: ({ mediaType }) => contents[mediaType] })
        await ask({ messages, contentOf: () => undefined })
      }))

    test("lone surrogates, long names and arguments that are no JSON", () =>
      accepted(async (ask) => {
        const broken = "half \ud83d of a pair"
        const messages: Message[] = [
          user(broken),
          {
            role: "assistant",
            text: broken,
            calls: [
              { ...call("a"), tool: "x".repeat(200), arguments: `{"a":"${broken}"}` },
              { ...call("b"), tool: "no such tool", arguments: "{half" },
              { ...call("c"), tool: "", arguments: '"\\ud83d"' },
            ],
          },
          result("a", broken),
          result("b", broken),
          result("c", "None."),
        ]
        const long = { ...addTool, name: "n".repeat(64), description: broken }
        await ask({ system: broken, messages, tools: [addTool, long] })
      }))
  })
})

const user = (text: string): Message => ({ role: "user", text })
const call = (wire: string): ToolCall => ({ id: wire, wire, tool: "add", arguments: '{"a":1}' })
const called = (...calls: ToolCall[]): Message => ({ role: "assistant", text: "", calls })
const result = (wire: string, text: string): Extract<Message, { role: "tool" }> => ({
  role: "tool",
  call: wire,
  wire,
  tool: "add",
  text,
})

const add = { tool: "add", arguments: { a: 1 } }

const thinkingScript = (): ScriptedAnswer[] => [
  { reasoning: "First, I look. ", text: "Looking. ", calls: [add, add] },
  { reasoning: "Then another thought.", calls: [add] },
  { calls: [add] },
  { reasoning: "That is all.", text: "Done." },
]

const penalties = (provider: string): JsonMap =>
  provider === "anthropic" || provider === "openai-responses"
    ? {}
    : { presence_penalty: 0.1, frequency_penalty: 0.1 }

const toolChoice = (provider: string) => (provider === "anthropic" ? { type: "auto" } : "auto")

/** One reply, and the results of its calls. */
async function turn(ask: Ask, messages: Message[]): Promise<void> {
  const reply = await ask({ messages: [...messages] })
  const calls = reply.calls.map((call) => ({ id: call.wire, ...call }))
  const { text, provider } = reply
  messages.push({ role: "assistant", text, calls, ...(provider !== undefined && { provider }) })
  for (const { wire } of calls) messages.push(result(wire, `Result of ${wire}`))
}

async function turns(ask: Ask): Promise<readonly Message[]> {
  const messages: Message[] = [user("Go")]
  for (let count = 0; count < 4; count++) await turn(ask, messages)
  messages.push(user("Thanks. Again?"))
  await ask({ messages })
  return messages
}

/** Replies of every protocol, with ids as long as a run keeps them. */
function foreignHistory(): Message[] {
  const chat: JsonMap = {
    reasoning_content: "Hm.",
    reasoning: "Hm.",
    reasoning_details: [{ type: "reasoning.text", text: "Hm.", signature: "theirs" }],
    calls: [{ google: { thought_signature: "theirs" } }],
  }
  const anthropic: readonly JsonMap[] = [
    { type: "thinking", thinking: "Hm.", signature: "theirs" },
    { type: "text", length: 5 },
    { type: "call" },
  ]
  const responses: readonly JsonMap[] = [
    { type: "reasoning", encrypted_content: "theirs", summary: [] },
    { type: "message", length: 5 },
    { type: "call" },
  ]
  return [chat, anthropic, responses].flatMap((data, index): Message[] => {
    const wire = `toolu_${index}_${"x".repeat(50)}`
    const provider: JsonMap = {
      from: "api.other.example",
      model: "other",
      [["chat", "anthropic", "responses"][index]!]: data,
    }
    return [
      user("Go"),
      { role: "assistant", text: "Look.", calls: [call(wire)], provider },
      result(wire, "1"),
      { role: "assistant", text: "Found.", calls: [], provider: { ...provider } },
    ]
  })
}
