import { setTimeout } from "node:timers/promises"
import { type Agent, defineAgent } from "../../src/agent/agent.ts"
import type { Model } from "../../src/agent/model.ts"
import { createRuntime, type RuntimeOptions } from "../../src/assembly/create-runtime.ts"
import { definePipeline, type PipelineInput } from "../../src/definitions/pipelines/define.ts"
import type { Json } from "../../src/ground/message.ts"
import type { Runtime } from "../../src/run/face/runtime.ts"
import type { Store } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { stateOf } from "../kit.ts"

/** What an agent answers to a task: a text, a value, or a failure. */
export type Answer =
  | { readonly text: string }
  | { readonly value: { readonly [name: string]: Json } }
  | { readonly fails: string }

export type Answering = (agent: string, task: string) => Answer | Promise<Answer>

/** Agents that answer by a function of their task, whatever order they are asked in; and how often each was asked what. */
export function pipelineWorld(parts: {
  pipeline: Omit<PipelineInput, "name"> & { readonly name?: string }
  agents?: readonly Agent[]
  answers: Answering
  store?: Store
  asked?: string[]
  options?: Partial<RuntimeOptions>
}): {
  runtime: Runtime
  store: Store
  asked: readonly string[]
  run(task?: string): ReturnType<Runtime["run"]>
} {
  const { store = memoryStore(), asked = [], answers, pipeline, options } = parts
  const agents = parts.agents ?? [plain("worker")]
  const runtime = createRuntime({
    store,
    agents: [definePipeline({ name: "flow", ...pipeline }), ...agents],
    models: { test: answering(answers, asked) },
    ...options,
  })
  return { runtime, store, asked, run: (task = "go") => runtime.run("flow", task) }
}

export const plain = (name: string): Agent => defineAgent({ name, instructions: `You are ${name}.` })

export const typed = (name: string, properties: { readonly [name: string]: Json }): Agent =>
  defineAgent({
    name,
    instructions: `You are ${name}.`,
    result: { type: "object", properties, required: Object.keys(properties) },
  })

function answering(answers: Answering, asked: string[]): Model {
  return {
    id: "test",
    async stream({ agent, messages }) {
      const task = [...messages][0]!.text
      asked.push(`${agent}: ${task}`)
      const answer = await answers(agent, task)
      const reply = { text: "", calls: [], usage: { inputTokens: 10, outputTokens: 5 }, stop: "end" } as const
      if ("text" in answer) return { ...reply, text: answer.text }
      if ("fails" in answer)
        return { ...reply, error: { kind: "rejected", message: answer.fails, retryable: false } }
      const call = { wire: "w1", tool: "submit_result", arguments: JSON.stringify(answer.value) }
      return { ...reply, calls: [call], stop: "calls" }
    },
  }
}

export const later = async (ms: number, answer: Answer): Promise<Answer> => setTimeout(ms, answer)

/** Every run of a tree by what it was for, with what it came to: ids and numbers, which depend on timing, left out. */
export async function treeOf(store: Store, root: string): Promise<readonly string[]> {
  const runs: string[] = []
  for await (const { run } of store.list({ root })) {
    const { start, end } = await stateOf(store, run)
    const depth = "  ".repeat(start!.depth)
    runs.push(
      `${depth}${start!.agent} (${start!.kind}): ${start!.task} -> ${end?.outcome.type ?? "open"}: ${end?.output ?? ""}`,
    )
  }
  return runs.sort()
}
