import type { ToolEffect } from "../../src/agent/tool.ts"
import type { ModelScript, ScriptedTurn } from "../../src/world/models/scripted.ts"

/** A tree that is run and killed. */
interface Tree {
  /** Those of which the finished tree consists, in order. */
  readonly agents: readonly string[]
  readonly script: ModelScript
  /** The milliseconds and the number of writes that the tree takes without a kill. */
  readonly life: number
  readonly writes: number
}

export type TreeName = keyof typeof trees

/** In a call it stands for the run that asked. */
export const askerRun = "THE RUN THAT ASKED"

const delegate = (agent: string, more = {}) => ({ tool: "Agent", input: { agent, prompt: agent, ...more } })
const use = (tool: ToolEffect) => ({ tool, input: { of: tool } })
const ask = (tool: Exclude<ToolEffect, "keyed">) => ({ tool: `mcp__srv__${tool}`, input: { of: tool } })
/** A message that comes after the final answer asks for another one. */
const end = (text: string): readonly ScriptedTurn[] => Array.from({ length: 8 }, () => ({ text }))
const times = (count: number, agent: string): readonly string[] => Array.from({ length: count }, () => agent)
const leaves = [delegate("reader"), delegate("keeper"), delegate("writer")]

export const trees = {
  /** Four levels of which each is narrow, with every effect class. */
  mixed: {
    agents: ["deep", "deep", "lead", "leaf", "leaf", "middle", "middle", "watcher"],
    life: 350,
    writes: 160,
    script: {
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
    },
  },
  /** Three levels, three in parallel on each, one in the background, and one that asks its parent. */
  wide: {
    agents: [
      "asker",
      ...times(3, "keeper"),
      "lead",
      ...times(3, "middle"),
      ...times(3, "reader"),
      "watcher",
      ...times(2, "writer"),
    ],
    life: 450,
    writes: 240,
    script: {
      lead: [
        {
          calls: [
            delegate("middle", { prompt: "Answer." }),
            delegate("middle"),
            delegate("middle"),
            delegate("watcher", { background: true }),
          ],
        },
        { calls: [use("opaque"), use("idempotent")] },
        ...end("lead done"),
      ],
      middle: [
        { match: "Answer.", calls: [delegate("reader"), delegate("keeper"), delegate("asker")] },
        {
          match: "Answer.",
          calls: [{ tool: "AgentSend", input: { to: askerRun, text: "Tabs." } }, use("opaque")],
        },
        { match: "middle", calls: leaves },
        { match: "middle", calls: [use("opaque")] },
        ...end("middle done"),
      ],
      reader: [{ calls: [use("read"), use("read")] }, ...end("reader done")],
      keeper: [{ calls: [use("idempotent"), use("read")] }, ...end("keeper done")],
      writer: [{ calls: [use("opaque"), use("read")] }, { calls: [use("opaque")] }, ...end("writer done")],
      asker: [
        { calls: [{ tool: "AskParent", input: { question: "Tabs or spaces?" } }, use("opaque")] },
        { calls: [use("idempotent")] },
        ...end("asker done"),
      ],
      watcher: [{ calls: [use("opaque")] }, { calls: [use("read")] }, ...end("watcher done")],
    },
  },
  /**
   * Calls of one MCP server, in every effect class that such a tool can have, and of tools in code between them. A call
   * that reads asks for a reply of the model.
   */
  mcp: {
    agents: ["lead", "leaf", "leaf", "middle", "middle", "watcher"],
    life: 1_200,
    writes: 130,
    script: {
      lead: [
        { calls: [delegate("middle"), delegate("middle"), delegate("watcher", { background: true })] },
        { calls: [ask("opaque"), ask("read"), use("keyed")] },
        ...end("lead done"),
      ],
      middle: [
        { calls: [delegate("leaf"), ask("opaque"), ask("idempotent")] },
        { calls: [ask("read"), use("opaque")] },
        ...end("middle done"),
      ],
      leaf: [{ calls: [ask("read"), ask("idempotent")] }, { calls: [ask("opaque")] }, ...end("leaf done")],
      watcher: [
        { calls: [ask("opaque")] },
        { calls: [ask("idempotent"), ask("read")] },
        ...end("watcher done"),
      ],
    },
  },
  /** Hooks at every moment, which spawn agents and run commands. */
  moments: {
    agents: ["lead", "reviewer", "scout", "watcher", "worker"],
    life: 500,
    writes: 160,
    script: {
      lead: [
        { calls: [delegate("worker"), delegate("watcher", { background: true }), use("opaque")] },
        { calls: [use("read")] },
        ...end("lead done"),
      ],
      worker: [{ calls: [use("idempotent"), use("opaque")] }, ...end("worker done")],
      watcher: [{ calls: [use("read")] }, ...end("watcher done")],
      scout: [{ calls: [use("opaque")] }, { calls: [use("read")] }, ...end("scout done")],
      reviewer: [{ calls: [use("read")] }, ...end("reviewer done")],
    },
  },
} as const satisfies Readonly<Record<string, Tree>>
