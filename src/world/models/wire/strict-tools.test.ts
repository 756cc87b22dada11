import { createOpenAI } from "@ai-sdk/openai"
import { afterEach, describe, expect, test } from "vitest"
import type { Model, ModelReply, OfferedTool } from "../../../agent/model.ts"
import {
  type ModelServer,
  type ScriptedAnswer,
  type ServedRequest,
  startModelServer,
} from "../../../faces/testing/model-server.ts"
import type { Json } from "../../../ground/message.ts"
import { createRuntime, defineAgent } from "../../../index.ts"
import { aiSdkModel } from "../ai-sdk/adapter.ts"
import { getAiSdkStrictRules } from "../ai-sdk/strict-rules.ts"
import { createModelSource } from "../source.ts"
import { getAnthropicStrictRules } from "./anthropic/request.ts"
import { anthropicModel } from "./anthropic.ts"
import { openaiModel } from "./openai.ts"
import { openAiStrictRules } from "./openai-names.ts"

const verdict = {
  type: "object",
  properties: { verdict: { type: "string", enum: ["pass", "fail"] } },
  required: ["verdict"],
  additionalProperties: false,
} as const
const submit: OfferedTool = { name: "submit_result", description: "Ends.", input: verdict, strict: true }
const add: OfferedTool = { name: "add", description: "Adds.", input: verdict }

let server: ModelServer
afterEach(() => server?.close())

const servers = {
  "OpenAI's chat completions": (strictTools?: boolean) =>
    openaiModel({ model: "gpt-5", baseUrl: server.url, ...(strictTools !== undefined && { strictTools }) }),
  "Anthropic's messages": (strictTools = true) =>
    anthropicModel({ model: "claude-opus-5", baseUrl: server.url, strictTools }),
  "OpenAI's responses, through the AI SDK": (strictTools?: boolean) =>
    aiSdkModel(createOpenAI({ baseURL: server.url, apiKey: "key" }).responses("gpt-5"), {
      ...(strictTools !== undefined && { strictTools }),
    }),
}

const ask = (model: Model, tools: readonly OfferedTool[]): Promise<ModelReply> =>
  model.stream(
    {
      run: "r",
      agent: "a",
      turn: 1,
      attempt: 1,
      system: "You judge.",
      messages: [{ role: "user", text: "Go" }],
      tools,
      signal: new AbortController().signal,
    },
    () => {},
  )

/** The names of the tools of a request that were sent as strict. */
const strictIn = ({ body }: ServedRequest): readonly Json[] =>
  (body.tools as readonly Record<string, Json>[])
    .map((tool) => ({ ...tool, ...(tool.function as object) }) as Record<string, Json>)
    .flatMap((tool) => (tool.strict === true ? [tool.name!] : []))

const refusal = (message: string, status = 400): ScriptedAnswer => ({
  fault: { type: "status", status, error: { type: "invalid_request_error", message } },
})

describe.each(Object.entries(servers))("%s", (_, open) => {
  test("get the tool that is to be strict, where its schema is taken", async () => {
    server = await startModelServer({ script: () => ({ text: "ok" }) })
    const model = open()
    const loose = { ...submit, input: { ...verdict, additionalProperties: true } }
    const replies = [await ask(model, [add, submit]), await ask(model, [add, loose]), await ask(model, [add])]
    expect(replies.map(({ error }) => error)).toEqual([undefined, undefined, undefined])
    expect(server.requests.map(strictIn)).toEqual([["submit_result"], [], []])
  })

  test("get none where somebody says that they do not know it", async () => {
    server = await startModelServer({ script: () => ({ text: "ok" }) })
    await ask(open(false), [submit])
    expect(server.requests.map(strictIn)).toEqual([[]])
  })

  test("are asked again without it where they refuse it, and never again with it", async () => {
    server = await startModelServer({
      script: [
        refusal("tools.0.custom.strict: Extra inputs are not permitted"),
        { text: "ok" },
        { text: "ok" },
      ],
    })
    const model = open()
    const replies = [await ask(model, [submit]), await ask(model, [submit]), await ask(model, [submit])]
    expect(replies.map(({ error, text }) => error ?? text)).toEqual([
      { kind: "rejected", message: expect.stringMatching(/Extra inputs.*without `strict`/), retryable: true },
      "ok",
      "ok",
    ])
    expect(server.requests.map(strictIn)).toEqual([["submit_result"], [], []])
  })

  test.each<[string, ScriptedAnswer, readonly OfferedTool[]]>([
    ["about something else", refusal("max_tokens: is too large"), [submit]],
    ["though no strict tool was sent", refusal("The schema is too complex"), [add]],
  ])("a refusal %s stays final", async (_what, answer, tools) => {
    server = await startModelServer({ script: [answer] })
    expect((await ask(open(), tools)).error).toMatchObject({ kind: "rejected", retryable: false })
  })
})

test("a run whose model turns out not to take strict tools comes to its result, and its log says why it asked twice", async () => {
  server = await startModelServer({
    script: () => ({ calls: [{ tool: "submit_result", arguments: { verdict: "pass" } }] }),
  })
  const model = anthropicModel({
    model: "claude-sonnet-4-20250514",
    baseUrl: server.url,
    strictTools: true,
  })
  const runtime = createRuntime({ models: { old: model } })
  const agent = defineAgent({ name: "judge", instructions: "Judge.", model: "old", result: verdict })
  const run = runtime.run(agent, "Go")
  const retries: unknown[] = []
  for await (const event of run) if (event.type === "model-retry") retries.push(event)
  const result = await run.done
  expect({ outcome: result.outcome, value: result.value, sent: server.requests.map(strictIn) }).toEqual({
    outcome: { type: "completed" },
    value: { verdict: "pass" },
    sent: [["submit_result"], []],
  })
  expect(retries).toEqual([
    expect.objectContaining({
      error: expect.objectContaining({
        message: expect.stringMatching(/does not support strict tools.*repeated/),
      }),
    }),
  ])
})

test("a configuration and settings in code say so of a server that is not known for it", async () => {
  server = await startModelServer({ script: () => ({ text: "ok" }) })
  const { url: baseUrl } = server
  const entry = { protocol: "anthropic", baseUrl } as const
  const source = createModelSource({
    environment: {},
    providers: { silent: entry, gate: { ...entry, strictTools: true } },
    models: { set: { ...entry, model: "m", strictTools: true } },
  })
  const uses = [{ provider: "silent", model: "m" }, { provider: "gate", model: "m" }, { name: "set" }]
  for (const use of uses) expect((await ask(await source.open(use), [submit])).error).toBeUndefined()
  expect(server.requests.map(strictIn)).toEqual([[], ["submit_result"], ["submit_result"]])
})

describe("who is known to take strict tools", () => {
  test.each<[string, string | undefined, "known" | "unknown"]>([
    ["claude-haiku-4-5-20251001", undefined, "known"],
    ["claude-sonnet-5-5", undefined, "known"],
    ["claude-opus-4-8", "https://api.anthropic.com/v1", "known"],
    ["claude-opus-4-8", "https://gateway.example.com", "unknown"],
    ["claude-sonnet-4-20250514", undefined, "unknown"],
    ["claude-opus-4-1", undefined, "unknown"],
    ["claude-3-haiku-20240307", undefined, "unknown"],
    ["claude-mythos-preview", undefined, "unknown"],
  ])("Anthropic's %s at %s: %s", (model, baseUrl, support) => {
    expect(getAnthropicStrictRules(model, baseUrl).support).toBe(support)
  })

  test.each<[string, string | undefined, "known" | "unknown"]>([
    ["gpt-4o", undefined, "known"],
    ["gpt-5", "https://gateway.example.com", "known"],
    ["ft:gpt-4o:x", undefined, "unknown"],
    ["qwen3", "http://127.0.0.1:11434/v1", "unknown"],
  ])("OpenAI's %s at %s: %s", (model, baseUrl, support) => {
    expect(openAiStrictRules(model, baseUrl).support).toBe(support)
  })

  test.each<[string, string, string, "known" | "unknown"]>([
    ["openai.responses", "gpt-5", "v4", "known"],
    ["openai.chat", "gpt-5", "v3", "known"],
    ["openai.chat", "gpt-5", "v2", "unknown"],
    ["azure.responses", "gpt-5", "v4", "known"],
    ["anthropic.messages", "claude-opus-5", "v4", "known"],
    ["amazon-bedrock", "us.anthropic.claude-sonnet-5", "v4", "unknown"],
    ["google.generative-ai", "gemini-3-pro-preview", "v4", "unknown"],
    ["mistral.chat", "mistral-large", "v4", "unknown"],
  ])("the package of %s with %s, version %s: %s", (provider, modelId, specificationVersion, support) => {
    const model = { provider, modelId, specificationVersion, doStream: () => Promise.reject(new Error()) }
    expect(getAiSdkStrictRules(model, undefined).support).toBe(support)
  })

  test("through a package, a schema is judged by the rules of whoever made the model", () => {
    const alike = { anyOf: [verdict, verdict] }
    const schema = { ...verdict, properties: { a: alike }, required: ["a"] }
    const taken = (provider: string, modelId: string): boolean =>
      getAiSdkStrictRules(
        { provider, modelId, specificationVersion: "v4", doStream: () => Promise.reject(new Error()) },
        undefined,
      ).takes(schema)
    expect([taken("amazon-bedrock", "us.anthropic.claude-opus-5"), taken("azure.chat", "gpt-5")]).toEqual([
      true,
      false,
    ])
  })
})
