import { createOpenAI } from "@ai-sdk/openai"
import { Agent, OpenAIProvider, Runner } from "@openai/agents"
import { generateText, stepCountIs, streamText, type ToolSet } from "ai"
import { afterEach, describe, expect, test } from "vitest"
import type { StandaloneAgentToolOptions } from "../../assembly/embed/agent-tool.ts"
import { SubagentRegistry } from "../../definitions/registry/registry.ts"
import { scriptedModel } from "../../world/models/scripted.ts"
import type { ModelServer } from "../testing/model-server.ts"
import { startModelServer } from "../testing/model-server.ts"
import { aiSdkTools } from "./ai-sdk.ts"
import { openAiAgentsTools } from "./openai-agents.ts"

let server: ModelServer
afterEach(() => server.close())

/** Starts a server whose model calls the Agent tool once with these arguments, and then repeats the result. */
async function serve(given: string | Record<string, string>): Promise<void> {
  server = await startModelServer({
    script: ({ body: { messages } }) => {
      const [last] = (messages as { role: string; content: string }[]).slice(-1)
      return last!.role === "tool"
        ? { text: `It said: ${last!.content}` }
        : { calls: [{ tool: "Agent", arguments: given }] }
    },
  })
}

function registry(): SubagentRegistry {
  const registry = new SubagentRegistry()
  registry.register({ name: "sage", description: "Knows.", instructions: "Know.", tools: [] })
  return registry
}

interface Asked {
  readonly registry?: SubagentRegistry
  readonly options?: Omit<StandaloneAgentToolOptions, "registry">
  readonly signal?: AbortSignal
}
type Host = (asked: Asked) => Promise<string | undefined>

const sage = scriptedModel({ sage: [{ text: "42." }] })
const chat = () => createOpenAI({ baseURL: server.url, apiKey: "key" }).chat("host")
const aiSdk = ({ registry: agents = registry(), options = { model: sage }, signal }: Asked) => ({
  model: chat(),
  prompt: "Ask.",
  // The package's own types accept the tools, although cadre does not import the package.
  tools: aiSdkTools(agents, options) satisfies ToolSet,
  stopWhen: stepCountIs(3),
  ...(signal && { abortSignal: signal }),
})

const hosts: readonly (readonly [string, Host])[] = [
  ["generateText", async (asked) => (await generateText(aiSdk(asked))).text],
  ["streamText", async (asked) => await streamText({ ...aiSdk(asked), onError() {} }).text],
  [
    "the OpenAI Agents SDK",
    async ({ registry: agents = registry(), options = { model: sage }, signal }) => {
      const tools = openAiAgentsTools(agents, options)
      const provider = new OpenAIProvider({ baseURL: server.url, apiKey: "key", useResponses: false })
      const runner = new Runner({ tracingDisabled: true, modelProvider: provider })
      const host = new Agent({ name: "host", instructions: "Ask.", model: "host", tools })
      return (await runner.run(host, "Ask.", { ...(signal && { signal }) })).finalOutput
    },
  ],
]

describe.each(hosts)("in %s", (_, host) => {
  test("an agent's report is the result of the call, and no request is one a provider could refuse", async () => {
    await serve({ agent: "sage", prompt: "What?" })
    expect(await host({})).toMatch(
      /^It said: <report agent="sage" run="\w+" outcome="completed">\n42\.\n<\/report>$/,
    )
    expect(server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined])
  })

  test.each([
    [
      "an unknown agent",
      { agent: "sgae", prompt: "What?" },
      /^It said: Subagent 'sgae' not found. Available: sage/,
    ],
    ["missing arguments", { agent: "sage" }, /^It said.*tool.*texts/],
    ["a failing child", { agent: "sage", prompt: "What?" }, /did not complete: failed: .*out of order/],
  ])("%s does not end the host", async (_, given, text) => {
    await serve(given)
    const model = scriptedModel({ sage: [{ error: { message: "out of order" } }] })
    expect(await host({ options: { model } })).toMatch(text)
  })

  test("the depth of the host counts", async () => {
    await serve({ agent: "sage", prompt: "What?" })
    expect(await host({ options: { model: sage, currentDepth: 2, maxDepth: 2 } })).toBe(
      "It said: Maximum subagent nesting depth (2) reached. Cannot spawn 'sage' at depth 2. Finish with your own tools.",
    )
  })

  test("aborting the host cancels the child", async () => {
    await serve({ agent: "sage", prompt: "What?" })
    const aborting = new AbortController()
    let stopped: (() => void) | undefined
    const childStopped = new Promise<void>((resolve) => {
      stopped = resolve
    })
    const slow = scriptedModel({ sage: [{ text: "Late.", delayMs: 20_000 }] })
    const watched = {
      ...slow,
      stream: (...words: Parameters<typeof slow.stream>) => {
        words[0].signal.addEventListener("abort", () => stopped!())
        setTimeout(() => aborting.abort(), 20)
        return slow.stream(...words)
      },
    }
    await Promise.allSettled([host({ options: { model: watched }, signal: aborting.signal })])
    await childStopped
  })
})

test.each([
  ["AI SDK", (agents: SubagentRegistry) => aiSdkTools(agents, { model: sage }).Agent],
  ["OpenAI Agents SDK", (agents: SubagentRegistry) => openAiAgentsTools(agents, { model: sage })[0]!],
])("what a tool of the %s says of itself follows the registry", async (_, toolOf) => {
  await serve({})
  const agents = registry()
  const tool = toolOf(agents)
  agents.register({ name: "fool", description: "Guesses.", instructions: "Guess.", tools: [] })
  expect(tool.description.split("Agents:\n")[1]).toBe("- fool: Guesses.\n- sage: Knows.")
})

test("arguments that are no JSON are told to the model", async () => {
  await serve({})
  const [tool] = openAiAgentsTools(registry(), { model: sage })
  expect(await tool!.invoke(undefined, "{oops")).toMatch(/tool.*texts/)
})
