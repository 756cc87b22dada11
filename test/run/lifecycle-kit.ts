import type { AgentInput } from "../../src/agent/agent.ts"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import type { Json } from "../../src/ground/message.ts"
import type { RuntimeParts } from "../../src/run/face/runtime.ts"
import type { LiveEvent } from "../../src/run/log/event.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { collect, expectSound, results, stateOf, tool, world } from "../kit.ts"

export const bash = (command: string) => ({ tool: "Bash", input: { command } })

/** A run under hooks, with every Bash call that really ran. */
export async function run(
  hooks: Json,
  script: ModelScript,
  more: {
    agents?: readonly AgentInput[]
    runtime?: Partial<RuntimeParts>
    variables?: { [name: string]: Json }
    depth?: number
  } = {},
) {
  const ran: string[] = []
  const opened = world({
    script,
    ...(more.agents && { agents: more.agents }),
    tools: [
      tool("Bash", ({ command }, { agent }) => {
        ran.push(`${agent}: ${command}`)
        return `ran ${command}`
      }),
    ],
    runtime: { lifecycle: createHookSource([{ name: "project", of: "project", hooks }]), ...more.runtime },
  })
  const { variables, depth } = more
  const handle = opened.runtime.run("lead", "go", {
    ...(variables && { variables }),
    ...(depth !== undefined && { depth }),
  })
  const events = await collect(handle)
  const result = await handle.done
  await expectSound(opened.store, handle.id)
  return {
    ran,
    events,
    result,
    results: (await results(opened.store, handle.id)).map((text) => text.replaceAll(handle.id, "R")),
    state: await stateOf(opened.store, handle.id),
    agents: events.flatMap((event) => (event.type === "run-start" ? [event.agent] : [])),
  }
}

export const hookEnds = (events: readonly LiveEvent[]) =>
  events.flatMap((event) => {
    if (event.type !== "hook-end") return []
    const { run: _, seq: __, at: ___, v: ____, type: _____, ...rest } = event
    return [rest]
  })

export const once = (command: string): ModelScript => ({
  lead: [{ calls: [bash(command)] }, { text: "done" }],
})
