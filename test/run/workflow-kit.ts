import type { AgentInput } from "../../src/agent/agent.ts"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import { type NamedWorkflow, withWorkflows } from "../../src/definitions/workflow/source.ts"
import type { Json } from "../../src/ground/message.ts"
import type { RuntimeParts } from "../../src/run/face/runtime.ts"
import type { Store } from "../../src/run/log/store.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { collect, expectSound, results, stateOf, tool, world } from "../kit.ts"

export const call = (name: string, input: { readonly [name: string]: Json } = {}) => ({
  calls: [{ tool: name, input }],
})

/** Turns of one call each, and a last word. */
export const calling = (...names: readonly string[]): ModelScript => ({
  lead: [...names.map((name) => call(name)), { text: "done" }],
})

interface More {
  readonly agents?: readonly AgentInput[]
  readonly hooks?: Json
  readonly named?: readonly NamedWorkflow[]
  readonly runtime?: Partial<RuntimeParts>
  readonly store?: Store
  readonly variables?: { readonly [name: string]: Json }
}

const toolNames = ["Read", "Edit", "Bash", "mcp__tasks__claim", "mcp__tasks__get", "mcp__other__get"]

/** A runtime whose tools say what they are called, or what they are told to. */
export function workflowWorld(
  script: ModelScript,
  { agents = [], hooks = [], named = [], runtime, store }: More,
) {
  const ran: string[] = []
  const opened = world({
    script,
    agents,
    ...(store && { store }),
    tools: toolNames.map((name) =>
      tool(name, ({ says, command }, { agent }) => {
        ran.push(`${agent}: ${name}${command === undefined ? "" : ` ${command}`}`)
        if (says === "throw") throw new Error("it broke")
        return says === undefined
          ? { text: `ran ${name}`, evidence: { commands: [{ command: String(command), exitCode: 0 }] } }
          : String(says)
      }),
    ),
    runtime: {
      lifecycle: withWorkflows(createHookSource([{ name: "project", of: "project", hooks }]), named),
      ...runtime,
    },
  })
  return { ...opened, ran }
}

/** A run of an agent with this workflow, and what there is to see of it. */
export async function run(workflow: Json, script: ModelScript, more: More = {}) {
  const lead = { name: "lead", instructions: "x", workflow }
  const opened = workflowWorld(script, { ...more, agents: [lead, ...(more.agents ?? [])] })
  const handle = opened.runtime.run("lead", "go", { ...(more.variables && { variables: more.variables }) })
  const events = await collect(handle)
  const result = await handle.done
  await expectSound(opened.store, handle.id)
  const state = await stateOf(opened.store, handle.id)
  return {
    ran: opened.ran,
    events,
    outcome: result.outcome,
    results: await results(opened.store, handle.id),
    /** What the model was told besides its task and its results. */
    notes: [...state.messages].flatMap(({ role, text }) => (role === "user" ? [text] : [])).slice(1),
    step: state.step?.name,
    variables: state.variables,
    workflow: result.proof.workflow,
    turns: result.proof.turns,
    agents: events.flatMap((event) => (event.type === "run-start" ? [event.agent] : [])),
    problems: events.flatMap((event) => {
      if (event.type === "tool-end") return event.hooks?.problems ?? []
      return event.type === "moment-end" ? (event.problems ?? []) : []
    }),
    state,
  }
}
