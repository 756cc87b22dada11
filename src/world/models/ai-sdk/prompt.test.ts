import { describe, expect, test } from "vitest"
import type { ModelRequest } from "../../../agent/model.ts"
import { StrictTools } from "../wire/strict-tools.ts"
import type { AiSdkLanguageModel } from "./language-model.ts"
import { writeCallOptions } from "./prompt.ts"
import { getAiSdkStrictRules } from "./strict-rules.ts"

const modelOf = (provider: string, specificationVersion: string): AiSdkLanguageModel => ({
  provider,
  specificationVersion,
  modelId: "gpt-5",
  doStream: async () => {
    throw new Error("Nobody asks it here.")
  },
})
const open = { type: "object", properties: { a: { type: "number" } } } as const
const request = (messages: ModelRequest["messages"]) =>
  ({
    system: "",
    messages,
    tools: [{ name: "add", description: "Adds.", input: open }],
    turn: 1,
    signal: new AbortController().signal,
  }) as unknown as ModelRequest

const asked = (model: AiSdkLanguageModel, messages: ModelRequest["messages"] = []) =>
  writeCallOptions(model, request(messages), {
    parameters: {},
    strict: new StrictTools(getAiSdkStrictRules(model, undefined), {}),
  }) as { readonly tools: readonly object[]; readonly prompt: readonly object[] }

describe("a tool that is not strict", () => {
  const tool = { type: "function", name: "add", description: "Adds.", inputSchema: open }

  test.each([
    ["openai.responses", "v3", { ...tool, strict: false }],
    ["openai.responses", "v4", { ...tool, strict: false }],
    ["azure.responses", "v3", { ...tool, strict: false }],
    ["openai.responses", "v2", tool],
    ["openai.chat", "v3", tool],
    ["google.generative-ai", "v3", tool],
  ])("for %s of %s says so only where silence means strict", (provider, version, offered) => {
    expect(asked(modelOf(provider, version)).tools).toEqual([offered])
  })
})

test("ids of text and of calls that nobody stored are not sent back, and those of reasoning are", () => {
  const call = { id: "c1", wire: "w1", tool: "add", arguments: "{}" }
  const parts = [
    { type: "reasoning", text: "Hm.", options: { openai: { itemId: "rs_1" } } },
    { type: "text", length: 2, options: { openai: { itemId: "msg_1", phase: "commentary" } } },
    { type: "call", options: { azure: { itemId: "fc_1" }, other: { itemId: "kept" } } },
  ]
  const provider = { "ai-sdk": { provider: "openai", parts } }
  const message = { role: "assistant", text: "Ok", calls: [call], provider }
  const [answer] = asked(modelOf("openai.responses", "v3"), [message as never]).prompt
  expect(answer).toEqual({
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm.", providerOptions: { openai: { itemId: "rs_1" } } },
      { type: "text", text: "Ok", providerOptions: { openai: { phase: "commentary" } } },
      {
        type: "tool-call",
        toolCallId: "w1",
        toolName: "add",
        input: {},
        providerOptions: { azure: {}, other: { itemId: "kept" } },
      },
    ],
  })
})
