import { type Agent, type AgentSource, agentList, defineAgent } from "../../agent/agent.ts"

/** The release that no longer has what is in this file. */
const removedIn = "1.0.0"

/**
 * The agents that could be named before there was a registry.
 * @deprecated Removed in 1.0.0. Define agents with `defineAgent` and put them into a `SubagentRegistry`.
 */
export const AgentType = {
  get Code(): "code" {
    warn("AgentType")
    return "code"
  },
  get Explore(): "explore" {
    warn("AgentType")
    return "explore"
  },
  get Plan(): "plan" {
    warn("AgentType")
    return "plan"
  },
}

/** @deprecated Removed in 1.0.0. Any name of a `SubagentRegistry` takes its place. */
export type AgentType = "code" | "explore" | "plan"

/**
 * What agents there are to hand work to.
 * @deprecated Removed in 1.0.0. Use a `SubagentRegistry`; it can be given wherever this could.
 */
export abstract class AgentCapability implements AgentSource {
  constructor() {
    warn(new.target === DefaultAgentCapability ? "DefaultAgentCapability" : "AgentCapability")
  }

  abstract all(): readonly Agent[]

  find(name: string): Agent | undefined {
    return this.all().find((agent) => agent.name === name)
  }

  get(name: string): Agent {
    return agentList(this.all()).get(name)
  }

  names(): readonly string[] {
    return this.all().map(({ name }) => name)
  }
}

/**
 * Three agents for work on code.
 * @deprecated Removed in 1.0.0. Define the agents you want with `defineAgent`.
 */
export class DefaultAgentCapability extends AgentCapability {
  readonly #agents = [
    defineAgent({
      name: "code",
      description: "Full coding capabilities",
      instructions:
        "You are a coding assistant. Make the change that is asked for, and say what you changed.",
      tools: ["bash", "read_file", "write_file", "edit_file", "todo_write"],
    }),
    defineAgent({
      name: "explore",
      description: "Finds things in the code base without changing anything",
      instructions:
        "You explore a code base. Read and search, change nothing, and report what you found and where.",
      tools: ["bash", "read_file"],
    }),
    defineAgent({
      name: "plan",
      description: "Plans a change without making it",
      instructions:
        "You plan changes. Read what is needed, change nothing, and hand back the steps in order.",
      tools: ["read_file", "todo_write"],
    }),
  ]

  all(): readonly Agent[] {
    return this.#agents
  }
}

const warned = new Set<string>()

/** Once a name and process, on the channel that Node has for it. */
function warn(name: string): void {
  if (warned.has(name)) return
  warned.add(name)
  process.emitWarning(
    `${name} is deprecated and will be removed in ${removedIn}: define agents with defineAgent and put them into a SubagentRegistry. See docs/migration.md.`,
    { type: "DeprecationWarning", code: `CADRE_${name}` },
  )
}
