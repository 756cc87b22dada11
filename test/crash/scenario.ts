import { defineAgent } from "../../src/agent/agent.ts"
import { defineTool, type ToolEffect } from "../../src/agent/tool.ts"
import { checkHistory } from "../../src/faces/testing/history.ts"
import { sumTokens } from "../../src/ground/usage.ts"
import { fold } from "../../src/run/begin/load.ts"
import { sumUsage } from "../../src/run/drive/proof.ts"
import { openRuntime, type Runtime } from "../../src/run/face/runtime.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import type { Store } from "../../src/run/log/store.ts"
import type { Hook } from "../../src/run/ports/hook.ts"
import { agentTool } from "../../src/world/tools/agent.ts"
import { scripted } from "../named-models.ts"

/** How often each call's effect happened, kept outside of any runtime. */
export type Ledger = Map<string, { effect: ToolEffect; count: number }>

const agents = ["lead", "middle", "leaf", "deep", "watcher"].map((name) =>
  defineAgent({ name, instructions: `You are ${name}.` }),
)
const effects: readonly ToolEffect[] = ["read", "idempotent", "keyed", "opaque"]
const delegate = (agent: string, more = {}) => ({ tool: "Agent", input: { agent, prompt: agent, ...more } })
const use = (tool: string) => ({ tool, input: { of: tool } })

const script = {
  lead: [
    {
      text: "start",
      calls: [delegate("middle"), delegate("middle"), delegate("watcher", { background: true })],
    },
    { text: "next", calls: [use("opaque"), use("read")] },
    ...Array.from({ length: 6 }, () => ({ text: "lead done" })),
  ],
  middle: [
    { calls: [delegate("leaf"), use("opaque"), use("idempotent")] },
    { calls: [use("read")] },
    { text: "middle done" },
  ],
  leaf: [{ calls: [use("keyed"), use("read"), delegate("deep")] }, { text: "leaf done" }],
  deep: [{ calls: [use("opaque")] }, { text: "looked", calls: [use("read")] }, { text: "deep done" }],
  watcher: [{ calls: [use("opaque")] }, { calls: [use("read")] }, { text: "watched" }],
}

const hooks: readonly Hook[] = [
  {
    name: "mark",
    async judge({ tool, input }) {
      if (tool === "idempotent")
        return { type: "rewrite", arguments: JSON.stringify({ ...input, marked: true }) }
      return { type: "pass" }
    },
  },
]

/** A tree of depth 3 with every effect class, parallel and background children, hooks and repeated provider ids. */
export function openScenario(
  store: Store,
  ledger: Ledger,
  work: () => Promise<void> = async () => {},
): Runtime {
  const tools = effects.map((effect) =>
    defineTool({
      name: effect,
      description: effect,
      effect,
      input: { type: "object" },
      async execute(_, { key }) {
        const entry = ledger.get(key) ?? { effect, count: 0 }
        ledger.set(key, { effect, count: entry.count + 1 })
        await work()
        return `did ${effect}`
      },
    }),
  )
  return openRuntime({
    store,
    agents,
    hooks,
    tools: [...tools, agentTool()],
    models: scripted(script),
  })
}

/** Everything that must hold of a tree that has ended, whatever happened to its processes. */
export async function findFaults(
  store: Store,
  root: string,
  ledger: Ledger,
  letters: readonly string[] = [],
): Promise<readonly string[]> {
  const faults: string[] = []
  let billed = 0
  for await (const { run } of store.list({ root })) {
    const { state } = (await fold(store, run))!
    const events: RunEvent[] = []
    for await (const event of store.read(run)) events.push(event as unknown as RunEvent)
    if (!state.end) faults.push(`${run} has not ended`)
    else if (state.end.outcome.type !== "completed" && state.end.outcome.type !== "uncertain")
      faults.push(`${run} ended as ${JSON.stringify(state.end.outcome)}`)
    faults.push(...checkHistory(state.messages).map((problem) => `${run}: ${problem}`))
    const asked = events.flatMap((event) => (event.type === "model-end" ? event.calls : []))
    const ended = events.flatMap((event) => (event.type === "tool-end" ? [event.call] : []))
    const used = [...state.messages].flatMap((message) => (message.role === "tool" ? [message.call] : []))
    const expected = JSON.stringify(asked.map(({ id }) => id))
    if (JSON.stringify([...ended].sort(byNumber)) !== expected)
      faults.push(`${run}: calls ${expected} ended as ${ended}`)
    if (JSON.stringify(used) !== expected) faults.push(`${run}: calls ${expected} were used as ${used}`)
    for (const event of events) if (event.type === "model-end") billed += sumTokens(event.usage)!
    if (run !== root) continue
    for (const letter of letters) {
      const seen = [...state.messages, ...state.inbox].filter(({ text }) => text === letter).length
      if (seen !== 1) faults.push(`${run}: the letter ${letter} was seen ${seen} times`)
    }
  }
  const { inputTokens = 0, outputTokens = 0 } = sumUsage((await fold(store, root))!.state).script ?? {}
  if (inputTokens + outputTokens !== billed)
    faults.push(`usage is ${inputTokens + outputTokens}, but ${billed} were billed`)
  for (const [key, { effect, count }] of ledger)
    if (effect === "opaque" && count > 1) faults.push(`opaque ${key} happened ${count} times`)
  return faults
}

const byNumber = (left: string, right: string) => Number(left.slice(1)) - Number(right.slice(1))
