import type { Configuration } from "./configuration/configuration.ts"
import type { Model, ModelSource } from "./model.ts"
import { modelResolver } from "./models/index.ts"
import { openRuntime, type Runtime, type RuntimeParts } from "./run/runtime.ts"
import type { Store } from "./run/store.ts"
import { jsonlStore } from "./stores/jsonl.ts"
import { agentTool } from "./tools/agent.ts"

export interface RuntimeOptions extends Omit<RuntimeParts, "store" | "models"> {
  /** Default: JSONL files in the platform's state directory. */
  readonly store?: Store
  /** The model of an agent that names none and has no parent. Default: the configuration's, else the first of `models`. */
  readonly model?: string
  /** Models by the names agents use. `script:FILE` needs no entry. */
  readonly models?: { readonly [name: string]: Model }
  /** What `openWorkspace` read: whether subagents are switched on, limits and the default model. Options beat it. */
  readonly configuration?: Pick<Configuration, "subagents" | "limits" | "model">
}

/** A runtime with the parts most programs want: durable logs, and an `Agent` tool where there are agents to hand work to. */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  const {
    store = jsonlStore(),
    models = {},
    tools = [],
    agents = [],
    configuration,
    enabled = configuration?.subagents.enabled ?? true,
    limits,
    model = configuration?.model ?? Object.keys(models)[0],
    ...rest
  } = options
  const listed = "names" in agents ? agents.all() : agents
  const named = tools.some((tool) => tool.name === "Agent")
  return openRuntime({
    ...rest,
    enabled,
    limits: { ...configuration?.limits, ...limits },
    agents,
    store,
    tools: named || (Array.isArray(agents) && agents.length === 0) ? tools : [...tools, agentTool(listed)],
    models: TEMP(model, modelResolver(models)),
  })
}
const TEMP = (fallback: string | undefined, open: (name: string) => Promise<Model>): ModelSource => ({
  async settle({ choice, parent }) {
    const inherited = parent ?? [{ name: fallback ?? "none" }]
    const uses =
      choice === undefined || choice === "inherit" ? inherited : [{ name: String(choice ?? fallback) }]
    return { uses, resolved: "", warnings: [] }
  },
  open: (use) => open("name" in use ? use.name : use.model),
  redact: (text) => text,
})
