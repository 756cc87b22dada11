import { setTimeout } from "node:timers/promises"
import { defineAgent } from "../../src/agent.ts"
import { createRuntime } from "../../src/create-runtime.ts"
import { type ScriptedTurn, scriptedModel } from "../../src/models/scripted.ts"
import type { Hook } from "../../src/run/environment.ts"
import type { Runtime } from "../../src/run/runtime.ts"
import type { Store } from "../../src/run/store.ts"
import { defineTool, type Effect } from "../../src/tool.ts"
import { fraction } from "./random.ts"

/** One line of the ledger: `run call effect phase`. The start line is the effect. */
export interface LedgerLine {
  readonly run: string
  readonly call: string
  readonly effect: Effect
  readonly phase: "start" | "end"
}

/** Which agents the finished tree consists of. */
export const expectedAgents = ["deep", "deep", "lead", "leaf", "leaf", "middle", "middle", "watcher"]

/**
 * A runtime for a tree of depth 3 with parallel and background children, a hook, results that are kept as blobs and
 * every effect class. Everything takes a few milliseconds, so that a kill may land anywhere in it.
 */
export function openTree(store: Store, seed: number, append: (line: string) => void): Runtime {
  const pause = (most: number, what: string) => setTimeout(most * fraction(seed, what))
  const tools = (["read", "idempotent", "keyed", "opaque"] as const).map((effect) =>
    defineTool<{ readonly marked?: true }>({
      name: effect,
      description: effect,
      effect,
      input: { type: "object" },
      async execute({ marked }, { run, call }) {
        if (effect === "idempotent" && marked !== true) throw new Error("the hook's rewrite was forgotten")
        append(`${run} ${call} ${effect} start\n`)
        await pause(effect === "opaque" ? 60 : 25, `tool ${run} ${call}`)
        append(`${run} ${call} ${effect} end\n`)
        return `did ${effect} ${"x".repeat(resultBytes[effect] ?? 0)}`
      },
    }),
  )
  const mark: Hook = {
    name: "mark",
    async judge({ run, call, tool, input }) {
      await pause(8, `hook ${run} ${call}`)
      if (tool !== "idempotent") return { type: "pass" }
      return { type: "rewrite", arguments: JSON.stringify({ ...input, marked: true }) }
    },
  }
  return createRuntime({
    store,
    agents,
    tools,
    hooks: [mark],
    models: { script: scriptedModel(script) },
    layers: {
      model: [
        async (request, next) => {
          await pause(25, `model ${request.run} ${request.turn} ${request.attempt}`)
          return next(request)
        },
      ],
    },
  })
}

/** More than a log line may hold, and more than a model may see. */
const resultBytes: { readonly [effect in Effect]?: number } = { idempotent: 60_000, keyed: 40_000 }

const agents = [...new Set(expectedAgents)].map((name) =>
  defineAgent({ name, instructions: `You are ${name}.` }),
)

const delegate = (agent: string, more = {}) => ({ tool: "Agent", input: { agent, prompt: agent, ...more } })
const use = (tool: Effect) => ({ tool, input: { of: tool } })
/** A message that comes after the final answer asks for another one. */
const end = (text: string): readonly ScriptedTurn[] => Array.from({ length: 8 }, () => ({ text }))

const script = {
  lead: [
    { calls: [delegate("middle"), delegate("middle"), delegate("watcher", { background: true })] },
    { text: "next", calls: [use("opaque"), use("read")] },
    ...end("lead done"),
  ],
  middle: [
    { calls: [delegate("leaf"), use("opaque"), use("idempotent")] },
    { calls: [use("read")] },
    ...end("middle done"),
  ],
  leaf: [{ calls: [use("keyed"), use("read"), delegate("deep")] }, ...end("leaf done")],
  deep: [{ calls: [use("opaque")] }, { calls: [use("read")] }, ...end("deep done")],
  watcher: [
    { calls: [use("opaque")] },
    { calls: [use("keyed"), use("read")] },
    { calls: [use("idempotent")] },
    ...end("watcher done"),
  ],
}
