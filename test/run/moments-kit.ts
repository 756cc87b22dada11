import type { AgentInput } from "../../src/agent/agent.ts"
import type { RuntimeParts } from "../../src/run/face/runtime.ts"
import type { LiveEvent } from "../../src/run/log/event.ts"
import type { Hook } from "../../src/run/ports/hook.ts"
import type { MomentQuestions } from "../../src/run/ports/hooked-moment.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { collect, expectSound, stateOf, tool, world } from "../kit.ts"

export interface Options {
  readonly script?: ModelScript
  readonly agents?: readonly AgentInput[]
  readonly runtime?: Partial<RuntimeParts>
  readonly spawns?: readonly string[]
  readonly hooks?: readonly Hook[]
}

export const done: ModelScript = { lead: [{ text: "done" }] }

export function open(
  at: MomentQuestions,
  { script = done, agents, spawns, hooks = [], runtime }: Options = {},
) {
  return world({
    script,
    ...(agents && { agents }),
    tools: [tool("Note", () => "noted"), tool("Change", () => "changed", { effect: "opaque" })],
    runtime: { hooks: [{ name: "code", at, ...(spawns && { spawns }) }, ...hooks], ...runtime },
  })
}

/** A run under hooks that are asked at moments. */
export async function run(at: MomentQuestions, options: Options = {}) {
  const opened = open(at, options)
  const handle = opened.runtime.run("lead", "go")
  const events = await collect(handle)
  const result = await handle.done
  await expectSound(opened.store, handle.id)
  const state = await stateOf(opened.store, handle.id)
  return {
    id: handle.id,
    result,
    events,
    state,
    told: [...state.messages].flatMap(({ role, text }) => (role === "user" ? [text] : [])),
    ends: events.flatMap(momentEnd),
    agents: events.flatMap((event) => (event.type === "run-start" ? [event.agent] : [])),
  }
}

export const momentEnd = (event: LiveEvent) => {
  if (event.type !== "moment-end") return []
  const { run: _, seq: __, at: ___, v: ____, type: _____, ...rest } = event
  return [rest]
}

export const note = { tool: "Note", input: {} }
export const delegate = (agent: string, more = {}) => ({
  tool: "Agent",
  input: { agent, prompt: agent, ...more },
})
export const answers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ text: `answer ${index + 1}` }))
export const spawning = (mode: "before" | "background") =>
  ({ type: "pass", spawns: [{ agent: "helper", task: "look", mode }] }) as const
