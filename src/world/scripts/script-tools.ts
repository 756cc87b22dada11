import type { Agent, ToolDefinition } from "../../agent/agent.ts"
import { defineTool, type Tool } from "../../agent/tool.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { ScriptTools } from "../../run/ports/script-tools.ts"
import type { ScriptToolOptions } from "./bound-scripts.ts"

const submitName = "submit_result"

type BoundScripts = typeof import("./bound-scripts.ts")

/**
 * The tools that run the scripts of definitions: one for each name, which finds the script by the run's definition.
 * Scripts are read and run by code that loads with the first definition that has one.
 */
export function createScriptTools(options: ScriptToolOptions = {}): ScriptTools {
  const byName = new Map<string, Tool>()
  let tools: readonly Tool[] = []
  let bound: BoundScripts | undefined
  return {
    get tools() {
      return tools
    },
    learn(agents) {
      const before = byName.size
      for (const { toolDefinitions = [] } of agents)
        for (const { name } of toolDefinitions)
          if (name !== submitName && !byName.has(name) && isToolName(name))
            byName.set(
              name,
              toolFor(name, options, () => bound),
            )
      if (byName.size > before) tools = [...byName.values()]
      if (bound || byName.size === 0) return undefined
      return loadBoundScripts().then((loaded) => {
        bound = loaded
      })
    },
  }
}

const loadBoundScripts = (): Promise<BoundScripts> => import("./bound-scripts.ts")

const isToolName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name)

function toolFor(name: string, options: ScriptToolOptions, bound: () => BoundScripts | undefined): Tool {
  const tool = defineTool<JsonMap>({
    name,
    description: "Runs a script.",
    effect: "keyed",
    input: { type: "object" },
    accesses: async (_, place) => (await loadBoundScripts()).listScriptAccesses(place, options),
    execute: async (input, context) => (await loadBoundScripts()).execute(input, context, options),
  })
  return Object.freeze({
    ...tool,
    ofDefinition: (definition: ToolDefinition, agent: Agent) =>
      bound()?.bindScript(definition, agent, options) ?? "unread",
  }) as Tool
}
