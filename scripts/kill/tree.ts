import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { defineAgent } from "../../src/agent/agent.ts"
import type { McpProgram } from "../../src/agent/mcp-server.ts"
import type { Model, ModelReply } from "../../src/agent/model.ts"
import { defineTool, type ToolEffect } from "../../src/agent/tool.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import type { Runtime } from "../../src/run/face/runtime.ts"
import type { Store } from "../../src/run/log/store.ts"
import type { Hook } from "../../src/run/ports/hook.ts"
import type { HookActions } from "../../src/run/ports/hooked.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import type { Order } from "./life.ts"
import { fraction } from "./random.ts"
import { askerRun, trees } from "./trees.ts"

/** One line of the ledger: `run call effect phase`. The start line is the effect. */
export interface LedgerLine {
  readonly run: string
  readonly call: string
  readonly effect: ToolEffect
  readonly phase: "start" | "end"
}

/**
 * A runtime for a tree, with a hook, results that are kept as blobs and tools of every effect class. Everything takes a
 * few milliseconds, so that a kill may land anywhere in it.
 */
export function openTree(
  store: Store,
  { tree, seed, ...files }: Pick<Order, "tree" | "seed" | "ledger" | "server">,
  append: (line: string) => void,
): Runtime {
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
      // A server learns which call it does from nothing but the arguments.
      if (tool.startsWith("mcp__"))
        return { type: "rewrite", arguments: JSON.stringify({ ...input, run, call, most: 40 }) }
      if (tool !== "idempotent") return { type: "pass" }
      return { type: "rewrite", arguments: JSON.stringify({ ...input, marked: true }) }
    },
  }
  return createRuntime({
    store,
    agents: [...new Set(trees[tree].agents)].map((name) =>
      defineAgent({ name, instructions: `You are ${name}.` }),
    ),
    tools: tree === "moments" ? [...tools, commands(append, pause)] : tools,
    hooks: tree === "moments" ? [mark, ...momentHooks] : [mark],
    ...(tree === "mcp" && { mcpServers: { srv: ledgerServer(files) } }),
    models: { script: thinking(answering(scriptedModel(trees[tree].script))) },
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

/** Its statements about its tools are believed, so that they are of every effect class. */
const ledgerServer = ({ ledger, server }: Pick<Order, "ledger" | "server">): McpProgram => ({
  command: process.execPath,
  args: [server, ledger],
  visible: [path.dirname(server)],
  writable: [path.dirname(ledger)],
  annotations: "believed",
  sampling: { requests: 1_000, tokens: 1_000_000 },
})

/** Stands in for the tool that runs the commands of hooks: what it does is seen in the ledger, and never done twice. */
const commands = (append: (line: string) => void, pause: (most: number, what: string) => Promise<void>) =>
  defineTool<{ readonly command: string }>({
    name: "Bash",
    description: "Bash",
    effect: "opaque",
    input: { type: "object" },
    async execute({ command }, { run, call }) {
      append(`${run} ${call} opaque start\n`)
      await pause(40, `command ${run} ${call}`)
      append(`${run} ${call} opaque end\n`)
      return { text: "", evidence: { files: [], commands: [{ command, exitCode: 0 }] } }
    },
  })

/** Asked at every moment: one spawns whom the tree must have in the end, the other runs commands where none of them is a gate. */
const momentHooks: readonly Hook[] = [
  {
    name: "spawn",
    spawns: ["scout", "reviewer"],
    at: {
      run_start: async ({ agent }) =>
        agent === "lead"
          ? { type: "pass", spawns: [{ agent: "scout", task: "scout", mode: "before" }] }
          : undefined,
      before_model: async () => ({ type: "pass", variables: { asked: true } }),
      stop: async ({ agent, variables }) =>
        agent === "lead" && !variables.reviewed
          ? {
              type: "pass",
              variables: { reviewed: true },
              spawns: [{ agent: "reviewer", task: "reviewer", mode: "background" }],
            }
          : undefined,
    },
  },
  {
    name: "command",
    at: Object.fromEntries(
      (["after_model", "after_spawn", "run_end"] as const).map((moment) => [
        moment,
        async (_: unknown, __: AbortSignal, { command }: HookActions) => {
          await command("note", { input: "" })
          return undefined
        },
      ]),
    ),
  },
]

/** More than a log line may hold, and more than a model may see. */
const resultBytes: { readonly [effect in ToolEffect]?: number } = { idempotent: 60_000, keyed: 40_000 }

/** A script cannot know who will ask: whoever answers finds it in the question. */
function answering(model: Model): Model {
  return {
    ...model,
    async stream(request, onDelta) {
      const reply = await model.stream(request, onDelta)
      const asker = [...request.messages].map(({ text }) => /<question [^>]*run="([^"]+)"/.exec(text)?.[1])
      const run = asker.findLast((found) => found !== undefined)
      const calls = reply.calls.map((call) => ({
        ...call,
        arguments: call.arguments.replace(askerRun, run ?? "nobody asked"),
      }))
      return { ...reply, calls }
    },
  }
}

/** Leaves what it thought with every reply, as providers do, and refuses a history in which any of that is not as it was. */
function thinking(model: Model): Model {
  return {
    ...model,
    async stream(request, onDelta) {
      for (const message of request.messages)
        if (message.role === "assistant" && !isDeepStrictEqual(message.provider, thoughtOf(message)))
          return {
            text: "",
            calls: [],
            usage: { inputTokens: 0, outputTokens: 0 },
            stop: "other",
            error: {
              kind: "rejected",
              message: `What was thought came back as ${JSON.stringify(message.provider)}`,
              retryable: false,
            },
          }
      const reply = await model.stream(request, onDelta)
      return reply.error ? reply : { ...reply, provider: thoughtOf(reply) }
    },
  }
}

const thoughtOf = ({
  text,
  calls,
}: Pick<ModelReply, "text"> & { readonly calls: readonly { tool: string }[] }) => ({
  from: "kill",
  thought: `${text} ${calls.map(({ tool }) => tool).join(" ")}`,
})
