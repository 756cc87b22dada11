import { expect } from "vitest"
import { type AgentInput, defineAgent } from "../src/agent/agent.ts"
import type { Model } from "../src/agent/model.ts"
import { defineTool, type Tool, type ToolContext } from "../src/agent/tool.ts"
import { checkHistory } from "../src/faces/testing/history.ts"
import { fold } from "../src/run/begin/load.ts"
import type { RunHandle } from "../src/run/face/handle.ts"
import { openRuntime, type Runtime, type RuntimeParts } from "../src/run/face/runtime.ts"
import type { LiveEvent } from "../src/run/log/event.ts"
import type { Store } from "../src/run/log/store.ts"
import type { RunState } from "../src/run/state/state.ts"
import type { ModelScript } from "../src/world/models/scripted.ts"
import { memoryStore } from "../src/world/stores/memory.ts"
import { agentTool } from "../src/world/tools/agent.ts"
import { named, scripted } from "./named-models.ts"
// Loads with the first run otherwise, which makes that one slower than the moment many tests wait for it.
import "../src/run/face/engine.ts"

/** A runtime on a script, with the delegation tool over all its agents. */
export function world(parts: {
  script: ModelScript
  agents?: readonly AgentInput[]
  tools?: readonly Tool[]
  store?: Store
  runtime?: Partial<RuntimeParts> & { resolveModel?: (name: string) => Promise<Model> }
}): { runtime: Runtime; store: Store } {
  const store = parts.store ?? memoryStore()
  const inputs =
    parts.agents ?? Object.keys(parts.script).map((name) => ({ name, instructions: `You are ${name}.` }))
  const agents = inputs.map(defineAgent)
  const { resolveModel, ...rest } = parts.runtime ?? {}
  const runtime = openRuntime({
    store,
    agents,
    tools: [...(parts.tools ?? []), agentTool()],
    models: resolveModel ? named(resolveModel) : scripted(parts.script),
    ...rest,
  })
  return { runtime, store }
}

/** A tool of no arguments that matter, in one line. */
export const tool = (
  name: string,
  execute: (input: Record<string, unknown>, context: ToolContext) => unknown = () => "ok",
  more: {
    effect?: Tool["effect"]
    timeout?: number
    poller?: true
    resource?: (input: Record<string, unknown>) => string
  } = {},
): Tool =>
  defineTool<Record<string, unknown>>({
    name,
    description: name,
    input: { type: "object" },
    effect: "read",
    execute: execute as never,
    ...more,
  })

export async function collect(handle: RunHandle): Promise<readonly LiveEvent[]> {
  const events: LiveEvent[] = []
  for await (const event of handle) events.push(event)
  return events
}

export async function stateOf(store: Store, run: string): Promise<RunState> {
  return (await fold(store, run))!.state
}

/** The texts of a run's tool results, in the order the model sees them; reports without their envelopes. */
export async function results(store: Store, run: string): Promise<readonly string[]> {
  return [...(await stateOf(store, run)).messages].flatMap((message) =>
    message.role === "tool" ? [withoutEnvelope(message.text)] : [],
  )
}

export const withoutEnvelope = (text: string): string =>
  text.replace(/<report agent="[^"]*" run="[^"]*" outcome="[^"]*">\n([\s\S]*)\n<\/report>/, "$1")

/** Every history of a tree is well formed, and no call is left open in a run that ended. */
export async function expectSound(store: Store, root: string): Promise<void> {
  for await (const { run } of store.list({ root })) {
    const state = await stateOf(store, run)
    expect({ run, problems: checkHistory(state.messages) }).toEqual({ run, problems: [] })
    if (state.end) expect({ run, open: [...state.calls] }).toEqual({ run, open: [] })
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; !(await holds()); round++) {
    if (round === 100_000) throw new Error(`never came to hold: ${holds}`)
    await sleep(2)
  }
}

/** Waits until a run has recorded an event of that type. */
export const recorded = (store: Store, run: string, type: string): Promise<void> =>
  until(async () => {
    try {
      for await (const event of store.read(run)) if (event.type === type) return true
    } catch {
      // It is not there yet.
    }
    return false
  })

/** Work that ends only when told to, and remembers whether it was. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))))
