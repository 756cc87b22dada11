import { type Agent, type AgentInput, defineAgent } from "../../src/agent/agent.ts"
import { type Access, defineTool, type Tool } from "../../src/agent/tool.ts"
import { openRuntime, type RuntimeParts } from "../../src/run/face/runtime.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { agentControlTools } from "../../src/world/tools/subagents.ts"
import { results, stateOf } from "../kit.ts"
import { scripted } from "../named-models.ts"

export type Definition = AgentInput & { readonly format?: string }

/** Each agent calls the next, and the last one calls these tools. */
export interface Chain {
  readonly agents: readonly Definition[]
  readonly calls?: readonly { readonly tool: string; readonly input?: object }[]
  readonly parts?: Partial<RuntimeParts>
  readonly tools?: readonly string[]
}

const names = ["Read", "Edit", "Bash", "WebFetch"] as const

const effects = { Read: "read", Edit: "opaque", Bash: "opaque", WebFetch: "read" } as const

const accesses: Readonly<Record<string, (input: { text?: string }) => readonly Access[]>> = {
  Bash: ({ text = "true" }) => [{ type: "command", text }],
}

function toolsThatNote(ran: string[]): readonly Tool[] {
  return names.map((name) =>
    defineTool<{ text?: string }>({
      name,
      description: name,
      effect: effects[name],
      input: { type: "object" },
      ...(accesses[name] && { accesses: accesses[name] }),
      execute: ({ text = "" }) => {
        ran.push(`${name} ${text}`.trim())
        return "done"
      },
    }),
  )
}

const defined = ({ format, ...input }: Definition): Agent => {
  const agent = defineAgent(input)
  return format === undefined ? agent : { ...agent, origin: { ...agent.origin, format } }
}

export function worldOf({ agents, calls = [], parts }: Chain) {
  const ran: string[] = []
  const store = memoryStore()
  const script: ModelScript = Object.fromEntries(
    agents.map(({ name }, index) => [
      name,
      [
        {
          calls:
            index < agents.length - 1
              ? [{ tool: "Agent", input: { agent: agents[index + 1]!.name, prompt: "go" } }]
              : calls.map(({ tool, input = {} }) => ({ tool, input })),
        },
        { text: "done" },
      ],
    ]),
  )
  const runtime = openRuntime({
    store,
    agents: agents.map(defined),
    tools: [...toolsThatNote(ran), ...agentControlTools()],
    models: scripted(script),
    ...parts,
  })
  return { runtime, store, ran }
}

/** Runs a chain to its end, and tells what its last run had and did. */
export async function lastOf(chain: Chain) {
  const { runtime, store, ran } = worldOf(chain)
  const { run, proof } = await runtime.run(chain.agents[0]!.name, "go", {
    ...(chain.tools && { tools: chain.tools }),
  }).done
  const last = run + ".1".repeat(chain.agents.length - 1)
  const events: RunEvent[] = []
  for await (const event of store.read(run)) events.push(event as unknown as RunEvent)
  const child = events.find((event) => event.type === "child-start")
  const start = child && chain.agents.length > 1 ? (await stateOf(store, last)).start : undefined
  return {
    tools: start?.tools.filter((name) => (names as readonly string[]).includes(name)),
    ran,
    child,
    warnings: proof.warnings,
    told: await results(store, run),
    denied: start ? await results(store, last) : [],
  }
}

export const lead = (more: Partial<Definition> = {}): Definition => ({
  name: "lead",
  instructions: "Lead.",
  tools: ["Read", "Agent"],
  ...more,
})
export const worker = (more: Partial<Definition> = {}): Definition => ({
  name: "worker",
  instructions: "Work.",
  ...more,
})
