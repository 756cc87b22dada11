import type { Model, ModelError, ModelReply, ModelRequest } from "../../src/agent/model.ts"
import type { Tool } from "../../src/agent/tool.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import { world } from "../kit.ts"

export const overflow: ModelError = { kind: "overflow", message: "prompt is too long", retryable: false }
export const later = (retryAfter?: number): ModelError => ({
  kind: "rate-limit",
  message: "slow down",
  retryable: true,
  ...(retryAfter !== undefined && { retryAfter }),
})
export const usage = { inputTokens: 10, outputTokens: 5 }

let calls = 0

export const say = (text: string): ModelReply => ({ text, calls: [], usage, stop: "end" })
export const fail = (error: ModelError): ModelReply => ({ text: "", calls: [], usage, stop: "other", error })
export const use = (...tools: string[]): ModelReply => ({
  text: "",
  // Never the same twice: a run that repeats itself is warned.
  calls: tools.map((name) => ({ wire: `w${++calls}`, tool: name, arguments: `{"n":${calls}}` })),
  usage,
  stop: "calls",
})

/** Asks a function, and remembers what it was asked; a text is what fitted into one request. */
export function asked(
  answer: (request: ModelRequest, number: number) => ModelReply | Promise<ModelReply>,
  more: Partial<Model> = {},
) {
  const requests: { at: number; run: string; system: string; texts: readonly string[]; tools: number }[] = []
  const model: Model = {
    id: "m",
    stream: async (request) => {
      const texts = [...request.messages].map(({ text }) => text)
      requests.push({
        at: Date.now(),
        run: request.run,
        system: request.system,
        texts,
        tools: request.tools.length,
      })
      return answer(request, requests.length)
    },
    ...more,
  }
  return { model, requests }
}

export const one = [{ name: "a", instructions: "You are a." }]

/** A runtime with that one agent, whose model this is. */
export const worldOf = (model: Model, ...tools: readonly Tool[]) =>
  world({ script: {}, agents: one, tools, runtime: { resolveModel: async () => model } })

export const long = (size: number) => "x".repeat(size)

export async function recorded(
  store: ReturnType<typeof world>["store"],
  run: string,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of store.read(run)) events.push(event as unknown as RunEvent)
  return events
}
