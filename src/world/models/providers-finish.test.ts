import { afterEach, describe, expect, test } from "vitest"
import { defineAgent } from "../../agent/agent.ts"
import type { Model, ModelReply } from "../../agent/model.ts"
import { defineTool } from "../../agent/tool.ts"
import { createRuntime } from "../../assembly/create-runtime.ts"
import { type ModelServer, type ScriptedAnswer, startModelServer } from "../../faces/testing/model-server.ts"
import { requestWith } from "../../faces/testing/plain-request.ts"
import { builtInProviders } from "./providers.ts"
import { createModelSource } from "./source.ts"
import { anthropicModel } from "./wire/anthropic.ts"
import { findChatRules } from "./wire/openai/rules.ts"
import { openaiModel } from "./wire/openai.ts"
import { responsesModel } from "./wire/responses.ts"

/** The finish reasons of replies, in the words of each built-in provider, and in a word that no provider has. */

let server: ModelServer
afterEach(() => server.close())

const environment = Object.fromEntries(
  builtInProviders.flatMap(({ keyVariables = [] }) => keyVariables.map((name) => [name, "key"])),
)

async function opened(provider: string, stream: "sse" | "json", answer: ScriptedAnswer): Promise<Model> {
  server = await startModelServer({ provider, script: () => answer })
  const { protocol } = builtInProviders.find(({ id }) => id === provider)!
  if (stream === "sse") {
    const addresses: Readonly<Record<string, string>> = {
      google: server.url.replace(/v1$/, "v1beta"),
      azure: server.url.replace(/v1$/, ""),
    }
    const providers = { [provider]: { baseUrl: addresses[provider] ?? server.url } }
    return createModelSource({ environment, home: "/nowhere", providers }).open({ provider, model: "m" })
  }
  const options = { model: "m", stream, baseUrl: server.url }
  if (protocol === "anthropic")
    return anthropicModel({ ...options, baseUrl: server.url.replace(/\/v1$/, "") })
  return protocol === "responses" ? responsesModel(options) : openaiModel({ ...options, provider })
}

const ids = builtInProviders.map(({ id }) => id)
/** Google is asked without a stream only over chat completions. */
const ways = ids.flatMap((id) => [[id, "sse"] as const, [id, "json"] as const])

test.each(ways)(
  "%s, %s: a word that is not known ends the run as failed, and no call runs",
  async (id, stream) => {
    let calls = 0
    const model = await opened(id, stream, {
      text: "Half an answer.",
      calls: [{ tool: "look", arguments: {} }],
      finish: "moonquake",
    })
    const look = defineTool({
      name: "look",
      description: "Looks.",
      input: { type: "object" },
      effect: "read",
      execute: () => `${++calls}`,
    })
    const agents = [defineAgent({ name: "sage", instructions: "Be brief.", model: "m" })]
    const runtime = createRuntime({ agents, tools: [look], models: { m: model } })
    const { outcome, output } = await runtime.run("sage", "Go").done
    await runtime.close()
    expect([outcome, output, calls, server.requests.length]).toEqual([
      {
        type: "failed",
        reason: expect.stringContaining('"moonquake"'),
      },
      "Half an answer.",
      0,
      1,
    ])
  },
)

/** The summary of a reply: its end, and whether its call may run. */
const endOf = ({ stop, calls, error }: ModelReply) =>
  error ? [error.kind, error.retryable] : [stop, calls.length]

const withCall: Omit<ScriptedAnswer, "finish"> = { text: "Said.", calls: [{ tool: "look", arguments: {} }] }

const chatEnds = {
  end: ["calls", 1],
  calls: ["calls", 1],
  length: ["length", 0],
  filter: ["filter", 0],
  retry: ["overloaded", true],
}

describe.each(["sse", "json"] as const)("%s", (stream) => {
  const words = builtInProviders
    .filter(({ protocol }) => protocol === "openai")
    .flatMap(({ id }) =>
      Object.entries(findChatRules(id, "http://127.0.0.1/v1").endings).map(
        ([word, ending]) => [id, word, ending] as const,
      ),
    )

  test.each(words)("%s: %s is %s", async (id, finish, ending) => {
    const model = await opened(id, stream, { ...withCall, finish })
    expect(endOf(await model.stream(requestWith(), () => undefined))).toEqual(chatEnds[ending])
  })

  test.each([
    ["end_turn", ["calls", 1]],
    ["stop_sequence", ["calls", 1]],
    ["tool_use", ["calls", 1]],
    ["max_tokens", ["length", 0]],
    ["model_context_window_exceeded", ["length", 0]],
    ["pause_turn", ["length", 0]],
    ["refusal", ["filter", 0]],
  ])("anthropic: %s is %j", async (finish, end) => {
    const model = await opened("anthropic", stream, { ...withCall, finish })
    expect(endOf(await model.stream(requestWith(), () => undefined))).toEqual(end)
  })

  test.each([
    ["completed", ["calls", 1]],
    ["max_output_tokens", ["length", 0]],
    ["content_filter", ["filter", 0]],
    ["failed", ["overloaded", true]],
  ])("openai-responses: %s is %j", async (finish, end) => {
    const model = await opened("openai-responses", stream, { ...withCall, finish })
    expect(endOf(await model.stream(requestWith(), () => undefined))).toEqual(end)
  })
})
