import type { Model } from "./model.ts"
import { modelResolver } from "./models/index.ts"
import { openRuntime, type Runtime, type RuntimeParts } from "./run/runtime.ts"
import type { Store } from "./run/store.ts"
import { jsonlStore } from "./stores/jsonl.ts"
import { agentTool } from "./tools/agent.ts"

export interface RuntimeOptions extends Omit<RuntimeParts, "store" | "resolveModel"> {
  /** Default: JSONL files in the platform's state directory. */
  readonly store?: Store
  /** Models by the names agents use. `script:FILE` needs no entry. */
  readonly models?: { readonly [name: string]: Model }
}

/** A runtime with the parts most programs want: durable logs, and an `Agent` tool where there are agents to hand work to. */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  const {
    store = jsonlStore(),
    models = {},
    tools = [],
    agents = [],
    model = Object.keys(models)[0],
    ...rest
  } = options
  const listed = "names" in agents ? agents.all() : agents
  const named = tools.some((tool) => tool.name === "Agent")
  return openRuntime({
    ...rest,
    agents,
    store,
    tools: named || listed.length === 0 ? tools : [...tools, agentTool(listed)],
    resolveModel: modelResolver(models),
    ...(model !== undefined && { model }),
  })
}
